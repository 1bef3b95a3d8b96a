#include "core/attention/scoring.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/attention/softmax.h"

namespace scoring_test {

using core::Index;
using core::MatrixD;
using core::VectorD;

TEST_CASE("scores by hand") {
  MatrixD Q(1, 4), K(2, 4);
  Q << 1, 2, 0, -1;
  K << 1, 1, 1, 1, 0, 3, 5, 2;
  CHECK(core::dot_scores(Q, K)(0, 0) == 2.0);
  CHECK(core::dot_scores(Q, K)(0, 1) == 4.0);
  CHECK(core::scaled_dot_scores(Q, K)(0, 1) == 2.0);
  CHECK(core::bilinear_scores<double>(Q, K, 3 * MatrixD::Identity(4, 4))(0, 1) == 12.0);
  CHECK(core::gaussian_scores(Q, K, 2.0)(0, 0) == doctest::Approx(-12).epsilon(1e-14));
  CHECK(core::gaussian_kernel(0.0) == doctest::Approx(0.3989422804014327).epsilon(1e-15));
  const MatrixD W = MatrixD::Ones(4, 1);
  CHECK(core::additive_scores<double>(Q, K, W, -W, VectorD::Constant(1, 3))(0, 0) ==
        doctest::Approx(3 * std::tanh(-2.0)).epsilon(1e-14));
}

TEST_CASE("permuting queries and keys permutes the scores") {
  const MatrixD Q = MatrixD::Random(3, 4), K = MatrixD::Random(5, 4), W = MatrixD::Random(4, 4);
  const MatrixD Qr = Q.colwise().reverse(), Kr = K.colwise().reverse();
  CHECK(core::dot_scores(Qr, Kr) == MatrixD(core::dot_scores(Q, K).reverse()));
  CHECK(core::gaussian_scores(Qr, Kr).isApprox(core::gaussian_scores(Q, K).reverse(), 1e-14));
  CHECK(core::bilinear_scores(Qr, Kr, W).isApprox(core::bilinear_scores(Q, K, W).reverse(), 1e-14));
  const VectorD w = VectorD::Random(4);
  CHECK(core::additive_scores(Qr, Kr, W, W, w)
            .isApprox(core::additive_scores(Q, K, W, W, w).reverse(), 1e-14));
}

TEST_CASE("for keys of one length, the Gaussian and the dot product weigh alike") {
  const MatrixD Q = MatrixD::Random(2, 3);
  MatrixD K = MatrixD::Random(6, 3);
  K.rowwise().normalize();
  // |q - k|^2 = |q|^2 + |k|^2 - 2 q.k, and what is constant along a row cancels.
  CHECK(core::softmax_rows(core::gaussian_scores(Q, K))
            .isApprox(core::softmax_rows(core::dot_scores(Q, K)), 1e-13));
}

TEST_CASE("scoring refuses shapes that do not fit, and takes empty ones") {
  const MatrixD Q = MatrixD::Zero(2, 3), K = MatrixD::Zero(4, 5);
  CHECK_THROWS_WITH(core::dot_scores(Q, K),
                    "dot_scores: expected queries and keys of one width, got 2 by 3 and 4 by 5");
  CHECK_THROWS_AS(core::scaled_dot_scores(Q, K), core::InputError);
  CHECK_THROWS_AS(core::gaussian_scores(Q, K), core::InputError);
  CHECK_THROWS_AS(core::gaussian_scores(Q, Q, std::numeric_limits<double>::infinity()),
                  core::InputError);
  CHECK_THROWS_AS(core::bilinear_scores(Q, K, MatrixD(5, 3)), core::InputError);
  CHECK_THROWS_AS(core::additive_scores(Q, K, MatrixD(3, 2), MatrixD(5, 3), VectorD(2)),
                  core::InputError);
  CHECK_THROWS_AS(core::scaled_dot_scores(MatrixD(2, 0), MatrixD(2, 0)), core::InputError);
  CHECK(core::dot_scores(MatrixD(0, 3), Q).rows() == 0);
  CHECK(core::dot_scores(MatrixD(2, 0), MatrixD(3, 0)) == MatrixD::Zero(2, 3));
}

}  // namespace scoring_test
