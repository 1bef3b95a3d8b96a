#include "core/position/learned/absolute_terms.h"

#include <cmath>

#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/position/checks.h"

namespace core {

AbsoluteTerms absolute_terms(const MatrixD& X, const MatrixD& P, const MatrixD& W_q,
                             const MatrixD& W_k) {
  const char* where = "absolute_terms";
  position::require_shape(where, "positions", P, X.rows(), X.cols());
  position::require_shape(where, "W_q", W_q, X.cols(), W_q.cols());
  position::require_shape(where, "W_k", W_k, X.cols(), W_q.cols());
  const MatrixD content_q = X * W_q, content_k = X * W_k;
  const MatrixD position_q = P * W_q, position_k = P * W_k;
  return {dot_scores(content_q, content_k), dot_scores(content_q, position_k),
          dot_scores(position_q, content_k), dot_scores(position_q, position_k)};
}

MatrixD join_positions(const MatrixD& X, const MatrixD& P, Joining how) {
  position::require_shape("join_positions", "positions", P, X.rows(), X.cols());
  if (how == Joining::added) return X + P;
  MatrixD both(X.rows(), 2 * X.cols());
  both << X, P;
  return both;
}

double AbsoluteScores::scale() const { return 1 / std::sqrt(static_cast<double>(d_k())); }

const MatrixD& AbsoluteScores::term(AbsoluteTerm which) const {
  switch (which) {
    case AbsoluteTerm::content_content: return terms.content_content;
    case AbsoluteTerm::content_position: return terms.content_position;
    case AbsoluteTerm::position_content: return terms.position_content;
    case AbsoluteTerm::position_position: break;
  }
  return terms.position_position;
}

std::pair<VectorD, VectorD> AbsoluteScores::vectors(AbsoluteTerm which, Index i, Index j) const {
  const bool of_query =
      which == AbsoluteTerm::content_content || which == AbsoluteTerm::content_position;
  const bool of_key =
      which == AbsoluteTerm::content_content || which == AbsoluteTerm::position_content;
  const MatrixD nothing = MatrixD::Zero(1, X.cols());
  const auto input = [&](bool content, Index k) {
    return content ? join_positions(X.row(k), nothing, joining)
                   : join_positions(nothing, P.row(k), joining);
  };
  return {(input(of_query, i) * W_q).transpose(), (input(of_key, j) * W_k).transpose()};
}

MatrixD AbsoluteScores::weights_of(const MatrixD& x, const MatrixD& p) const {
  const MatrixD input = join_positions(x, p, joining);
  return softmax_rows<double>(scale() * (input * W_q) * (input * W_k).transpose());
}

AbsoluteScores absolute_scores(MatrixD X, MatrixD P, MatrixD W_q, MatrixD W_k, Joining joining) {
  AbsoluteScores all{std::move(X), std::move(P), std::move(W_q), std::move(W_k), joining};
  const MatrixD nothing = MatrixD::Zero(all.X.rows(), all.X.cols());
  all.terms = absolute_terms(join_positions(all.X, nothing, joining),
                             join_positions(nothing, all.P, joining), all.W_q, all.W_k);
  all.scores = all.scale() * all.terms.sum();
  all.weights = softmax_rows<double>(all.scores);
  all.content_weights = softmax_rows<double>(all.scale() * all.terms.content_content);
  return all;
}

}  // namespace core
