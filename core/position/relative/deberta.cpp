#include "core/position/relative/deberta.h"

#include <algorithm>
#include <cmath>

#include "core/attention/scoring.h"
#include "core/position/checks.h"

namespace core {

Index deberta_row(Index query_minus_key, Index k) {
  return std::clamp<Index>(query_minus_key + k, 0, 2 * k - 1);
}

MatrixD DebertaTerms::scores() const {
  return (content_to_content + content_to_position + position_to_content) *
         attention_scale<double>(3 * d);
}

IndexMatrix deberta_delta(Index n, Index m, Index k) {
  position::require_at_least("deberta_delta", "a span k", 1, k);
  return relative_positions(n, m).unaryExpr([k](Index r) { return deberta_row(-r, k); });
}

DebertaTerms deberta_terms(const MatrixD& Qc, const MatrixD& Kc, const MatrixD& Kr,
                           const MatrixD& Qr) {
  const char* where = "deberta_terms";
  const Index n = Qc.rows(), m = Kc.rows();
  position::require_even_width(where, Kr.rows());
  position::require_shape(where, "keys", Kc, m, Qc.cols());
  position::require_shape(where, "positions as keys", Kr, Kr.rows(), Qc.cols());
  position::require_shape(where, "positions as queries", Qr, Kr.rows(), Qc.cols());
  const Index k = Kr.rows() / 2;
  DebertaTerms terms;
  terms.d = Qc.cols();
  terms.delta = deberta_delta(n, m, k);
  terms.content_to_content = dot_scores(Qc, Kc);
  const MatrixD to_position = dot_scores(Qc, Kr), from_position = dot_scores(Kc, Qr);
  const IndexMatrix relative = relative_positions(n, m);
  terms.content_to_position = MatrixD::NullaryExpr(
      n, m, [&](Index i, Index j) { return to_position(i, terms.delta(i, j)); });
  terms.position_to_content = MatrixD::NullaryExpr(
      n, m, [&](Index i, Index j) { return from_position(j, deberta_row(relative(i, j), k)); });
  return terms;
}

}  // namespace core
