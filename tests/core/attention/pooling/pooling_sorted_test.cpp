#include "core/attention/pooling/pooling_sorted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/attention/pooling/gauss_transform.h"
#include "core/random.h"

namespace pooling_sorted_test {

using core::Index;
using core::PoolingKernel;
using core::VectorD;

namespace {

constexpr PoolingKernel kKernels[] = {PoolingKernel::gaussian, PoolingKernel::boxcar,
                                      PoolingKernel::epanechnikov, PoolingKernel::triangular};

VectorD sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return Eigen::Map<const VectorD>(values.data(), static_cast<Index>(values.size()));
}

VectorD uniform(Index count, double lo, double hi, std::uint64_t seed) {
  core::Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& v : values) v = lo + (hi - lo) * random.uniform();
  return sorted(std::move(values));
}

VectorD noise(Index count, std::uint64_t seed) {
  core::Random random(seed);
  VectorD values(count);
  for (double& v : values) v = random.gaussian();
  return values;
}

// Keys as they are not in a textbook: a dense crowd, thin ones around it, equal ones, one far away.
VectorD crowded() {
  std::vector<double> keys;
  core::Random random(7);
  for (int k = 0; k < 1500; ++k) keys.push_back(2 + 0.05 * random.gaussian());
  for (int k = 0; k < 60; ++k) keys.push_back(5 * random.uniform());
  for (int k = 0; k < 9; ++k) keys.push_back(4.5);
  keys.push_back(300);
  keys.push_back(-2000);
  return sorted(std::move(keys));
}

double largest(const VectorD& v) { return v.cwiseAbs().maxCoeff(); }

// Leaving one out by hand: all the others, through the naive function.
VectorD others(const VectorD& v, Index out) {
  VectorD result(v.size() - 1);
  result << v.head(out), v.tail(v.size() - 1 - out);
  return result;
}

}  // namespace

TEST_CASE("the Gauss transform is the sum it stands for") {
  for (const double scale : {0.0, 1e-9, 0.003, 0.7, 3.0, 40.0}) {
    CAPTURE(scale);
    const VectorD s = uniform(2000, 0, 5, 1), y = noise(2000, 2);
    const VectorD t = uniform(300, -2, 8, 3);
    const auto fast = core::GaussTransform(s, y, scale).at(t);
    for (Index i = 0; i < t.size(); ++i) {
      const Eigen::ArrayXd square = ((t(i) - s.array()) * scale).square();
      const Eigen::ArrayXd e = (-square).exp();
      const auto& sums = fast[static_cast<std::size_t>(i)];
      // Rounding, of both; |y| is below 4 here.
      const double slack = 4e-15 * sums.within_reach + 1e-16 * 2000;
      CHECK(std::abs(sums.ones - e.sum()) <= slack);
      CHECK(std::abs(sums.weighted - (e * y.array()).sum()) <= 4 * slack);
      // Where the scale is small the squares are small too, and as exact.
      const double top = std::min(1.0, square.maxCoeff());
      CHECK(std::abs(sums.squares - (e * square).sum()) <= 4 * slack * top + 1e-300);
      CHECK(std::abs(sums.weighted_squares - (e * square * y.array()).sum()) <=
            16 * slack * top + 1e-300);
    }
  }
}

TEST_CASE("the Gauss transform refuses what it is not made for") {
  const VectorD up = uniform(4, 0, 1, 1), down = -up;
  CHECK_THROWS_AS(core::GaussTransform(down, up, 1), core::InputError);
  CHECK_THROWS_AS(core::GaussTransform(up, up.head(3), 1), core::InputError);
  CHECK_THROWS_AS(core::GaussTransform(up, up, -1), core::InputError);
  CHECK_THROWS_AS(core::GaussTransform(up, up, std::nan("")), core::InputError);
  CHECK_THROWS_AS(core::GaussTransform(up * 1e9, up, 1e9), core::InputError);
  CHECK_THROWS_AS(core::GaussTransform(up, up, 1).at(down), core::InputError);
  CHECK_THROWS_AS(core::GaussTransform(up, up, 1).at(VectorD::Constant(1, std::nan(""))),
                  core::InputError);
}

TEST_CASE("predictions are those of the naive functions, for every kernel and bandwidth" *
          doctest::test_suite("long")) {
  for (const VectorD& keys : {uniform(2500, 0, 5, 4), crowded(), uniform(3, 0, 5, 5)}) {
    const VectorD values = 10 + noise(keys.size(), 6).array();
    const VectorD queries = uniform(120, -1, 6, 8);
    for (const PoolingKernel kernel : kKernels) {
      for (const double h : {1e-6, 0.003, 0.05, 0.4, 1.0, 30.0, 1e6}) {
        CAPTURE(static_cast<int>(kernel));
        CAPTURE(h);
        const auto naive = core::nadaraya_watson(queries, keys, values, kernel, h);
        const auto fast = core::smoothed(queries, keys, values, kernel, h);
        CHECK(largest(fast.prediction - naive.prediction) < 1e-10);
        CHECK(fast.empty == naive.empty);
      }
    }
  }
}

TEST_CASE("leaving each out is the naive function without it") {
  for (const VectorD& keys : {uniform(400, 0, 5, 9), crowded()}) {
    const VectorD values = noise(keys.size(), 10);
    for (const PoolingKernel kernel : kKernels) {
      for (const double h : {0.002, 0.3, 5.0}) {
        CAPTURE(static_cast<int>(kernel));
        CAPTURE(h);
        const auto fast = core::smoothed_left_out(keys, values, kernel, h);
        for (Index i = 0; i < keys.size(); i += 7) {
          const auto naive = core::nadaraya_watson(keys.segment(i, 1), others(keys, i),
                                                   others(values, i), kernel, h);
          CHECK(fast.prediction(i) == doctest::Approx(naive.prediction(0)).epsilon(1e-10));
          CHECK(fast.empty[static_cast<std::size_t>(i)] == naive.empty[0]);
        }
      }
    }
  }
}

TEST_CASE("loss and gradient are those of the naive function, alike for any number of threads" *
          doctest::test_suite("long")) {
  for (const VectorD& x : {uniform(2500, 0, 5, 11), crowded()}) {
    const VectorD y = 2 * x.array().sin() + noise(x.size(), 12).array();
    for (const double w : {0.0, 1e-5, 0.3, -4.0, 60.0, 5e4, 1e200}) {
      CAPTURE(w);
      const auto fast = core::parametric_loss_sorted(x, y, w, 1);
      if (w < 1e100) {  // beyond, the naive function squares to infinity
        const auto naive = core::parametric_loss(x, y, w);
        CHECK(fast.loss == doctest::Approx(naive.loss).epsilon(1e-10));
        // The gradient is a difference of large sums: as exact as these are.
        CHECK(std::abs(fast.gradient - naive.gradient) <=
              1e-8 * (std::abs(naive.gradient) + naive.loss * std::min(1.0, std::abs(w))));
      }
      CHECK(std::isfinite(fast.loss));
      CHECK(std::isfinite(fast.gradient));
      const auto threaded = core::parametric_loss_sorted(x, y, w, 4);
      CHECK(threaded.loss == fast.loss);
      CHECK(threaded.gradient == fast.gradient);
    }
  }
  const VectorD x = uniform(50, 0, 5, 13), y = noise(50, 14);
  const auto step = core::parametric_step_sorted(x, y, 0.4, 0.01);
  CHECK(step.w == 0.4 - 0.01 * step.gradient);
}

TEST_CASE("a hundred thousand points: the slope is the loss's own" * doctest::test_suite("long")) {
  const VectorD x = uniform(100'000, 0, 5, 15),
                y = 2 * x.array().sin() + noise(100'000, 16).array();
  constexpr double kStep = 1e-4;
  for (const double w : {0.5, 4.0, 2000.0}) {
    const auto at = core::parametric_loss_sorted(x, y, w);
    const double slope = (core::parametric_loss_sorted(x, y, w * (1 + kStep)).loss -
                          core::parametric_loss_sorted(x, y, w * (1 - kStep)).loss) /
                         (2 * kStep * w);
    // A central difference is good to the square of its step.
    CHECK(at.gradient == doctest::Approx(slope).epsilon(1e-5));
  }
}

TEST_CASE("one row: weights, prediction and neighbours are those of the whole matrix") {
  const VectorD keys = crowded(), values = noise(keys.size(), 17);
  const VectorD queries = uniform(40, -1, 6, 18);
  for (const PoolingKernel kernel : kKernels) {
    for (const double h : {1e-200, 0.01, 0.7, 1e6}) {
      CAPTURE(static_cast<int>(kernel));
      CAPTURE(h);
      // 1 / h^2 of the smallest is no number: there the naive function cannot be asked.
      const auto naive = core::nadaraya_watson(queries, keys, values, kernel, std::max(h, 1e-100));
      for (Index i = 0; i < queries.size(); ++i) {
        const core::PoolingRow row(queries(i), keys, values, kernel, h);
        VectorD weights(keys.size());
        for (Index j = 0; j < keys.size(); ++j) weights(j) = row.weight(keys(j));
        CHECK(largest(weights - naive.weights.row(i).transpose()) < 1e-12);
        CHECK(row.prediction() == doctest::Approx(naive.prediction(i)).epsilon(1e-11));
        CHECK(row.empty() == naive.empty[static_cast<std::size_t>(i)]);
        CHECK(row.largest() == doctest::Approx(weights.maxCoeff()));
        if (!row.empty()) {
          CHECK(row.neighbors() == doctest::Approx(1 / weights.squaredNorm()));
        }
        CHECK(weights.head(row.begin()).sum() + weights.tail(keys.size() - row.end()).sum() <
              1e-15);
      }
    }
  }
  // All alike: the mean.
  const core::PoolingRow all(1e9, keys, values, PoolingKernel::gaussian,
                             std::numeric_limits<double>::infinity());
  CHECK(all.prediction() == doctest::Approx(core::average_pooling(values)).epsilon(1e-12));
  CHECK(all.neighbors() == doctest::Approx(static_cast<double>(keys.size())));
  CHECK(all.weight(keys(0)) == 1.0 / static_cast<double>(keys.size()));
}

TEST_CASE("sorted pooling refuses nonsense and stops when it is cancelled") {
  const VectorD up = uniform(5, 0, 1, 1), down = -up;
  CHECK_THROWS_WITH_AS(core::smoothed(up, down, up),
                       "smoothed: expected keys in rising order, got others", core::InputError);
  CHECK_THROWS_AS(core::smoothed(down, up, up), core::InputError);
  CHECK_THROWS_AS(core::smoothed(up, VectorD(), VectorD()), core::InputError);
  CHECK_THROWS_AS(core::smoothed(up, up, up.head(4)), core::InputError);
  for (const double h : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(core::smoothed(up, up, up, PoolingKernel::boxcar, h), core::InputError);
  }
  CHECK_THROWS_AS(core::smoothed_left_out(up.head(1), up.head(1)), core::InputError);
  CHECK_THROWS_AS(core::parametric_loss_sorted(up, up, std::nan("")), core::InputError);
  CHECK_THROWS_AS(core::PoolingRow(std::nan(""), up, up, PoolingKernel::boxcar, 1),
                  core::InputError);
  CHECK_THROWS_AS(core::PoolingRow(0, up, up, PoolingKernel::gaussian, 0), core::InputError);
  CHECK_THROWS_AS(
      core::PoolingRow(0, up, up, PoolingKernel::boxcar, std::numeric_limits<double>::infinity()),
      core::InputError);
  CHECK(core::smoothed(VectorD(), up, up).prediction.size() == 0);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      core::smoothed(up, up, up, PoolingKernel::boxcar, 1, 0, core::Cancel(stop.get_token())),
      core::Cancelled);
}

}  // namespace pooling_sorted_test
