// What relative schemes share. The relative position of a pair is key minus query, j - i; when
// there are more keys than queries (a cache) the last query stands at the last key, as in
// Mask::causal:
//   relative(i, j) = j - (i + m - n).
#pragma once

#include <functional>
#include <optional>

#include "core/mask/mask.h"
#include "core/types.h"

namespace core {

using IndexMatrix = MatrixOf<Index>;

// (n, m). n, m >= 0, else InputError (so for all that follow).
IndexMatrix relative_positions(Index n, Index m);

// The row of a table of 2k + 1 rows: clip(j - i, -k, k) + k. k >= 0.
Index clipped_row(Index relative, Index k);
IndexMatrix clipped_relative_index(Index n, Index m, Index k);

// How many pairs of n tokens have such a relative position; `causal`: of keys up to the query.
Index count_pairs(Index n, bool causal, const std::function<bool(Index)>& such);

// The Toeplitz matrix T(i, j) = values[(i - j) + m - 1], (n, m): one value for each i - j from
// -(m-1) to n-1, n + m - 1 in all, else InputError. Here i - j counts rows and columns.
MatrixD toeplitz(Index n, Index m, const VectorD& values);

// Scores that a scheme made, what the softmax makes of them, and the averaged values.
struct ScoredAttention {
  MatrixD scores;   // (n, m), scaled, masked pairs too
  MatrixD weights;  // (n, m), 0 where masked
  MatrixD output;   // (n, d_v)
};

// Softmax over the keys that `mask` allows (every key when not given), and weights V. V: (m, d_v),
// mask n by m, else InputError. A row without a key gives zeros.
ScoredAttention attend_scored(MatrixD scores, const MatrixD& V,
                              const std::optional<Mask>& mask = std::nullopt);

}  // namespace core
