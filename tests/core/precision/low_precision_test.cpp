#include "core/precision/low_precision.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "core/types.h"

namespace low_precision_test {

using core::Index;
using core::LowArithmetic;
using core::Rounding;
using core::SumOrder;
using core::VectorD;

namespace {

constexpr LowArithmetic kAllBFloat16{};
constexpr LowArithmetic kPairwise{.order = SumOrder::pairwise};
constexpr LowArithmetic kInFloat{.arithmetic = core::kFloat32};

VectorD random_vector(Index n, std::uint64_t seed) {
  core::Random random(seed);
  return VectorD::NullaryExpr(n, [&] { return random.gaussian(); });
}

}  // namespace

TEST_CASE("sums by hand: a running sum of ones stops where the spacing becomes two") {
  const std::vector<double> ones(1000, 1.0);
  CHECK(core::low_sum(ones, kAllBFloat16) == 256);
  CHECK(core::low_sum(ones, kPairwise) == 1000);
  CHECK(core::low_sum(ones, kInFloat) == 1000);
  CHECK(core::low_sum({}, kAllBFloat16) == 0);
  const VectorD sums = core::low_running_sums(VectorD::Ones(300), kAllBFloat16);
  CHECK(sums(255) == 256);
  CHECK(sums(299) == 256);
  CHECK(core::low_sum(std::vector<double>{257}, kAllBFloat16) == 256);
  // Every sum is the one before and the term as it was added, rounded.
  const core::LowRunning run =
      core::low_running(VectorD::Constant(4, 100.3), {.arithmetic = core::kFp8E4m3});
  CHECK(run.terms == VectorD::Constant(4, 104));
  CHECK(run.sums == VectorD{{104, 208, 320, 416}});  // 312 and 424 have no code
  // Stochastic rounding keeps growing: 1000 in the mean, with a standard deviation below 60.
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    mean += core::low_sum(ones, {.rounding = Rounding::stochastic, .seed = seed}) / 400;
  }
  CHECK(std::fabs(mean - 1000) < 5 * 60 / 20.0);
}

TEST_CASE("dot products: float32 is what the processor computes, and errors keep their bounds") {
  const LowArithmetic single{.numbers = core::kFloat32, .arithmetic = core::kFloat32};
  const VectorD x = random_vector(200, 1), y = random_vector(200, 2);
  float by_processor = 0;
  for (Index i = 0; i < 200; ++i) {
    // Held in between, so that no fused step is made of two.
    volatile float product = static_cast<float>(x(i)) * static_cast<float>(y(i));
    by_processor = by_processor + product;
  }
  const core::LowDot dot = core::low_dot(x, y, single);
  CHECK(dot.result == static_cast<double>(by_processor));
  CHECK(dot.exact == x.dot(y));
  for (const LowArithmetic& how :
       {kAllBFloat16, kPairwise, kInFloat,
        LowArithmetic{.numbers = core::kFloat16, .arithmetic = core::kFloat16},
        LowArithmetic{.rounding = Rounding::toward_zero},
        LowArithmetic{.rounding = Rounding::stochastic, .seed = 3}}) {
    for (const Index n : {1, 2, 5, 64, 100}) {
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const VectorD a = random_vector(n, 2 * seed), b = random_vector(n, 2 * seed + 1);
        const core::LowDot low = core::low_dot(a, b, how);
        CHECK(std::fabs(low.before_store - low.of_rounded) <= low.bound);
      }
    }
  }
  CHECK(core::low_dot(VectorD(), VectorD(), kAllBFloat16).result == 0);
  CHECK_THROWS_AS(core::low_dot(x, VectorD::Zero(3), kAllBFloat16), core::InputError);
  // u = 2^-8: one product and three additions, or two in a tree.
  const double u = std::ldexp(1.0, -8);
  CHECK(core::dot_error_factor(4, kAllBFloat16) == 4 * u / (1 - 4 * u));
  CHECK(core::dot_error_factor(4, kPairwise) == 3 * u / (1 - 3 * u));
  CHECK(std::isinf(core::dot_error_factor(256, kAllBFloat16)));
}

TEST_CASE("softmax in few bits") {
  VectorD scores(3);
  scores << 1, 1, 1;
  const core::LowSoftmax thirds = core::low_softmax(scores, kAllBFloat16);
  CHECK(thirds.weights(0) == 0.333984375);
  CHECK(thirds.total == 3 * 0.333984375);
  CHECK(thirds.max_error == doctest::Approx(0.333984375 - 1.0 / 3).epsilon(1e-12));
  // In double there is nothing to lose.
  const LowArithmetic exact{.numbers = core::kFloat64, .arithmetic = core::kFloat64};
  const VectorD random = random_vector(50, 3);
  CHECK(core::low_softmax(random, exact).max_error < 1e-16);
  // From step to step: each is what the format makes of the one before.
  const auto low = [](double x) { return core::round_to(core::kBFloat16, x); };
  for (Index i = 0; i < scores.size(); ++i) {
    CHECK(thirds.scores(i) == low(scores(i)));
    CHECK(thirds.differences(i) == low(thirds.scores(i) - thirds.scores.maxCoeff()));
    CHECK(thirds.powers(i) == low(std::exp(thirds.differences(i))));
    CHECK(thirds.weights(i) == low(thirds.powers(i) / thirds.sum));
  }
  // 512 equal scores: the bfloat16 sum stops at 256, and every weight is twice too large.
  const core::LowSoftmax flat = core::low_softmax(VectorD::Zero(512), kAllBFloat16);
  CHECK(flat.sum == 256);
  CHECK(flat.weights(7) == 2 * flat.exact(7));
  CHECK(core::low_softmax(VectorD::Zero(512), kInFloat).total == 1);
  CHECK(core::low_softmax(VectorD::Zero(512), kPairwise).total == 1);
  // A masked key has weight 0.
  scores(1) = -INFINITY;
  CHECK(core::low_softmax(scores, kAllBFloat16).weights(1) == 0);
  CHECK_THROWS_AS(core::low_softmax(VectorD(), kAllBFloat16), core::InputError);
  CHECK_THROWS_AS(core::low_softmax(VectorD::Constant(2, -INFINITY), kAllBFloat16),
                  core::InputError);
  scores(0) = NAN;
  CHECK_THROWS_AS(core::low_softmax(scores, kAllBFloat16), core::InputError);
  scores(0) = 1e6;  // infinite in float16
  CHECK_THROWS_AS(core::low_softmax(scores, {.numbers = core::kFloat16}), core::InputError);
}

TEST_CASE("errors over lengths do not depend on the threads and stay below the bound") {
  const std::vector<Index> lengths = {1, 16, 64, 200};
  const auto one = core::low_dot_errors(lengths, 40, 5, kAllBFloat16, 1);
  const auto three = core::low_dot_errors(lengths, 40, 5, kAllBFloat16, 3);
  const auto tree = core::low_dot_errors(lengths, 40, 5, kPairwise);
  const auto wide = core::low_dot_errors(lengths, 40, 5, kInFloat);
  for (size_t l = 0; l < lengths.size(); ++l) {
    CHECK(one[l].max == three[l].max);
    CHECK(one[l].mean == three[l].mean);
    CHECK(one[l].max <= one[l].bound);
    CHECK(wide[l].max < 1e-4);
  }
  CHECK(tree[3].mean < one[3].mean);
  const auto soft = core::low_softmax_errors({8, 2000}, 10, 1, 5, kAllBFloat16);
  CHECK(soft[1].max > 0.5);  // the sum has stopped growing long before
  CHECK(core::low_softmax_errors({2000}, 10, 1, 5, kInFloat)[0].max < 0.02);
  CHECK_THROWS_AS(core::low_dot_errors({0}, 1, 1, kAllBFloat16), core::InputError);
  CHECK_THROWS_AS(core::low_dot_errors({1}, 0, 1, kAllBFloat16), core::InputError);
  CHECK_THROWS_AS(core::low_softmax_errors({1}, 1, 0, 1, kAllBFloat16), core::InputError);
}

}  // namespace low_precision_test
