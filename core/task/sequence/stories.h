// Lines of text in English and Chinese, made by rules that a head can be named for: a pronoun that
// agrees with a name, a verb with its subject, a noun with its measure word.
#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "core/task/pair/pairs.h"

namespace core::task {

// Characters of a line, counted from 0: what stands at `follows` is decided by what stands at
// `decides`.
struct Agreement {
  enum class Kind { pronoun, verb, measure_word, repeat };
  Kind kind = Kind::pronoun;
  Index decides = 0, follows = 0;
};

struct StoryLine {
  std::string text;  // ends with a line break
  // The logarithms of how many choices there were, added up. A line can be read back into its
  // choices, so this is its information: no model's loss a character is less, on average, than the
  // mean of this over that of the lines' characters.
  double nats = 0;
  std::vector<Agreement> agreements;  // by what follows
};
StoryLine draw_line(Language language, Random& random);

// What a character of a line belongs to, by the rules: Chinese characters to the words they are in,
// 小 to names; English letters are none of these.
enum class WordClass { none, name, pronoun, noun, measure_word };
WordClass word_class(Language language, const std::string& character);

// Every character of any line, in a fixed order.
const std::vector<std::string>& story_characters(Language language);

}  // namespace core::task
