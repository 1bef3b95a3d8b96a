#include "core/attention/kernels/kernels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/attention/fast/isa.h"
#include "core/types.h"

namespace fast_kernels_test {

namespace {

// The distance of `got` from the true value, in units of the float's last place there.
double ulps(float got, double expected) {
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::abs(static_cast<double>(got) - expected) / std::ldexp(1.0, exponent - 24);
}

}  // namespace

TEST_CASE("exp is within 2 ulp wherever its result is a normal number") {
  std::vector<float> x;
  for (int i = 0; i <= 2'000'000; ++i) {
    x.push_back(static_cast<float>(-87.336 + i * (87.336 + 88.0) / 2'000'000));
  }
  for (float tiny = 1; tiny > 1e-38F; tiny /= 3) {
    x.push_back(tiny);
    x.push_back(-tiny);
  }
  std::vector<float> y(x.size());
  for (const core::Isa isa : core::available_isas()) {
    const core::kernels::Table& table = core::kernels_for(isa);
    table.exponentials(x.data(), static_cast<core::Index>(x.size()), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, ulps(y[i], std::exp(static_cast<double>(x[i]))));
    }
    MESSAGE(std::string(table.name), ": ", worst, " ulp at most");
    CHECK(worst < 2);
  }
}

TEST_CASE("exp of -inf and below ln(2^-126) is exactly 0, of 0 exactly 1, of NaN NaN") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const core::Isa isa : core::available_isas()) {
    // 19 numbers: whole vectors and a rest in every version.
    std::vector<float> x = {-infinity, -1e30F, -88.F, -87.34F, 0.F, -0.F, std::nanf("")};
    for (int i = 0; i < 12; ++i) x.push_back(x[static_cast<std::size_t>(i)]);
    core::kernels_for(isa).exponentials(x.data(), 19, x.data());
    for (const std::size_t i : {0U, 1U, 2U, 3U, 7U, 8U, 14U, 17U}) CHECK(x[i] == 0);
    for (const std::size_t i : {4U, 5U, 11U, 12U, 18U}) CHECK(x[i] == 1);
    for (const std::size_t i : {6U, 13U}) CHECK(std::isnan(x[i]));
  }
}

TEST_CASE("an instruction set that is not there is refused") {
  const std::vector<core::Isa> isas = core::available_isas();
  CHECK(isas.front() == core::Isa::baseline);
  CHECK_NOTHROW(core::kernels_for(core::Isa::best));
  if (isas.back() != core::Isa::v4) {
    CHECK_THROWS_AS(core::kernels_for(core::Isa::v4), core::InputError);
  }
}

}  // namespace fast_kernels_test
