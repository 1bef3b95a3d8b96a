#include "app/labs/shared/drawing/stairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stairs_test {

using core::Index;

TEST_CASE("A thinned curve keeps its extremes and its ends' order") {
  const auto y = [](Index x) {
    return x == 70001 ? 9.0 : x == 123456 ? -7.0 : std::cos(0.1 * double(x));
  };
  constexpr Index kMost = 2048;
  for (const bool log : {false, true}) {
    const figure::Line line =
        lab::thinned({.begin = 1, .end = 1000001, .value = {}, .height = y}, kMost, kMost / 2, log);
    CHECK(line.x.size() <= std::size_t(kMost));
    CHECK(*std::max_element(line.y.begin(), line.y.end()) == 9);
    CHECK(*std::min_element(line.y.begin(), line.y.end()) == -7);
    CHECK(std::is_sorted(line.x.begin(), line.x.end()));
    // The first thousandth has its share of a logarithmic axis, and hardly any of a linear one.
    const auto near =
        std::count_if(line.x.begin(), line.x.end(), [](double x) { return x < 1000; });
    CHECK((near > 400) == log);
  }
  const figure::Line all =
      lab::thinned({.begin = -3, .end = 4, .value = {}, .height = y}, kMost, kMost / 2);
  CHECK(all.x == std::vector<double>{-3, -2, -1, 0, 1, 2, 3});
}

}  // namespace stairs_test
