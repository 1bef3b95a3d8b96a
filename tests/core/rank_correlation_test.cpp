// Ranks and their correlation: worked by hand, and laws.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/rank_correlation.h"
#include "core/types.h"

namespace rank_correlation_test {

TEST_CASE("equal numbers share the mean of their ranks") {
  CHECK(core::ranks({30, 10, 20}) == std::vector<double>{3, 1, 2});
  CHECK(core::ranks({5, 1, 5, 5, 0}) == std::vector<double>{4, 2, 4, 4, 1});
  CHECK(core::ranks({}).empty());
}

TEST_CASE("the correlation of ranks: by hand, with ties, and blind to scale") {
  const std::vector<double> a{1, 2, 3, 4, 5};
  CHECK(core::rank_correlation(a, {2, 4, 8, 16, 32}) == doctest::Approx(1));
  CHECK(core::rank_correlation(a, {5, 4, 3, 2, 1}) == doctest::Approx(-1));
  // Without ties 1 - 6 sum d^2 / (n (n^2 - 1)): differences -1, 1, -1, 1, 0.
  CHECK(core::rank_correlation(a, {2, 1, 4, 3, 5}) == doctest::Approx(1 - 6.0 * 4 / (5 * 24)));
  // Ranks 1.5 1.5 3 and 1 2 3: 1.5 / sqrt(1.5 * 2).
  CHECK(core::rank_correlation({1, 1, 2}, {1, 2, 3}) == doctest::Approx(1.5 / std::sqrt(3.0)));
  CHECK_FALSE(core::rank_correlation({1, 1, 1}, {1, 2, 3}));
  CHECK_FALSE(core::rank_correlation({1}, {1}));
  CHECK_THROWS_AS(core::rank_correlation({1, 2}, {1}), core::InputError);
  CHECK_THROWS_AS(core::rank_correlation({1, std::nan("")}, {1, 2}), core::InputError);
}

}  // namespace rank_correlation_test
