#include "core/position/relative/shaw.h"

#include "core/attention/scoring.h"
#include "core/position/checks.h"

namespace core {
namespace {

void require_tables(const MatrixD& Q, const MatrixD& V, const ShawTables& tables) {
  const char* where = "shaw_attention";
  if (tables.key.rows() % 2 == 0) {
    refuse(where, "tables of 2k + 1 rows", std::to_string(tables.key.rows()));
  }
  position::require_shape(where, "a table for keys", tables.key, tables.key.rows(), Q.cols());
  if (tables.value.size() > 0) {
    position::require_shape(where, "a table for values", tables.value, tables.key.rows(), V.cols());
  }
}

}  // namespace

ShawAttention shaw_attention(const MatrixD& Q, const MatrixD& K, const MatrixD& V,
                             const ShawTables& tables, const std::optional<Mask>& mask,
                             std::optional<double> scale) {
  require_tables(Q, V, tables);
  ShawAttention result;
  result.content = dot_scores(Q, K);
  result.index = clipped_relative_index(Q.rows(), K.rows(), tables.clip());
  // 2k + 1 products for each query instead of m: products first, then picked by distance (section
  // 3.3).
  const MatrixD by_row = dot_scores(Q, tables.key);
  result.position = MatrixD::NullaryExpr(
      Q.rows(), K.rows(), [&](Index i, Index j) { return by_row(i, result.index(i, j)); });
  const double by = scale ? *scale : attention_scale<double>(Q.cols());
  result.attention = attend_scored(by * (result.content + result.position), V, mask);
  if (tables.value.size() == 0) return result;
  MatrixD by_distance = MatrixD::Zero(Q.rows(), tables.value.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index j = 0; j < K.rows(); ++j) {
      by_distance(i, result.index(i, j)) += result.attention.weights(i, j);
    }
  }
  result.attention.output += by_distance * tables.value;
  return result;
}

}  // namespace core
