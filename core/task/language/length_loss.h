// How well a language model guesses at each position of texts that are longer than those it was
// trained on: the measurement of Press et al. 2022 (ALiBi) and Peng et al. 2023 (YaRN).
#pragma once

#include <cstdint>
#include <vector>

#include "core/task/language/language_model.h"

namespace core::task {

// The model for texts of up to `longest` tokens, with the same parameters: the values of the one
// are those of the other. InputError beyond the rows of a learned table.
LanguageModel at_length(const LanguageModel& model, Index longest);

// Rotary heads then turn by these frequencies, (width of a head / 2), in radians a position;
// cosines and sines, and so queries and keys, are multiplied by `multiplier`. InputError for
// another scheme and for another number of pairs.
void turn_by(LanguageModel& model, const VectorD& theta, double multiplier = 1);

// A row a text, a column a position.
struct LengthLosses {
  MatrixD loss;  // -log of the probability of the token that came next, in nats
  Matrix logit;  // of that token
};
// texts: the begin of each, `length` tokens and the one after them, with ids of the vocabulary.
// threads: 0 = all cores; their number changes no bit.
LengthLosses length_losses(const LanguageModel& model, const float* values,
                           const std::vector<const std::int32_t*>& texts, Index length, int threads,
                           const Cancel& cancel = {});

// Begins of texts of `length` tokens and one more in a stream, evenly spread, at most `most`, and
// never two that share a token that is guessed; empty where there is room for none.
std::vector<Index> spread_texts(Index stream, Index length, Index most);

}  // namespace core::task
