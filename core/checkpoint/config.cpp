#include "core/checkpoint/config.h"

#include <cmath>

#include "core/io/json_check.h"
#include "core/io/large_file.h"
#include "core/text/printable.h"

namespace core::checkpoint {

Config Config::of_file(const std::filesystem::path& path, const Cancel& cancel) {
  const LargeFile file(path);
  if (file.size() > kMostConfigBytes) {
    throw InputError(Message(N_("{}: expected a configuration of at most {} bytes, got {}"),
                             file.name(), kMostConfigBytes, file.size()));
  }
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)), cancel);
  return of_text(text, file.name());
}

Config Config::of_text(const std::string& text, const std::string& name) {
  if (const Message fault = json_fault(text); !fault.empty()) {
    throw InputError(Message(N_("{}: expected a configuration in JSON, but {}"), name, fault));
  }
  auto json = std::make_shared<const nlohmann::json>(nlohmann::json::parse(text));
  if (!json->is_object()) {
    throw InputError(
        Message(N_("{}: expected a configuration that is a JSON object, got {}"), name,
                printable(json->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))));
  }
  const nlohmann::json* const value = json.get();
  return Config(name, "", std::move(json), value);
}

bool Config::gives(std::string_view key) const {
  const auto found = value_->find(key);
  return found != value_->end() && !found->is_null();
}

std::string_view Config::first_of(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    if (gives(key)) return key;
  }
  return *keys.begin();
}

Message Config::where(std::string_view key) const {
  return Message::plain(file_ + ", " + path_ + std::string(key));
}

Message Config::came(std::string_view key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) return Message(N_("no such key"));
  return Message::plain(
      printable(found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

void Config::refuse(std::string_view key, const Message& expected) const {
  throw InputError(Message(N_("{}: expected {}, got {}"), where(key), expected, came(key)));
}

Index Config::size(std::string_view key, std::optional<Index> otherwise, Index most,
                   Index least) const {
  if (!gives(key) && otherwise) return *otherwise;
  const auto found = value_->find(key);
  const bool whole = found != value_->end() && found->is_number_integer();
  const bool fits =
      whole && (found->is_number_unsigned() ? found->get<std::uint64_t>() <= std::uint64_t(most)
                                            : found->get<std::int64_t>() <= most);
  if (!fits || found->get<std::int64_t>() < least) {
    refuse(key, Message(N_("a whole number from {} to {}"), least, most));
  }
  return found->get<Index>();
}

double Config::positive(std::string_view key, std::optional<double> otherwise) const {
  if (!gives(key) && otherwise) return *otherwise;
  const auto found = value_->find(key);
  const double value =
      found != value_->end() && found->is_number() ? found->get<double>() : std::nan("");
  if (!(value > 0) || !std::isfinite(value)) refuse(key, Message(N_("a number above 0")));
  return value;
}

bool Config::flag(std::string_view key, bool otherwise) const {
  if (!gives(key)) return otherwise;
  const nlohmann::json& value = *value_->find(key);
  if (!value.is_boolean()) refuse(key, Message(N_("true or false")));
  return value.get<bool>();
}

std::optional<std::string> Config::text_of(std::string_view key, bool may_be_absent) const {
  if (!gives(key) && may_be_absent) return std::nullopt;
  const auto found = value_->find(key);
  if (found == value_->end() || !found->is_string()) refuse(key, Message(N_("a text")));
  return found->get<std::string>();
}

std::optional<Config> Config::section(std::string_view key) const {
  if (!gives(key)) return std::nullopt;
  const nlohmann::json& value = *value_->find(key);
  if (!value.is_object()) refuse(key, Message(N_("an object, or null")));
  return Config(file_, path_ + std::string(key) + ".", whole_, &value);
}

std::int32_t Config::token(std::string_view key, Index vocabulary) const {
  const auto found = value_->find(key);
  if (found == value_->end()) return -1;
  const nlohmann::json& one = found->is_array() && !found->empty() ? found->front() : *found;
  if (!one.is_number_unsigned()) return -1;
  const auto id = one.get<std::uint64_t>();
  return id < static_cast<std::uint64_t>(vocabulary) ? static_cast<std::int32_t>(id) : -1;
}

std::vector<double> Config::numbers(std::string_view key, Index count) const {
  const auto found = value_->find(key);
  const Message expected(N_("a list of {} numbers above 0"), count);
  if (found == value_->end() || !found->is_array() ||
      found->size() != static_cast<std::size_t>(count)) {
    refuse(key, expected);
  }
  std::vector<double> out;
  for (const nlohmann::json& one : *found) {
    if (!one.is_number() || !(one.get<double>() > 0)) refuse(key, expected);
    out.push_back(one.get<double>());
  }
  return out;
}

std::optional<std::vector<std::string>> Config::texts(std::string_view key, Index count) const {
  if (!gives(key)) return std::nullopt;
  const nlohmann::json& value = *value_->find(key);
  const Message expected(N_("a list of {} texts"), count);
  if (!value.is_array() || value.size() != static_cast<std::size_t>(count)) refuse(key, expected);
  std::vector<std::string> out;
  for (const nlohmann::json& one : value) {
    if (!one.is_string()) refuse(key, expected);
    out.push_back(one.get<std::string>());
  }
  return out;
}

void Config::require_divides(std::string_view part_key, Index part, std::string_view whole_key,
                             Index whole) const {
  if (whole % part == 0) return;
  throw InputError(Message(N_("{}: expected a number that divides {} ({}), got {}"),
                           where(part_key), whole_key, whole, part));
}

}  // namespace core::checkpoint
