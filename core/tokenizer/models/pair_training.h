// Byte pairs trained on a text: Sennrich, Haddow, Birch 2016, arXiv:1508.07909, algorithm 1, over
// bytes as in GPT-2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizer/models/pair_model.h"
#include "core/tokenizer/tokenizer_file.h"

namespace core::subword {

inline constexpr Index kLeastTrainedVocabulary = 256, kMostTrainedVocabulary = 32'768;
inline constexpr std::size_t kMostTrainingBytes = std::size_t{256} << 20;

// Merges in the order in which they were found, of visible bytes (byte_alphabet.h), and how often
// each pair stood in the text then. Ids: 0 to 255 are the bytes, in the order of their visible
// characters as in GPT-2's vocabulary; then what the merges make.
struct TrainedPairs {
  std::vector<Merge> merges;
  std::vector<Index> counts;
  Index vocabulary_size = kLeastTrainedVocabulary;
};

// The text falls into pieces by ByteSplit::gpt2, and no pair crosses their edges. Then the pair of
// neighbours that stands at the most places ("aaa" has two) becomes one token wherever it stands,
// from left to right, until the vocabulary has `vocabulary_size` tokens, or no pair stands twice.
// Of pairs with one count that with the smaller first id comes first, then with the smaller second.
// A pair that makes a token which is there already uses its id.
//
// The same merges on every machine. InputError when the text is no UTF-8 or longer than
// kMostTrainingBytes, or the size not from kLeastTrainedVocabulary to kMostTrainedVocabulary;
// Cancelled, with progress, between stretches of the text and between pairs.
TrainedPairs train_pairs(std::string_view text, Index vocabulary_size, const Cancel& cancel = {});

// As vocab.json and merges.txt hold it; parse_pairs reads it again. The texts of `special` follow
// as tokens of their own.
PairTexts texts_of(const TrainedPairs& trained, const std::vector<std::string>& special = {});

}  // namespace core::subword
