// What relative schemes share. The relative position of a pair is key minus query, j - i. With more
// keys than queries (a cache) the last query stands at the last key, as in Mask::causal:
//   relative(i, j) = j - (i + m - n).
#pragma once

#include <functional>
#include <optional>

#include "core/mask/mask.h"
#include "core/types.h"

namespace core {

using IndexMatrix = MatrixOf<Index>;

// (n, m). n, m >= 0, else InputError, here and below.
IndexMatrix relative_positions(Index n, Index m);

// The row in a table of 2k + 1 rows: clip(j - i, -k, k) + k. k >= 0.
Index clipped_row(Index relative, Index k);
IndexMatrix clipped_relative_index(Index n, Index m, Index k);

// The number of pairs (i, j) of n tokens for whose relative position such() holds; `causal`: of
// keys j <= i alone.
Index count_pairs(Index n, bool causal, const std::function<bool(Index)>& such);

// The Toeplitz matrix T(i, j) = values[(i - j) + m - 1], (n, m): one value for each i - j from
// -(m-1) to n-1, n + m - 1 in all, else InputError. Here i - j counts rows and columns.
MatrixD toeplitz(Index n, Index m, const VectorD& values);

// The scores of a scheme, their softmax, and the averaged values.
struct ScoredAttention {
  MatrixD scores;   // (n, m), scaled, masked pairs too
  MatrixD weights;  // (n, m), 0 where masked
  MatrixD output;   // (n, d_v)
};

// Softmax over the keys that `mask` allows (all when not given), and weights V. V: (m, d_v), mask n
// by m, else InputError. A query without an allowed key has weights and output 0.
ScoredAttention attend_scored(MatrixD scores, const MatrixD& V,
                              const std::optional<Mask>& mask = std::nullopt);

}  // namespace core
