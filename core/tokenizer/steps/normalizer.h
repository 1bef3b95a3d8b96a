// What is done to a text before it is split.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tokenizer/steps/aligned_text.h"
#include "core/tokenizer/steps/pattern.h"
#include "core/tokenizer/steps/precompiled_map.h"

namespace core::subword {

using NormalizerStep = std::function<void(AlignedText&)>;
using Normalizer = std::vector<NormalizerStep>;

namespace normalize {

// NFC, NFD, NFKC, NFKD (Unicode Standard Annex 15).
NormalizerStep form(bool compose, bool compatible);
NormalizerStep lower();
// Marks go; letters that were one with them stay as they are, unless NFD came before.
NormalizerStep strip_accents();
// White space at the ends goes.
NormalizerStep strip(bool left, bool right);
NormalizerStep prepend(std::string prefix);
NormalizerStep replace(Pattern pattern, std::string content);
// Bytes become visible characters (byte_alphabet.h).
NormalizerStep bytes();
// SentencePiece's nmt: control characters go, kinds of space become spaces.
NormalizerStep nmt();
NormalizerStep precompiled(PrecompiledMap map);

// BERT's: control characters go and white space becomes spaces; ideographs stand between spaces;
// marks go after NFD; lower case.
struct Bert {
  bool clean = true, ideographs = true, accents = true, lower = true;
};
NormalizerStep bert(Bert options);

}  // namespace normalize
}  // namespace core::subword
