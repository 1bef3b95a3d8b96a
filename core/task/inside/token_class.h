// What kind of token a token is, for the score of heads that look at others of its kind.
#pragma once

#include <vector>

#include "core/task/sequence/sequences.h"

namespace core::task {

enum class TokenClass {
  none,  // of no class: the start, and characters of Chinese that are in no word of a class
  small_letter,
  vowel,      // of English text, where letters are vowels or consonants
  consonant,  // likewise
  capital,
  digit,
  round_bracket,
  square_bracket,
  sign,   // what the task writes between: > . + =
  space,  // of text: a space, a line's end
  punctuation,
  name,  // of Chinese text: 小兰
  pronoun,
  noun,
  measure_word
};

// By the tokens' ids.
std::vector<TokenClass> token_classes(const SequenceTask& task);

}  // namespace core::task
