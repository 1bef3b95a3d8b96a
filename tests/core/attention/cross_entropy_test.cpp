#include "core/attention/cross_entropy.h"

#include <doctest/doctest.h>

#include <cmath>

namespace cross_entropy_test {

using core::Index;
using core::MatrixD;
using core::Reduction;

TEST_CASE("cross-entropy by hand") {
  MatrixD logits(2, 2);
  logits << 0, 0, 0, std::log(3);
  const auto sum = core::cross_entropy(logits, {0, 1}, Reduction::sum);
  CHECK(sum.row_loss(0) == doctest::Approx(std::log(2)).epsilon(1e-15));
  CHECK(sum.row_loss(1) == doctest::Approx(std::log(4.0 / 3)).epsilon(1e-15));
  CHECK(sum.loss == doctest::Approx(std::log(8.0 / 3)).epsilon(1e-15));
  CHECK(sum.grad_logits(0, 0) == -0.5);
  CHECK(sum.grad_logits(1, 0) == doctest::Approx(0.25).epsilon(1e-15));
  const auto mean = core::cross_entropy(logits, {0, 1});
  CHECK(mean.loss == sum.loss / 2);
  CHECK(mean.grad_logits == MatrixD(sum.grad_logits / 2));
}

TEST_CASE("the gradient of cross-entropy equals finite differences, and its rows sum to zero") {
  MatrixD logits = MatrixD::Random(3, 5) * 2;
  const std::vector<Index> labels{4, 0, 2};
  constexpr double kStep = 1e-6;
  for (const Reduction reduction : {Reduction::sum, Reduction::mean}) {
    const MatrixD grad = core::cross_entropy(logits, labels, reduction).grad_logits;
    for (Index i = 0; i < 3; ++i) {
      CHECK(std::fabs(grad.row(i).sum()) <= 1e-15);
      for (Index j = 0; j < 5; ++j) {
        const double kept = logits(i, j);
        logits(i, j) = kept + kStep;
        const double up = core::cross_entropy(logits, labels, reduction).loss;
        logits(i, j) = kept - kStep;
        const double down = core::cross_entropy(logits, labels, reduction).loss;
        logits(i, j) = kept;
        CHECK(std::fabs(grad(i, j) - (up - down) / (2 * kStep)) <= 1e-8);
      }
    }
  }
}

TEST_CASE("cross-entropy refuses labels that do not fit") {
  const MatrixD logits = MatrixD::Zero(2, 3);
  CHECK_THROWS_AS(core::cross_entropy(logits, {0}), core::InputError);
  CHECK_THROWS_AS(core::cross_entropy(logits, {0, -1}), core::InputError);
  CHECK_THROWS_WITH(core::cross_entropy(logits, {0, 3}),
                    "cross_entropy: expected labels from 0 to 2, got 3");
  CHECK_THROWS_AS(core::cross_entropy(MatrixD(0, 3), {}), core::InputError);
  CHECK(core::cross_entropy(MatrixD(0, 3), {}, Reduction::sum).loss == 0.0);
}

}  // namespace cross_entropy_test
