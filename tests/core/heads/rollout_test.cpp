#include "core/heads/rollout.h"

#include <doctest/doctest.h>

#include "core/random.h"
#include "heads/given_rows.h"

namespace rollout_test {

namespace {

using namespace core::heads;
using core::MatrixD;
using given::kMasked, given::rows;

HeadPointer random_head(core::Random& random, core::Index n) {
  core::Matrix weights(n, n);
  for (core::Index i = 0; i < n; ++i) {
    for (core::Index j = 0; j < n; ++j) weights(i, j) = static_cast<float>(random.uniform());
    weights.row(i) /= weights.row(i).sum();
  }
  return dense_rows(weights);
}

}  // namespace

TEST_CASE("rollout of two layers by hand") {
  const HeadPointer first = rows({{1, kMasked}, {0.5F, 0.5F}}), second = rows({{1, 0}, {1, 0}});
  // A_1 = (1, 0; 0.25, 0.75), A_2 = (1, 0; 0.5, 0.5), A_2 A_1 = (1, 0; 0.625, 0.375).
  const MatrixD one = rollout({first}, 0.5);
  CHECK(one(1, 0) == 0.25);
  CHECK(one(1, 1) == 0.75);
  const MatrixD two = rollout({first, second}, 0.5);
  CHECK(two(0, 0) == 1);
  CHECK(two(0, 1) == 0);
  CHECK(two(1, 0) == 0.625);
  CHECK(two(1, 1) == 0.375);
  const auto steps = rollout_steps({first, second}, 0.5);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0] == one);
  CHECK(steps[1] == two);
}

TEST_CASE("rows of a rollout add up to one, whatever the threads") {
  core::Random random(3);
  std::vector<HeadPointer> layers;
  for (int layer = 0; layer < 5; ++layer) layers.push_back(random_head(random, 33));
  for (const double residual : {0.0, 0.3, 0.5, 1.0}) {
    const MatrixD rolled = rollout(layers, residual, 1);
    CHECK((rolled.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
    CHECK(rollout(layers, residual, 3) == rolled);
  }
  CHECK(rollout(layers, 1) == MatrixD::Identity(33, 33));
  // Without residual it is the product of the weights themselves.
  const MatrixD product = with_residual(*layers[1], 0) * with_residual(*layers[0], 0);
  CHECK((rollout({layers[0], layers[1]}, 0) - product).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("an empty row keeps what its residual gives") {
  const HeadPointer empty = rows({{kMasked, kMasked}, {0.5F, 0.5F}});
  CHECK(with_residual(*empty, 0.5)(0, 0) == 1);
  CHECK(with_residual(*empty, 0)(0, 0) == 0);
}

TEST_CASE("what cannot be rolled out is refused") {
  CHECK_THROWS_AS(rollout({}, 0.5), core::InputError);
  CHECK_THROWS_AS(rollout({rows({{1, 0, 0}, {0, 1, 0}})}, 0.5), core::InputError);
  CHECK_THROWS_AS(rollout({rows({{1}})}, 1.5), core::InputError);
  CHECK_THROWS_AS(rollout({rows({{1}}), rows({{1, 0}, {0, 1}})}, 0.5), core::InputError);
}

}  // namespace rollout_test
