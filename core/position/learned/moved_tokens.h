// What attention does when tokens change places: without positions the outputs move along
// (equivariance) and nothing else changes, f(Pi X) = Pi f(X); with positions it is not so.
#pragma once

#include <cstdint>
#include <vector>

#include "core/position/learned/absolute_terms.h"

namespace core {

enum class Permutation { reverse, swap, rotate, shuffle };

// The token at place k was at order[k]: the other way round, `a` and `b` exchanged, the last one
// first, or shuffled by the seed. n >= 1, 0 <= a, b < n, else InputError.
std::vector<Index> token_order(Permutation how, Index n, Index a, Index b, std::uint64_t seed);

struct MovedTokens {
  std::vector<Index> order;              // the token at place k was at order[k]
  MatrixD before, after, after_at_home;  // weights; the last with rows and columns put back
  MatrixD output_before, output_after;   // (n, d), of the tokens alone; the latter put back
  double weight_change = 0, output_change = 0, pooled_change = 0;  // largest magnitudes

  // Where the token that was at `home` stands now.
  Index place(Index home) const;
};
// Positions stay where they are, or are left out. The values are the tokens alone, so that every
// change comes through the weights. order: a permutation of the n tokens, else InputError.
MovedTokens move_tokens(const AbsoluteScores& of, std::vector<Index> order, bool with_positions);

}  // namespace core
