#include "app/labs/shared/rounded_sum.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/random.h"

TEST_CASE("Three thirds printed with two digits add up to one") {
  CHECK(lab::rounded_parts({1 / 3.0, 1 / 3.0, 1 / 3.0}, 2) == std::vector<long long>{34, 33, 33});
  CHECK(lab::rounded_parts({}, 3).empty());
  CHECK(lab::units_text(-42, 3) == "-0.042");
  CHECK(lab::units_text(1234, 3) == "1.234");
  CHECK(lab::units_text(-7, 0) == "-7");
}

TEST_CASE("Printed parts sum to the printed sum, and none is off by a whole unit") {
  core::Random random(4);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> values(1 + random.below(80));
    for (double& value : values) value = 3 * random.gaussian();
    const auto parts = lab::rounded_parts(values, 3);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    CHECK(std::accumulate(parts.begin(), parts.end(), 0LL) == std::llround(1000 * sum));
    for (std::size_t k = 0; k < values.size(); ++k) {
      CHECK(std::abs(static_cast<double>(parts[k]) - 1000 * values[k]) < 1 + 1e-9);
    }
  }
}
