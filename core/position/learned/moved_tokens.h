// What attention does when the tokens are permuted. Without positions the outputs are permuted in
// the same way (equivariance), f(Pi X) = Pi f(X); with positions they change.
#pragma once

#include <cstdint>
#include <vector>

#include "core/position/learned/absolute_terms.h"

namespace core {

enum class Permutation { reverse, swap, rotate, shuffle };

// order[k] is the old position of the token now at position k: all reversed, `a` and `b` exchanged,
// the last one moved to the front, or shuffled by the seed. n >= 1, 0 <= a, b < n, else InputError.
std::vector<Index> token_order(Permutation how, Index n, Index a, Index b, std::uint64_t seed);

struct MovedTokens {
  std::vector<Index> order;  // order[k]: the old position of the token now at position k
  MatrixD before, after, after_at_home;  // weights; the last with rows and columns in the old order
  MatrixD output_before,
      output_after;  // (n, d), averages of the tokens alone; the latter in the old order
  double weight_change = 0, output_change = 0, pooled_change = 0;  // largest magnitudes

  // The new position of the token that was at `home`.
  Index place(Index home) const;
};
// The same head before and after a permutation of the tokens; the position vectors stay where they
// are, or are left out. Values are the tokens without positions, so that every change comes through
// the weights. order: a permutation of the n tokens, else InputError.
MovedTokens move_tokens(const AbsoluteScores& of, std::vector<Index> order, bool with_positions);

}  // namespace core
