// Shared by the readers of parameters: splitting a text into words and numbers, and quoting it in
// messages.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "app/words/sentence.h"
#include "core/types.h"

namespace param {

// A text that does not fit; says what was expected and what came.
struct Mismatch : core::InputError {
  Mismatch(words::Sentence wanted, words::Sentence came);
  words::Sentence expected, got;
};

// The text as a message quotes it: numbers and plain words bare, all else in quotes, long ones cut.
words::Sentence shown(std::string_view text);

std::string_view trimmed(std::string_view text);

// Removes the front of the text up to the next `mark`, or all of it, and returns it.
std::string_view taken_to(char mark, std::string_view& text);

// Digits and signs as they are typed with a Chinese keyboard, "－１．５％", as others are: "-1.5%".
std::string halfwidth(std::string_view text);

// The whole text as a number; empty when it is none, or too large for the type.
template <class Number>
std::optional<Number> whole(std::string_view given) {
  const std::string plain = halfwidth(given);
  std::string_view text = plain;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace param
