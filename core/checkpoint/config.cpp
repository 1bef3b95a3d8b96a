#include "core/checkpoint/config.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checkpoint/known_settings.h"
#include "core/io/case/json_check.h"
#include "core/io/large_file.h"
#include "core/io/what_lies.h"
#include "core/text/printable.h"

namespace core::checkpoint {
namespace {

// Numbers that JSON does not know but Python writes, as texts that no file has (a bell is no part
// of a JSON text) and that become the numbers when the rest was read.
struct OddNumber {
  std::string_view written, mark;
  double value;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr OddNumber kOddNumbers[] = {
    {"-Infinity", "\"\\u0007-Infinity\"", -kInfinity},
    {"Infinity", "\"\\u0007Infinity\"", kInfinity},
    {"NaN", "\"\\u0007NaN\"", std::numeric_limits<double>::quiet_NaN()}};

std::string with_marks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto odd = std::find_if(
        std::begin(kOddNumbers), std::end(kOddNumbers),
        [&](const OddNumber& one) { return text.substr(at).starts_with(one.written); });
    if (!quoted && odd != std::end(kOddNumbers)) {
      out += odd->mark;
      at += odd->written.size();
      continue;
    }
    if (quoted && text[at] == '\\' && at + 1 < text.size()) out += text[at++];
    if (text[at] == '"') quoted = !quoted;
    out += text[at++];
  }
  return out;
}

void make_odd_numbers(nlohmann::json& value) {
  if (value.is_structured()) {
    for (nlohmann::json& one : value) make_odd_numbers(one);
  } else if (value.is_string() && value.get_ref<const std::string&>().starts_with('\a')) {
    const std::string written = value.get<std::string>().substr(1);
    for (const OddNumber& one : kOddNumbers) {
      if (one.written == written) value = one.value;
    }
  }
}

std::string text_of_value(const nlohmann::json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    const double number = value.get<double>();
    return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }
  return printable(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool says_nothing(const nlohmann::json& value) {
  return value.is_null() || (value.is_structured() && value.empty());
}

}  // namespace

Config Config::of_file(const std::filesystem::path& path, const Cancel& cancel) {
  const LargeFile file(path);
  if (file.size() > kMostConfigBytes) {
    throw InputError(Message(N_("{}: expected a configuration of at most {} bytes, got {}"),
                             file.name(), kMostConfigBytes, file.size()));
  }
  const std::string text = file.read_string(0, file.size(), cancel);
  require_downloaded(file.name(), text);
  return of_text(text, file.name());
}

Config Config::of_text(const std::string& text, const std::string& name) {
  const std::string marked = with_marks(text);
  if (!json_fault(marked).empty()) {
    throw InputError(
        Message(N_("{}: expected a configuration in JSON, but {}"), name, json_fault(text)));
  }
  nlohmann::json read = nlohmann::json::parse(marked);
  make_odd_numbers(read);
  auto json = std::make_shared<const nlohmann::json>(std::move(read));
  if (!json->is_object()) {
    throw InputError(Message(N_("{}: expected a configuration that is a JSON object, got {}"), name,
                             text_of_value(*json)));
  }
  const nlohmann::json* const value = json.get();
  return Config(name, "", std::move(json), value, std::make_shared<Asked::element_type>());
}

nlohmann::json::const_iterator Config::find(std::string_view key) const {
  asked_->insert(path_ + std::string(key));
  return value_->find(key);
}

bool Config::gives(std::string_view key) const {
  const auto found = find(key);
  return found != value_->end() && !found->is_null();
}

std::string_view Config::first_of(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    if (!gives(key)) continue;
    for (const std::string_view other : keys) {
      const auto found = value_->find(other);
      if (found != value_->end() && *found == *find(key)) find(other);
    }
    return key;
  }
  return *keys.begin();
}

Message Config::where(std::string_view key) const {
  return Message::plain(file_ + ", " + path_ + std::string(key));
}

Message Config::came(std::string_view key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) return Message(N_("no such key"));
  return Message::plain(text_of_value(*found));
}

void Config::refuse(std::string_view key, const Message& expected) const {
  throw InputError(Message(N_("{}: expected {}, got {}"), where(key), expected, came(key)));
}

Index Config::size(std::string_view key, std::optional<Index> otherwise, Index most,
                   Index least) const {
  if (!gives(key) && otherwise) return *otherwise;
  const auto found = find(key);
  const bool whole = found != value_->end() && found->is_number_integer();
  const bool fits =
      whole && (found->is_number_unsigned() ? found->get<std::uint64_t>() <= std::uint64_t(most)
                                            : found->get<std::int64_t>() <= most);
  if (!fits || found->get<std::int64_t>() < least) {
    refuse(key, Message(N_("a whole number from {} to {}"), least, most));
  }
  return found->get<Index>();
}

Index Config::count(std::string_view key, std::optional<Index> otherwise) const {
  const auto found = find(key);
  if (found == value_->end() || !found->is_number_float()) return size(key, otherwise);
  const double value = found->get<double>();
  if (!(value >= 1 && value <= static_cast<double>(kMostSize)) || value != std::floor(value)) {
    refuse(key, Message(N_("a whole number from {} to {}"), 1, kMostSize));
  }
  return static_cast<Index>(value);
}

double Config::positive(std::string_view key, std::optional<double> otherwise) const {
  if (!gives(key) && otherwise) return *otherwise;
  const auto found = find(key);
  const double value =
      found != value_->end() && found->is_number() ? found->get<double>() : std::nan("");
  if (!(value > 0) || !std::isfinite(value)) refuse(key, Message(N_("a number above 0")));
  return value;
}

bool Config::flag(std::string_view key, bool otherwise) const {
  if (!gives(key)) return otherwise;
  const nlohmann::json& value = *find(key);
  if (!value.is_boolean()) refuse(key, Message(N_("true or false")));
  return value.get<bool>();
}

std::optional<std::string> Config::text_of(std::string_view key, bool may_be_absent) const {
  if (!gives(key) && may_be_absent) return std::nullopt;
  const auto found = find(key);
  if (found == value_->end() || !found->is_string()) refuse(key, Message(N_("a string")));
  return found->get<std::string>();
}

std::optional<Config> Config::section(std::string_view key) const {
  if (!gives(key)) return std::nullopt;
  const nlohmann::json& value = *find(key);
  if (!value.is_object()) refuse(key, Message(N_("an object, or null")));
  if (value.empty()) return std::nullopt;
  return Config(file_, path_ + std::string(key) + ".", whole_, &value, asked_);
}

bool Config::lists(std::string_view key, std::string_view text) const {
  const auto found = value_->find(key);
  if (found == value_->end() || !found->is_array()) return true;
  return std::find(found->begin(), found->end(), text) != found->end();
}

std::vector<std::string> Config::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : value_->items()) all.push_back(key);
  return all;
}

bool Config::holds_objects_alone() const {
  return std::all_of(value_->begin(), value_->end(),
                     [](const nlohmann::json& one) { return one.is_object(); });
}

std::int32_t Config::token(std::string_view key, Index vocabulary) const {
  const auto found = find(key);
  if (found == value_->end()) return -1;
  const nlohmann::json& one = found->is_array() && !found->empty() ? found->front() : *found;
  if (!one.is_number_unsigned()) return -1;
  const auto id = one.get<std::uint64_t>();
  return id < static_cast<std::uint64_t>(vocabulary) ? static_cast<std::int32_t>(id) : -1;
}

std::vector<double> Config::numbers(std::string_view key, Index count) const {
  const auto found = find(key);
  const Message expected(N_("a list of {} numbers above 0"), count);
  if (found == value_->end() || !found->is_array() ||
      found->size() != static_cast<std::size_t>(count)) {
    refuse(key, expected);
  }
  std::vector<double> out;
  for (const nlohmann::json& one : *found) {
    if (!one.is_number() || !(one.get<double>() > 0) || !std::isfinite(one.get<double>())) {
      refuse(key, expected);
    }
    out.push_back(one.get<double>());
  }
  return out;
}

std::optional<std::vector<std::string>> Config::texts(std::string_view key, Index count) const {
  if (!gives(key)) return std::nullopt;
  const nlohmann::json& value = *find(key);
  const Message expected(N_("a list of {} strings"), count);
  if (!value.is_array() || value.size() != static_cast<std::size_t>(count)) refuse(key, expected);
  std::vector<std::string> out;
  for (const nlohmann::json& one : value) {
    if (!one.is_string()) refuse(key, expected);
    out.push_back(one.get<std::string>());
  }
  return out;
}

std::vector<std::string> Config::texts_of(std::string_view key) const {
  std::vector<std::string> out;
  const auto found = find(key);
  if (found == value_->end() || !found->is_array()) return out;
  for (const nlohmann::json& one : *found) {
    if (one.is_string()) out.push_back(one.get<std::string>());
  }
  return out;
}

void Config::require_divides(std::string_view part_key, Index part, std::string_view whole_key,
                             Index whole) const {
  if (whole % part == 0) return;
  throw InputError(Message(N_("{}: expected a number that divides {} ({}), got {}"),
                           where(part_key), whole_key, whole, part));
}

std::vector<std::string> Config::unread() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : value_->items()) {
    if (!says_nothing(value) && !asked_->contains(path_ + key)) all.push_back(key);
  }
  return all;
}

std::vector<std::string> Config::unread_settings() const {
  std::vector<std::string> all;
  for (const std::string& key : unread()) {
    const nlohmann::json& value = *value_->find(key);
    if (has_no_effect(key, value)) continue;
    if (matters(key, value)) {
      refuse(printable(key),
             Message(N_("no setting of this name, which this program does not read")));
    }
    all.push_back(key);
  }
  return all;
}

void Config::require_all_read() const {
  for (const std::string& key : unread()) {
    refuse(printable(key),
           Message(N_("no setting of this name, which this program does not read")));
  }
}

}  // namespace core::checkpoint
