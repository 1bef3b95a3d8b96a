#include "core/position/relative/relative.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/attention/masked_softmax.h"
#include "core/position/checks.h"

namespace core {

IndexMatrix relative_positions(Index n, Index m) {
  position::require_at_least("relative_positions", "numbers of queries and keys", 0,
                             std::min(n, m));
  return IndexMatrix::NullaryExpr(n, m, [&](Index i, Index j) { return j - (i + m - n); });
}

Index clipped_row(Index relative, Index k) { return std::clamp(relative, -k, k) + k; }

IndexMatrix clipped_relative_index(Index n, Index m, Index k) {
  position::require_at_least("clipped_relative_index", "a clipping distance", 0, k);
  return relative_positions(n, m).unaryExpr(
      [k](Index relative) { return clipped_row(relative, k); });
}

Index count_pairs(Index n, bool causal, const std::function<bool(Index)>& such) {
  position::require_at_least("count_pairs", "a number of tokens", 0, n);
  Index count = 0;
  for (Index r = 1 - n; r < (causal ? 1 : n); ++r) {
    if (such(r)) count += n - std::abs(r);
  }
  return count;
}

MatrixD toeplitz(Index n, Index m, const VectorD& values) {
  position::require_at_least("toeplitz", "numbers of rows and columns", 1, std::min(n, m));
  position::require_shape("toeplitz", "values", values, n + m - 1, 1);
  return MatrixD::NullaryExpr(n, m, [&](Index i, Index j) { return values(i - j + m - 1); });
}

ScoredAttention attend_scored(MatrixD scores, const MatrixD& V, const std::optional<Mask>& mask) {
  position::require_shape("attend_scored", "values", V, scores.cols(), V.cols());
  ScoredAttention result;
  result.weights = masked_softmax(scores, mask ? *mask : Mask::none(scores.rows(), scores.cols()),
                                  EmptyRow::zeros);
  result.output = result.weights * V;
  result.scores = std::move(scores);
  return result;
}

}  // namespace core
