// Thresholds that are met on paper are met in doubles.
#include "core/at_least.h"

#include <doctest/doctest.h>

namespace at_least_test {

TEST_CASE("a sum of decimals reaches the decimal that it equals on paper") {
  CHECK_FALSE(0.7 + 0.1 >= 0.8);
  CHECK(core::at_least(0.7 + 0.1, 0.8, 2));
  CHECK(core::at_least(0.8, 0.7 + 0.1, 2));
  double tenths = 0;
  for (int k = 0; k < 10; ++k) tenths += 0.1;
  CHECK_FALSE(tenths >= 1);
  CHECK(core::at_least(tenths, 1, 10));
}

TEST_CASE("what is smaller by more than the rounding is smaller") {
  CHECK_FALSE(core::at_least(0.8 - 1e-12, 0.8, 4));
  CHECK_FALSE(core::at_least(0.5, 0.75, 1000));
  CHECK(core::at_least(0, 0, 5));
  CHECK_FALSE(core::at_least(0, 1e-300, 5));
  // Of float32 numbers: 0.7f + 0.1f against 0.8 of their sum with 0.2f.
  const double sum = static_cast<double>(0.7F) + static_cast<double>(0.1F);
  constexpr double kFloat = std::numeric_limits<float>::epsilon();
  CHECK(core::at_least(sum, 0.8 + 1e-8, 3, kFloat));
  CHECK_FALSE(core::at_least(sum, 0.8 + 1e-5, 3, kFloat));
}

}  // namespace at_least_test
