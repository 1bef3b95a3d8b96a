#include "core/tokenizer/json_node.h"

#include <cmath>

#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core::subword {
namespace {

const nlohmann::json kNothing;

Message shown_value(const nlohmann::json& value) {
  if (value.is_null()) return Message(N_("nothing"));
  if (value.is_object()) return Message(N_("an object"));
  if (value.is_array()) return Message(N_("a list of {}"), value.size());
  return Message::plain(printable(value.dump()));
}

}  // namespace

JsonNode JsonNode::at(const std::string& key) const {
  const auto found = object().find(key);
  std::string path = path_.empty() ? printable(key) : path_ + "." + printable(key);
  return {found == value_->end() ? kNothing : *found, std::move(path)};
}

std::size_t JsonNode::count() const {
  if (!value_->is_array()) refuse(Message(N_("a list")));
  return value_->size();
}

JsonNode JsonNode::item(std::size_t k) const {
  return {(*value_)[k], path_ + "[" + std::to_string(k) + "]"};
}

const nlohmann::json& JsonNode::object() const {
  if (!value_->is_object()) refuse(Message(N_("an object")));
  return *value_;
}

const std::string& JsonNode::text() const {
  if (!value_->is_string()) refuse(Message(N_("a string")));
  return value_->get_ref<const std::string&>();
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) refuse(Message(N_("true or false")));
  return value_->get<bool>();
}

Index JsonNode::whole(Index least, Index most) const {
  const bool fits = value_->is_number_unsigned()
                        ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                        : value_->is_number_integer();
  if (fits && value_->get<Index>() >= least && value_->get<Index>() <= most) {
    return value_->get<Index>();
  }
  refuse(Message(N_("a whole number from {} to {}"), least, most));
}

double JsonNode::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) {
    refuse(Message(N_("a number")));
  }
  return value_->get<double>();
}

char32_t JsonNode::character() const {
  const std::string& all = text();
  std::size_t at = 0;
  const char32_t c = all.empty() ? 0 : next_code_point(all, at);
  if (all.empty() || at != all.size()) refuse(Message(N_("a string of one character")));
  return c;
}

void JsonNode::refuse(const Message& expected) const {
  const Message where = path_.empty() ? Message(N_("the whole file")) : Message::plain(path_);
  throw InputError(Message(N_("expected {} as {}, got {}"), expected, where, shown_value(*value_)));
}

void JsonNode::refuse_step(const Message& what, const std::string& type) const {
  throw InputError(
      Message(N_("{} \"{}\" at {} is not supported, and nothing else is used in its place"), what,
              printable(type), path_));
}

}  // namespace core::subword
