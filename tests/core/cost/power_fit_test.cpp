#include "core/cost/power_fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace power_fit_test {

TEST_CASE("a power is found back, and points on it leave no error") {
  for (const double exponent : {-1.5, 0.0, 1.0, 2.0, 2.37}) {
    std::vector<double> x, y;
    for (double n = 128; n <= 8192; n *= 2) {
      x.push_back(n);
      y.push_back(3e-9 * std::pow(n, exponent));
    }
    const auto fit = core::fit_power(x, y);
    REQUIRE(fit);
    CHECK(fit->exponent == doctest::Approx(exponent).epsilon(1e-12));
    CHECK(fit->factor == doctest::Approx(3e-9).epsilon(1e-9));
    CHECK(fit->error < 1e-10);
    CHECK(fit->at(1000) == doctest::Approx(3e-9 * std::pow(1000, exponent)).epsilon(1e-9));
  }
}

TEST_CASE("least squares by hand") {
  // ln x = 0, 1, 2 and ln y = 0, 2, 1: slope 1 / 2, residuals -1/2, 1, -1/2.
  const std::vector<double> x = {1, std::exp(1.0), std::exp(2.0)};
  const std::vector<double> y = {1, std::exp(2.0), std::exp(1.0)};
  const auto fit = core::fit_power(x, y);
  REQUIRE(fit);
  CHECK(fit->exponent == doctest::Approx(0.5));
  CHECK(fit->sxx == doctest::Approx(2));
  CHECK(fit->sxy == doctest::Approx(1));
  CHECK(fit->error == doctest::Approx(std::sqrt(1.5 / 1 / 2)));
}

TEST_CASE("what has no power is refused or has no fit") {
  const std::vector<double> one = {2}, two = {2, 2}, y = {1, 3}, zero = {0, 1};
  CHECK_FALSE(core::fit_power(one, one));
  CHECK_FALSE(core::fit_power(two, y));
  CHECK_THROWS_AS(core::fit_power(one, y), core::InputError);
  CHECK_THROWS_AS(core::fit_power(y, zero), core::InputError);
}

}  // namespace power_fit_test
