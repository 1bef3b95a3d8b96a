#include "core/precision/binary_format.h"

#include <doctest/doctest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/types.h"

TEST_CASE("binary formats by hand") {
  using core::kBFloat16, core::kFloat16;
  CHECK(core::max_finite(core::kFloat64) == DBL_MAX);
  CHECK(core::max_finite(core::kFloat32) == static_cast<double>(FLT_MAX));
  CHECK(core::max_finite(kFloat16) == 65504);
  CHECK(core::round_to(kFloat16, 65519.9) == 65504);
  CHECK(core::round_to(kFloat16, -65520) == -std::numeric_limits<double>::infinity());
  CHECK(core::round_to(kBFloat16, 257) == 256);  // ties to even
  CHECK(core::round_to(kBFloat16, 259) == 260);
  CHECK(core::round_to(kFloat16, std::ldexp(1.0, -24)) == std::ldexp(1.0, -24));
  CHECK(core::round_to(kFloat16, std::ldexp(1.0, -25)) == 0);  // a tie between 0 and the smallest
  CHECK(std::signbit(core::round_to(kFloat16, -1e-30)));
  CHECK(std::isnan(core::round_to(kFloat16, std::numeric_limits<double>::quiet_NaN())));
  CHECK_THROWS_AS(core::max_finite({1, 10}), core::InputError);
  CHECK_THROWS_AS(core::round_to({8, 53}, 1), core::InputError);
}

TEST_CASE("rounding to float32 is what the processor does, bit for bit") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const double x = std::bit_cast<double>(random());
    // Half of the patterns near and below float's smallest numbers.
    const double near = i % 2 ? x : std::ldexp(static_cast<double>(random()), -64 - 120 - i % 40);
    const double want = static_cast<double>(static_cast<float>(near));
    const double got = core::round_to(core::kFloat32, near);
    if (std::isnan(want)) {
      CHECK(std::isnan(got));
    } else {
      CHECK(std::bit_cast<uint64_t>(got) == std::bit_cast<uint64_t>(want));
    }
    if (!std::isnan(near)) CHECK(core::round_to(core::kFloat64, near) == near);
  }
}
