#include "core/attention/pooling/pooling.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace pooling_test {

using core::Index;
using core::PoolingKernel;
using core::VectorD;

namespace {

constexpr PoolingKernel kKernels[] = {PoolingKernel::gaussian, PoolingKernel::boxcar,
                                      PoolingKernel::epanechnikov, PoolingKernel::triangular};

VectorD vector(std::initializer_list<double> values) {
  VectorD v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

}  // namespace

TEST_CASE("kernels are densities, even, and what they are at a few places") {
  for (const PoolingKernel kernel : kKernels) {
    double integral = 0;
    constexpr double kStep = 1e-4;
    for (double u = -10 + kStep / 2; u < 10; u += kStep) {
      integral += kStep * core::pooling_kernel(kernel, u);
      CHECK(core::pooling_kernel(kernel, u) == core::pooling_kernel(kernel, -u));
    }
    // The midpoint rule over steps and kinks: second order, or one cell of a jump.
    CHECK(integral == doctest::Approx(1).epsilon(1e-4));
    CHECK(std::isnan(core::pooling_kernel(kernel, std::nan(""))));
  }
  CHECK(core::pooling_kernel(PoolingKernel::epanechnikov, 0.5) == 0.5625);
  CHECK(core::pooling_kernel(PoolingKernel::triangular, 0.25) == 0.75);
  CHECK(core::pooling_kernel(PoolingKernel::boxcar, 1) == 0.5);
  CHECK(core::pooling_kernel(PoolingKernel::boxcar, 1.001) == 0);
}

TEST_CASE("pooling by hand") {
  const VectorD keys = vector({0, 1, 3}), values = vector({10, 20, 60});
  CHECK(core::average_pooling(values) == 30);
  const auto box = core::nadaraya_watson(vector({0.5, 2, 9}), keys, values, PoolingKernel::boxcar);
  CHECK(box.prediction == vector({15, 40, 0}));
  CHECK(box.empty == std::vector<bool>{false, false, true});
  CHECK(box.weights.row(2).isZero(0));
  // Triangular: 3/4 and 1/4 at a quarter of the way.
  const auto sloped =
      core::nadaraya_watson(vector({0.25}), keys, values, PoolingKernel::triangular);
  CHECK(sloped.prediction(0) == doctest::Approx(12.5).epsilon(1e-15));
  // A Gaussian far away has its nearest key alone.
  const auto far = core::nadaraya_watson(vector({1e6}), keys, values);
  CHECK(far.prediction(0) == 60);
  CHECK_FALSE(far.empty[0]);
}

TEST_CASE("weights sum to 1, constants are kept, and a wide kernel is the mean") {
  const VectorD keys = VectorD::Random(40), queries = VectorD::Random(17);
  const VectorD values = VectorD::Random(40);
  for (const PoolingKernel kernel : kKernels) {
    const auto one = core::nadaraya_watson(queries, keys, VectorD::Constant(40, 7), kernel, 0.8);
    CHECK((one.weights.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-14);
    CHECK((one.prediction.array() - 7).abs().maxCoeff() < 1e-13);
    const auto wide = core::nadaraya_watson(queries, keys, values, kernel, 1e9);
    CHECK((wide.prediction.array() - core::average_pooling(values)).abs().maxCoeff() < 1e-8);
  }
  // Bandwidth h is w = 1/h.
  const auto by_h =
      core::nadaraya_watson(queries, keys, values, PoolingKernel::gaussian, 0.25).prediction;
  CHECK(by_h == core::parametric_pooling(queries, keys, values, 4).prediction);
}

TEST_CASE("the gradient is the loss's slope, alike for any number of threads") {
  const VectorD x = VectorD::LinSpaced(150, 0, 5);
  const VectorD y = 2 * x.array().sin() + x.array().pow(0.8);
  for (const double w : {0.3, 2.0, -1.5}) {
    constexpr double kStep = 1e-6;
    const double slope = (core::parametric_loss(x, y, w + kStep).loss -
                          core::parametric_loss(x, y, w - kStep).loss) /
                         (2 * kStep);
    const auto at = core::parametric_loss(x, y, w, 1);
    CHECK(at.gradient == doctest::Approx(slope).epsilon(1e-7));
    const auto threaded = core::parametric_loss(x, y, w, 4);
    CHECK(threaded.loss == at.loss);
    CHECK(threaded.gradient == at.gradient);
    const auto step = core::parametric_step(x, y, w, 0.01);
    CHECK(step.w == w - 0.01 * at.gradient);
    CHECK(core::parametric_loss(x, y, step.w).loss < at.loss);
  }
  // Leaving a point out: of two points each is predicted by the other.
  CHECK(core::parametric_loss(vector({0, 1}), vector({3, 5}), 0.7).loss == 8);
}

TEST_CASE("pooling refuses nonsense in a sentence") {
  const VectorD two = vector({1, 2}), three = vector({1, 2, 3});
  CHECK_THROWS_WITH_AS(core::nadaraya_watson(two, two, three),
                       "nadaraya_watson: expected at least 1 keys and as many values, got 2 and 3",
                       core::InputError);
  CHECK_THROWS_AS(core::average_pooling(VectorD()), core::InputError);
  CHECK_THROWS_AS(core::nadaraya_watson(two, VectorD(), VectorD()), core::InputError);
  for (const double h : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(core::nadaraya_watson(two, two, two, PoolingKernel::boxcar, h),
                    core::InputError);
  }
  CHECK_THROWS_AS(core::parametric_pooling(two, two, two, std::nan("")), core::InputError);
  CHECK_THROWS_AS(core::parametric_loss(vector({1}), vector({1}), 1), core::InputError);
}

}  // namespace pooling_test
