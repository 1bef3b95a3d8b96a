#include "core/attention/dot_statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace dot_statistics_test {

using core::Index;
using core::MatrixD;

TEST_CASE("the density of a dot product of two numbers each is Laplace's") {
  for (const double z : {0.0, 0.1, -0.5, 1.0, 3.0, -8.0}) {
    CAPTURE(z);
    CHECK(core::dot_product_density(2, z) ==
          doctest::Approx(std::exp(-std::fabs(z)) / 2).epsilon(1e-7));
  }
  // Of one number each: K_0(|z|) / pi (Abramowitz and Stegun 1964, table 9.8).
  constexpr double kK0 = 0.42102443824070834;
  CHECK(core::dot_product_density(1, 1.0) == doctest::Approx(kK0 / std::numbers::pi).epsilon(1e-7));
  // Of four: (1 + |z|) exp(-|z|) / 4.
  CHECK(core::dot_product_density(4, 1.5) ==
        doctest::Approx(2.5 * std::exp(-1.5) / 4).epsilon(1e-8));
}

TEST_CASE("every density adds up to 1, has the variance d, and nears the normal one") {
  for (const Index d : {2, 3, 8, 64, 1024}) {
    CAPTURE(d);
    const double width = static_cast<double>(d), reach = 12 * std::sqrt(width) + 20;
    double sum = 0, variance = 0;
    constexpr int kSteps = 8000;
    const double step = 2 * reach / kSteps;
    for (int k = 0; k <= kSteps; ++k) {
      const double z = -reach + step * k, p = core::dot_product_density(d, z) * step;
      sum += p;
      variance += z * z * p;
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-4));
    CHECK(variance == doctest::Approx(width).epsilon(1e-3));
  }
  CHECK(core::dot_product_density(1024, 20) ==
        doctest::Approx(core::normal_density(20, 1024)).epsilon(2e-3));
  CHECK(core::normal_density(0, 4) == doctest::Approx(0.1994711402007164).epsilon(1e-14));
}

TEST_CASE("sampled dot products have the moments that theory says, on any number of threads" *
          doctest::test_suite("long")) {
  for (const Index d : {2, 16, 256}) {
    const MatrixD scores = core::sample_dot_products(d, 2000, 8, 7, 1);
    CHECK(scores == core::sample_dot_products(d, 2000, 8, 7, 3));
    const double n = static_cast<double>(scores.size()), width = static_cast<double>(d);
    // Keys of one row share their query, so that the noise is larger than that of 16000 samples.
    CHECK(std::fabs(scores.mean()) < 5 * std::sqrt(width / n));
    CHECK(scores.squaredNorm() / n == doctest::Approx(width).epsilon(0.12));
    CHECK(scores != core::sample_dot_products(d, 2000, 8, 8, 1));
  }
  // Wider vectors begin with narrower ones: from 256 to 257 entries only one product is added.
  const MatrixD step =
      core::sample_dot_products(257, 2000, 8, 7) - core::sample_dot_products(256, 2000, 8, 7);
  CHECK(step.squaredNorm() / static_cast<double>(step.size()) == doctest::Approx(1).epsilon(0.12));
  // More keys leave the first ones.
  CHECK(core::sample_dot_products(5, 3, 9, 1).leftCols(4) == core::sample_dot_products(5, 3, 4, 1));
}

TEST_CASE("widths, counts and variances that are none are refused") {
  CHECK_THROWS_AS(core::dot_product_density(0, 1), core::InputError);
  CHECK_THROWS_AS(core::sample_dot_products(0, 1, 1, 1), core::InputError);
  CHECK_THROWS_AS(core::sample_dot_products(1, 0, 1, 1), core::InputError);
  CHECK_THROWS_AS(core::normal_density(0, 0), core::InputError);
  CHECK(std::isinf(core::dot_product_density(1, 0)));
}

}  // namespace dot_statistics_test
