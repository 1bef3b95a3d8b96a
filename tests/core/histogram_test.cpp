#include "core/histogram.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "refusal.h"

namespace histogram_test {

using core::histogram, core::MatrixD;

TEST_CASE("numbers fall into bins of one width, the largest into the last") {
  const MatrixD numbers = (MatrixD(2, 4) << 0, 1, 1, 2, 2.5, 3.9, 4, HUGE_VAL).finished();
  const core::Histogram all = histogram(numbers, 4);
  CHECK(all.lo == 0);
  CHECK(all.step == 1);
  CHECK(all.hi == 4);
  CHECK(all.counts == std::vector<double>{1, 2, 2, 2});
  CHECK(all.size == 7);
  CHECK(all.mean == doctest::Approx(14.4 / 7).epsilon(1e-14));
  CHECK(all.deviation ==
        doctest::Approx(std::sqrt((0 + 1 + 1 + 4 + 6.25 + 15.21 + 16) / 7 - 14.4 * 14.4 / 49))
            .epsilon(1e-13));
}

TEST_CASE("numbers that are all the same stand in the middle") {
  const core::Histogram all = histogram(MatrixD::Constant(3, 2, 7), 5);
  CHECK(all.lo == 6.5);
  CHECK(all.hi == doctest::Approx(7.5).epsilon(1e-15));
  CHECK(all.counts == std::vector<double>{0, 0, 6, 0, 0});
  CHECK(all.mean == 7);
  CHECK(all.deviation == 0);
}

TEST_CASE("no bin, and no finite number, are refused") {
  CHECK(refusals::sentence([] { histogram(MatrixD::Ones(1, 1), 0); }).find("one bin") !=
        std::string::npos);
  const MatrixD none = MatrixD::Constant(2, 2, std::numeric_limits<double>::quiet_NaN());
  CHECK(refusals::sentence([&] { histogram(none, 3); }).find("finite") != std::string::npos);
  CHECK_FALSE(refusals::sentence([] { histogram(MatrixD(), 3); }).empty());
}

}  // namespace histogram_test
