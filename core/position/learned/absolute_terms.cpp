#include "core/position/learned/absolute_terms.h"

#include "core/attention/scoring.h"
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

}  // namespace core
