#include "core/attention/streaming/online_steps.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/attention/softmax.h"
#include "core/random.h"

namespace online_steps_test {

using namespace core;

TEST_SUITE_BEGIN("online steps");

TEST_CASE("three scores by hand: a new maximum shrinks all that was there") {
  VectorD scores(3);
  scores << 0, std::log(2.0), std::log(0.5);
  MatrixD V(3, 1);
  V << 10, 20, 40;
  const std::vector<OnlineStep> steps = online_steps(scores, V, 1);
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].factor == 0);
  CHECK(steps[0].sum == 1);
  CHECK(steps[0].output()(0) == 10);
  CHECK(steps[1].factor == doctest::Approx(0.5));  // exp(0 - ln 2)
  CHECK(steps[1].sum == doctest::Approx(1.5));
  CHECK(steps[1].accumulated(0) == doctest::Approx(25));
  CHECK(steps[1].output()(0) == doctest::Approx(50.0 / 3));
  CHECK(steps[2].factor == 1);
  CHECK(steps[2].exponentials(0) == doctest::Approx(0.25));
  CHECK(steps[2].sum == doctest::Approx(1.75));
  CHECK(steps[2].output()(0) == doctest::Approx(20));  // (10 + 2 * 20 + 0.5 * 40) / 3.5
}

TEST_CASE("whatever the block, the last output is softmax(scores) V") {
  Random random(3);
  const VectorD scores = VectorD::NullaryExpr(17, [&] { return 3 * random.gaussian(); });
  const MatrixD V = MatrixD::NullaryExpr(17, 4, [&] { return random.gaussian(); });
  const VectorD whole = V.transpose() * softmax(scores);
  for (const Index block : {1, 2, 5, 17, 30}) {
    const std::vector<OnlineStep> steps = online_steps(scores, V, block);
    CHECK(static_cast<Index>(steps.size()) == ceil_div(17, block));
    CHECK(steps.back().output().isApprox(whole, 1e-13));
    CHECK(steps.back().max == scores.maxCoeff());
  }
}

TEST_CASE("masked keys weigh nothing, at the beginning too") {
  constexpr double kNo = -std::numeric_limits<double>::infinity();
  VectorD scores(4);
  scores << kNo, kNo, 1, kNo;
  MatrixD V(4, 1);
  V << 1, 2, 3, 4;
  const std::vector<OnlineStep> steps = online_steps(scores, V, 1);
  CHECK(steps[1].sum == 0);
  CHECK(steps[1].output()(0) == 0);
  CHECK(steps[2].factor == 0);
  CHECK(steps[3].factor == 1);
  CHECK(steps[3].output()(0) == 3);
}

TEST_CASE("what does not fit is refused") {
  CHECK_THROWS_AS(online_steps(VectorD::Zero(3), MatrixD::Zero(2, 1), 1), InputError);
  CHECK_THROWS_AS(online_steps(VectorD::Zero(3), MatrixD::Zero(3, 1), 0), InputError);
}

TEST_SUITE_END();

}  // namespace online_steps_test
