// What was found when something was opened: names to choose from, and the ranges of numbers.
#include <algorithm>

#include "app/param/limits.h"
#include "app/param/reading.h"

namespace param {

using words::Sentence;

std::optional<std::size_t> Name::at() const {
  if (!names) return std::nullopt;
  if (value->empty()) return otherwise < names->size() ? std::optional(otherwise) : std::nullopt;
  const auto found =
      std::find_if(names->begin(), names->end(), [&](const Named& n) { return n.id == *value; });
  if (found == names->end()) return std::nullopt;
  return static_cast<std::size_t>(found - names->begin());
}

const Found* List::fact(std::string_view id, std::string_view of) const {
  if (!facts_) return nullptr;
  const auto known = facts_->find(id);
  return known != facts_->end() && known->second.of == of ? &known->second : nullptr;
}

Names List::found(std::string_view id, std::string_view of) const {
  const Found* known = fact(id, of);
  return known ? known->names : nullptr;
}

void List::found_ranges(std::initializer_list<std::string_view> ids, std::string_view of) {
  for (const std::string_view id : ids) {
    Parameter& parameter = at(id);
    const Found* known = fact(id, of);
    if (!known || !known->range) continue;
    Info& info = parameter.info;
    info.min = std::max(info.min, known->range->min);
    info.max = std::max(info.min, std::min(info.max, known->range->max));
    if (info.slides_to && *info.slides_to >= info.max) info.slides_to.reset();
    info.active = info.active && info.max > info.min;
    parameter.found_in = known->in;
  }
}

void List::found_words(std::string_view id, std::string_view of) {
  Parameter& parameter = at(id);
  const Found* known = fact(id, of);
  if (!known || !known->names) return;
  std::get<Text>(parameter.kind).words = known->names;
  parameter.found_in = known->in;
}

std::string words_found(const Text& kind, std::string_view text, bool there) {
  std::string words;
  while (!text.empty()) {
    const std::string_view word = taken_to(' ', text);
    if (word.empty()) continue;
    const bool known = std::any_of(kind.words->begin(), kind.words->end(),
                                   [word](const Named& one) { return one.id == word; });
    if (known != there) continue;
    if (!words.empty()) words += " ";
    words += word;
  }
  return words;
}

Sentence missing(const Parameter& parameter) {
  const auto* name = std::get_if<Name>(&parameter.kind);
  if (!name || !name->missing()) return {};
  return Sentence(N_("expected {}, got {}"), expectation(parameter), shown(*name->value));
}

void require_names(const List& list) {
  for (const Parameter& parameter : list.items()) {
    const auto* name = std::get_if<Name>(&parameter.kind);
    if (name && parameter.info.active && name->missing())
      throw Refusal(parameter, shown(*name->value));
  }
}

bool beyond_found(const Parameter& parameter) {
  if (parameter.found_in.empty()) return false;
  if (const auto* text = std::get_if<Text>(&parameter.kind)) {
    return text->words && !words_found(*text, *text->value, false).empty();
  }
  const auto value = number(parameter);
  return value && !inside(parameter.info, *value);
}

Refusal refusal_found(const Parameter& parameter) {
  const auto* text = std::get_if<Text>(&parameter.kind);
  return {parameter, shown(text ? words_found(*text, *text->value, false) : serialize(parameter))};
}

void leave_out_beyond(const Text& text) { *text.value = words_found(text, *text.value, true); }

void require_found(const List& list, const std::vector<std::string>& ids) {
  for (const Parameter& parameter : list.items()) {
    const bool asked = std::find(ids.begin(), ids.end(), parameter.info.id) != ids.end();
    if (asked && beyond_found(parameter)) throw refusal_found(parameter);
  }
}

}  // namespace param
