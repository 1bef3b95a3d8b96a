#include "core/position/relative/urpe.h"

#include <doctest/doctest.h>

#include "position/draw.h"

namespace urpe_test {

using core::Index;
using core::MatrixD;
using core::VectorD;

TEST_CASE("URPE: the product by plain loops, rows need not sum to 1") {
  const MatrixD scores = draw::matrix(4, 4, 1), V = draw::matrix(4, 2, 2);
  const VectorD c = draw::vector(7, 3);
  const auto urpe = core::urpe_attention(scores, c, V, core::Mask::causal(4, 4));
  for (Index i = 0; i < 4; ++i) {
    CHECK(urpe.softmax.row(i).sum() == doctest::Approx(1));
    for (Index j = 0; j < 4; ++j) {
      CHECK(urpe.product(i, j) == urpe.softmax(i, j) * c(i - j + 3));
      if (j > i) CHECK(urpe.product(i, j) == 0);
    }
  }
  CHECK((urpe.output - urpe.product * V).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("With c = 1 URPE is attention, and on equal tokens a bias alone cannot count") {
  const MatrixD bias = core::toeplitz(5, 5, draw::vector(9, 1));
  const MatrixD V = draw::matrix(1, 3, 2).replicate(5, 1);
  const MatrixD plain = core::attend_scored(bias, V).output;
  CHECK((core::urpe_attention(bias, VectorD::Ones(9), V).output - plain).cwiseAbs().maxCoeff() ==
        0);
  for (Index i = 1; i < 5; ++i) CHECK((plain.row(i) - plain.row(0)).cwiseAbs().maxCoeff() < 1e-14);
  const MatrixD counted = core::urpe_attention(bias, draw::vector(9, 3), V).output;
  CHECK((counted.row(1) - counted.row(0)).cwiseAbs().maxCoeff() > 1e-3);
  CHECK_THROWS_AS(core::urpe_attention(bias, VectorD::Ones(5), V), core::InputError);
}

}  // namespace urpe_test
