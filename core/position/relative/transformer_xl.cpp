#include "core/position/relative/transformer_xl.h"

#include <algorithm>

#include "core/attention/scoring.h"
#include "core/position/checks.h"

namespace core {

MatrixD relative_sinusoids(Index n, Index lowest, Index d_R, const SinusoidalOptions& options) {
  position::require_at_least("relative_sinusoids", "a number of queries", 1, n);
  if (lowest > n - 1) {
    refuse("relative_sinusoids", "a lowest distance of at most " + std::to_string(n - 1),
           std::to_string(lowest));
  }
  const VectorD distances =
      VectorD::NullaryExpr(n - lowest, [&](Index row) { return static_cast<double>(n - 1 - row); });
  return sinusoidal_rows(distances, d_R, options);
}

MatrixD relative_sinusoid_curves(const MatrixD& W, const MatrixD& X, Index reach,
                                 const SinusoidalOptions& options, const Cancel& cancel) {
  constexpr Index kStretch = 4096;
  position::require_even_width("relative_sinusoid_curves", W.rows());
  position::require_shape("relative_sinusoid_curves", "vectors", X, W.cols(), X.cols());
  position::require_at_least("relative_sinusoid_curves", "a reach", 0, reach);
  if (options.layout != SinusoidalLayout::concatenated) {
    refuse("relative_sinusoid_curves", "sines before cosines", "the two alternating");
  }
  const Index half = W.rows() / 2;
  const Matrix g = (W * X).cast<float>();  // (R W) x = R (W x)
  MatrixD curves(2 * reach + 1, X.cols());
  Matrix table;
  for (Index first = 0; first <= reach; first += kStretch) {
    cancel.poll();
    const Index count = std::min(kStretch, reach + 1 - first);
    sinusoidal_table_into(table, count, W.rows(), options, first);
    const Matrix sines = table.leftCols(half) * g.topRows(half);
    const Matrix cosines = table.rightCols(half) * g.bottomRows(half);
    for (Index t = 0; t < count; ++t) {
      // A key t before the query has i - j = t; for one t ahead the sines change sign.
      curves.row(reach - first - t) = (sines.row(t) + cosines.row(t)).cast<double>();
      curves.row(reach + first + t) = (cosines.row(t) - sines.row(t)).cast<double>();
    }
  }
  return curves;
}

RelativeTerms relative_terms(const MatrixD& Q, const MatrixD& K, const MatrixD& positions,
                             const VectorD& u, const VectorD& v) {
  const char* where = "relative_terms";
  const Index n = Q.rows(), m = K.rows(), d = Q.cols();
  position::require_shape(where, "keys", K, m, d);
  position::require_shape(where, "a vector u", u, d, 1);
  position::require_shape(where, "a vector v", v, d, 1);
  if (positions.rows() != n) {
    position::require_shape(where, "projected positions", positions, n + m - 1, d);
  }
  position::require_shape(where, "projected positions", positions, positions.rows(), d);
  const MatrixD by_distance = dot_scores(Q, positions);
  const VectorD v_by_distance = positions * v;
  RelativeTerms terms;
  terms.content = dot_scores(Q, K);
  terms.content_bias = (K * u).transpose().replicate(n, 1);
  terms.content_position = terms.position_bias = MatrixD::Zero(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      const Index row = n - 1 - (i - j);
      if (row >= positions.rows()) continue;
      terms.content_position(i, j) = by_distance(i, row);
      terms.position_bias(i, j) = v_by_distance(row);
    }
  }
  return terms;
}

MatrixD relative_shift(const MatrixD& products) {
  const Index n = products.rows();
  position::require_shape("relative_shift", "products", products, n, n);
  MatrixD padded(n, n + 1);
  padded << VectorD::Zero(n), products;
  return Eigen::Map<const MatrixD>(padded.data(), n + 1, n).bottomRows(n);
}

}  // namespace core
