// What a text is split at: a regular expression, a literal, or a class of characters.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core::subword {

// A stretch of a text, in bytes.
struct Stretch {
  std::size_t begin, end;
  bool matched = false;
};

// A regular expression in the syntax of Oniguruma, the engine that the published tokenizers run on:
// a class within a class is a union, \s is White_Space, \p{N} every kind of number. Classes have
// the characters that the engine's own tables do not know yet (newer_characters.h).
class Regex {
 public:
  // InputError when it does not compile.
  explicit Regex(const std::string& pattern);

  // Calls `take(begin, end)` for each match of a whole text, from left to right and none over
  // another; an empty one right after a match is passed over. `take` returns whether to go on.
  // InputError where the search takes too many steps.
  void each_match(std::string_view text,
                  const std::function<bool(std::size_t, std::size_t)>& take) const;

 private:
  std::shared_ptr<void> compiled_;
};

// The class \w of the engine that the published library uses beside Oniguruma, without brackets.
inline constexpr const char* kWordClass = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control})";

// Any of the three, as the matches and what lies between them; a class matches single characters.
class Pattern {
 public:
  using Class = bool (*)(char32_t);

  static Pattern regex(const std::string& pattern);
  static Pattern literal(std::string text);
  static Pattern characters(Class fits);

  // In order, without holes; an empty text has none.
  std::vector<Stretch> stretches(std::string_view text) const;

 private:
  std::shared_ptr<const Regex> regex_;
  std::string literal_;
  Class class_ = nullptr;
};

// What becomes of the matches when a text is split.
enum class Behavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// The pieces of a text, in order, none of them empty. `inverted`: what matches and what does not
// change places.
std::vector<Stretch> split(std::vector<Stretch> stretches, Behavior behavior, bool inverted);

}  // namespace core::subword
