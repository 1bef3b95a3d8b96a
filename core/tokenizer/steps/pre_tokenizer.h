// How a normalised text falls into the pieces that a model sees.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tokenizer/steps/aligned_text.h"
#include "core/tokenizer/steps/pattern.h"

namespace core::subword {

// Pieces of one text, in order, none of them empty.
struct Pieces {
  AlignedText text;
  std::vector<Stretch> all;
};

using PreTokenizerStep = std::function<void(Pieces&)>;
using PreTokenizer = std::vector<PreTokenizerStep>;

namespace pre_tokenize {

PreTokenizerStep split_at(Pattern pattern, Behavior behavior, bool inverted = false);

// GPT-2's: perhaps a space first, perhaps its own split, then bytes as visible characters.
struct ByteLevel {
  bool space_first = true, splits = true;
};
PreTokenizerStep byte_level(ByteLevel options);
// The split of GPT-2: contractions, words, numbers, other signs, each with the space before it.
extern const char* const kGpt2Split;

// SentencePiece's: spaces become `replacement`, which also comes first where there is none, and
// words begin with it.
struct Metaspace {
  enum class First { always, at_the_beginning, never };
  std::string replacement = "\u2581";
  First first = First::always;
  bool splits = true;
};
PreTokenizerStep metaspace(const Metaspace& options);

// BERT's: at white space, which goes, and around punctuation, as which all signs of ASCII count.
PreTokenizerStep bert();
bool is_bert_punctuation(char32_t c);

}  // namespace pre_tokenize
}  // namespace core::subword
