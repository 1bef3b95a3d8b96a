#include "core/position/frequency.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace frequency_test {

using core::FrequencyRule;
using core::VectorD;

TEST_CASE("Frequencies: by hand, d = 8, base 10000") {
  const VectorD theta = core::frequencies(8, 10000);
  REQUIRE(theta.size() == 4);
  CHECK(theta(0) == 1);
  CHECK(theta(1) == doctest::Approx(0.1).epsilon(1e-15));
  CHECK(theta(3) == doctest::Approx(0.001).epsilon(1e-15));
  const VectorD t2t = core::frequencies(8, 10000, FrequencyRule::tensor2tensor);
  CHECK(t2t(0) == 1);
  CHECK(t2t(3) == doctest::Approx(1e-4).epsilon(1e-15));
  CHECK(core::frequencies(2, 10000, FrequencyRule::tensor2tensor)(0) == 1);
}

TEST_CASE("Wavelengths rise geometrically from 2 pi, and end below base * 2 pi") {
  const VectorD lambda = core::wavelengths(core::frequencies(128, 10000));
  CHECK(lambda(0) == 2 * std::numbers::pi);
  for (core::Index i = 1; i < lambda.size(); ++i) {
    CHECK(lambda(i) / lambda(i - 1) == doctest::Approx(std::pow(1e4, 2.0 / 128)).epsilon(1e-13));
  }
  CHECK(lambda(63) < 1e4 * 2 * std::numbers::pi);
}

TEST_CASE("Frequencies refuse nonsense in a sentence") {
  CHECK_THROWS_WITH_AS(core::frequencies(7),
                       "frequencies: expected an even width of at least 2, got 7",
                       core::InputError);
  CHECK_THROWS_AS(core::frequencies(0), core::InputError);
  CHECK_THROWS_AS(core::frequencies(-2), core::InputError);
  CHECK_THROWS_WITH_AS(core::frequencies(8, 0), "frequencies: expected a finite base > 0, got 0",
                       core::InputError);
  CHECK_THROWS_AS(core::frequencies(8, -1), core::InputError);
  CHECK_THROWS_AS(core::frequencies(8, std::numeric_limits<double>::quiet_NaN()), core::InputError);
  CHECK_THROWS_AS(core::frequencies(8, std::numeric_limits<double>::infinity()), core::InputError);
  CHECK_THROWS_AS(core::wavelengths(VectorD::Zero(2)), core::InputError);
}

}  // namespace frequency_test
