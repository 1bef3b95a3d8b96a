#include "core/attention/pooling/sliding_pooling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/pooling/pooling_sorted.h"
#include "core/random.h"

namespace sliding_pooling_test {

using core::Index;
using core::PoolingKernel;
using core::SlidingPooling;
using core::VectorD;

namespace {

constexpr PoolingKernel kKernels[] = {PoolingKernel::boxcar, PoolingKernel::epanechnikov,
                                      PoolingKernel::triangular};

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

// Multiples of a step, many of them equal: distances of exactly one bandwidth are common.
VectorD on_a_grid(Index count, double step, std::uint64_t seed) {
  core::Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& v : values) v = step * std::floor(40 * random.uniform());
  return sorted(std::move(values));
}

VectorD noise(Index count, std::uint64_t seed) {
  core::Random random(seed);
  VectorD values(count);
  for (double& v : values) v = random.gaussian();
  return values;
}

// Key by key in long double, the weights from the plain kernel's own formula.
struct Plain {
  long double ones = 0, weighted = 0, count = 0, size = 0;
};

Plain plain(double query, const VectorD& keys, const VectorD& values, PoolingKernel kernel,
            double h, Index out) {
  Plain sums;
  for (Index j = 0; j < keys.size(); ++j) {
    const double u = (query - keys(j)) / h;
    if (j == out || !(std::abs(u) <= 1)) continue;
    const long double exact = u;
    long double weight = 0.5L;
    if (kernel == PoolingKernel::epanechnikov) weight = 0.75L * (1 - exact * exact);
    if (kernel == PoolingKernel::triangular) weight = 1 - std::abs(exact);
    sums.ones += weight;
    sums.weighted += weight * static_cast<long double>(values(j));
    sums.count += 1;
    sums.size += std::abs(static_cast<long double>(values(j)));
  }
  return sums;
}

// The largest error of a sum, in parts of what the header promises.
double worst(const VectorD& queries, const VectorD& keys, const VectorD& values,
             PoolingKernel kernel, double h, bool left_out) {
  const SlidingPooling sliding(keys, values, kernel, h, 1);
  std::vector<SlidingPooling::Sums> got(static_cast<std::size_t>(queries.size()));
  sliding.at(queries, 0, queries.size(), left_out, got.data());
  double worst = 0;
  for (Index i = 0; i < queries.size(); i += left_out ? 5 : 1) {
    const Plain want = plain(queries(i), keys, values, kernel, h, left_out ? i : -1);
    const auto& sums = got[static_cast<std::size_t>(i)];
    const auto off = [](double a, long double b, long double size) {
      if (size == 0) return a == 0 ? 0.0 : 1e300;
      return static_cast<double>(std::abs(static_cast<long double>(a) - b) / size / 1e-14L);
    };
    worst = std::max({worst, off(sums.ones, want.ones, want.count),
                      off(sums.weighted, want.weighted, want.size)});
  }
  return worst;
}

}  // namespace

TEST_CASE("sliding sums are those of the keys in reach, to the stated error" *
          doctest::test_suite("long")) {
  for (const VectorD& keys : {uniform(3000, 0, 5, 1), on_a_grid(2000, 0.125, 2),
                              VectorD(1e6 + uniform(1500, 0, 5, 3).array()), uniform(2, 0, 5, 4)}) {
    const VectorD values = 1000 + noise(keys.size(), 5).array();
    VectorD queries = uniform(300, keys(0) - 1, keys(keys.size() - 1) + 1, 6);
    for (const PoolingKernel kernel : kKernels) {
      for (const double h : {1e-7, 0.01, 0.125, 0.5, 2.0, 5.0, 1e5}) {
        CAPTURE(static_cast<int>(kernel));
        CAPTURE(h);
        CHECK(worst(queries, keys, values, kernel, h, false) <= 1);
        CHECK(worst(keys, keys, values, kernel, h, true) <= 1);
      }
    }
  }
}

TEST_CASE("values far larger, out of reach, cost no digit of those in reach") {
  const VectorD keys = uniform(4000, 0, 8, 7);
  VectorD values = noise(keys.size(), 8);
  for (Index j = 0; j < keys.size(); ++j) {
    if (keys(j) < 4) values(j) *= 1e13;
  }
  for (const PoolingKernel kernel : kKernels) {
    for (const double h : {0.05, 0.9}) {
      const VectorD queries = uniform(200, 4.95, 8, 9);
      CHECK(worst(queries, keys, values, kernel, h, false) <= 1);
    }
  }
}

TEST_CASE("queries whose keys all stand at the very end of the reach keep their digits") {
  // Two crowds exactly one bandwidth apart, and nothing else: the weights are 0 or nearly so.
  std::vector<double> crowd;
  core::Random random(10);
  for (int k = 0; k < 50; ++k) crowd.push_back(1.0);
  for (int k = 0; k < 50; ++k) crowd.push_back(1.0 + 1e-9 * random.uniform());
  const VectorD keys = sorted(crowd), values = 3 + noise(100, 11).array();
  const VectorD queries = sorted({0.0, 1e-10, 1e-6, 2e-9});
  for (const PoolingKernel kernel : kKernels) {
    const auto naive = core::nadaraya_watson(queries, keys, values, kernel, 1);
    const auto fast = core::smoothed(queries, keys, values, kernel, 1);
    CHECK(fast.empty == naive.empty);
    CHECK((fast.prediction - naive.prediction).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("sliding sums do not depend on where a run of queries begins") {
  const VectorD keys = uniform(2000, 0, 5, 12), values = noise(2000, 13);
  for (const PoolingKernel kernel : kKernels) {
    const SlidingPooling sliding(keys, values, kernel, 0.3, 2);
    std::vector<SlidingPooling::Sums> whole(2000), parts(2000);
    sliding.at(keys, 0, 2000, true, whole.data());
    for (Index i = 0; i < 2000; i += 77) {
      sliding.at(keys, i, std::min<Index>(2000, i + 77), true, parts.data());
    }
    CHECK(std::equal(whole.begin(), whole.end(), parts.begin(), [](const auto& a, const auto& b) {
      return a.ones == b.ones && a.weighted == b.weighted;
    }));
  }
}

}  // namespace sliding_pooling_test
