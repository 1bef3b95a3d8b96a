#include "core/position/learned/absolute_terms.h"

#include <doctest/doctest.h>

#include "position/draw.h"

namespace absolute_terms_test {

using core::MatrixD;

TEST_CASE("The four terms add up to the scores of added embeddings") {
  const MatrixD X = draw::matrix(5, 3, 1), P = draw::matrix(5, 3, 2);
  const MatrixD W_q = draw::matrix(3, 4, 3), W_k = draw::matrix(3, 4, 4);
  const auto terms = core::absolute_terms(X, P, W_q, W_k);
  const MatrixD scores = (X + P) * W_q * ((X + P) * W_k).transpose();
  CHECK((terms.sum() - scores).cwiseAbs().maxCoeff() < 1e-13);
  CHECK(terms.position_position(1, 2) ==
        doctest::Approx((P.row(1) * W_q).dot(P.row(2) * W_k)).epsilon(1e-13));
  CHECK(terms.content_position(1, 2) ==
        doctest::Approx((X.row(1) * W_q).dot(P.row(2) * W_k)).epsilon(1e-13));
  CHECK_THROWS_AS(core::absolute_terms(X, draw::matrix(4, 3, 2), W_q, W_k), core::InputError);
  CHECK_THROWS_AS(core::absolute_terms(X, P, draw::matrix(2, 4, 3), W_k), core::InputError);
  CHECK_THROWS_AS(core::absolute_terms(X, P, W_q, draw::matrix(3, 5, 3)), core::InputError);
}

}  // namespace absolute_terms_test
