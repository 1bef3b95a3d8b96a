// Vectors for tokens without a trained model, in which real text shows structure: equal tokens have
// equal rows, similar words (cat and cats) point alike, unrelated ones are nearly orthogonal.
#pragma once

#include <cstdint>
#include <vector>

#include "core/text/tokenize.h"
#include "core/types.h"

namespace core {

// A (n, d_model) matrix, each row of length sqrt(d_model), so that its entries have variance 1.
//
// A token is the weighted sum of the vectors of its character n-grams, n = 1, 2, 3, taken from the
// token between marks of its beginning and end (<cat>), and of the whole token: the subword idea of
// Bojanowski et al. 2017, arXiv:1607.04606, section 3.2 (who learn the vectors, take n from 3 to 6
// and weigh all alike). An n-gram weighs n/3 and the whole token 1, so that words which share only
// letters stay apart. An n-gram's vector is d_model numbers of core::Random, seeded by the n-gram's
// hash64 and `seed`. d_model >= 1, else InputError.
Matrix embed(const std::vector<Token>& tokens, Index d_model, std::uint64_t seed);

// Sequences without words, that show what attention makes of order.
enum class Sequence {
  random,    // unrelated vectors
  repeated,  // `period` unrelated vectors again and again
  clusters,  // runs of `period` tokens that resemble each other, around `kClusters` centres
  smooth,    // neighbours resemble each other: correlation exp(-distance / period)
};
inline constexpr Index kClusters = 4;

// (n, d_model), rows of length sqrt(d_model). n >= 0, d_model >= 1, period >= 1, else InputError.
Matrix synthetic_sequence(Sequence kind, Index n, Index d_model, Index period, std::uint64_t seed);

}  // namespace core
