#include "core/position/learned/absolute_terms.h"

#include <doctest/doctest.h>

#include <cmath>

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

TEST_CASE("Scores are the sum of their terms, added or concatenated, and weights their softmax") {
  using core::AbsoluteTerm, core::Joining;
  const MatrixD X = draw::matrix(5, 4, 1), P = draw::matrix(5, 4, 2);
  for (const Joining joining : {Joining::added, Joining::concatenated}) {
    const core::Index wide = joining == Joining::added ? 4 : 8;
    const core::AbsoluteScores all =
        core::absolute_scores(X, P, draw::matrix(wide, 3, 3), draw::matrix(wide, 3, 4), joining);
    const MatrixD input = core::join_positions(X, P, joining);
    REQUIRE(input.cols() == wide);
    CHECK(all.scores.isApprox((input * all.W_q) * (input * all.W_k).transpose() / std::sqrt(3.0)));
    CHECK(all.weights.rowwise().sum().isApprox(core::VectorD::Ones(5)));
    CHECK(all.weights_of(X, P).isApprox(all.weights));
    CHECK(all.weights_of(X, MatrixD::Zero(5, 4)).isApprox(all.content_weights));
    for (const auto which : {AbsoluteTerm::content_content, AbsoluteTerm::content_position,
                             AbsoluteTerm::position_content, AbsoluteTerm::position_position}) {
      const auto [q, k] = all.vectors(which, 3, 1);
      CHECK(q.dot(k) == doctest::Approx(all.term(which)(3, 1)));
    }
  }
  // Tying the two parts of the projection makes concatenating the same as adding.
  const MatrixD W = draw::matrix(4, 3, 5);
  MatrixD tied(8, 3);
  tied << W, W;
  CHECK(core::absolute_scores(X, P, tied, tied, Joining::concatenated)
            .scores.isApprox(core::absolute_scores(X, P, W, W, Joining::added).scores));
  CHECK_THROWS_AS(core::absolute_scores(X, P, W, W, Joining::concatenated), core::InputError);
  CHECK_THROWS_AS(core::join_positions(X, P.topRows(4), Joining::added), core::InputError);
}

}  // namespace absolute_terms_test
