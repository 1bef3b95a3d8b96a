#include "core/position/learned/smooth_rows.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random_matrix.h"

namespace smooth_rows_test {

using core::Index;
using core::MatrixD;
using core::SmoothRows;

TEST_CASE("Rows keep their place when a table grows, and have the size asked for") {
  const MatrixD small = core::smooth_sides(2, 2, 5, {3, 101, 1.5, 2});
  const MatrixD large = core::smooth_sides(30, 30, 5, {3, 101, 1.5, 2});
  CHECK(small == large.middleRows(28, 5));
  CHECK(core::smooth_rows(4, 5, {3, 101, 1.5, 2}) == large.middleRows(30, 4));
  const MatrixD many = core::smooth_rows(20000, 4, {3, 102, 1.5, 0});
  CHECK(many.squaredNorm() / 80000 == doctest::Approx(2.25).epsilon(0.03));
  CHECK(core::smooth_rows(9, 2, {3, 102, 0, 2}).isZero());
  CHECK(small != core::smooth_sides(2, 2, 5, {4, 101, 1.5, 2}));
  CHECK(small != core::smooth_sides(2, 2, 5, {3, 102, 1.5, 2}));
}

TEST_CASE("Neighbours are correlated by exp(-1 / smooth), and no more with 0") {
  for (const double smooth : {0.0, 1.0, 4.0}) {
    const MatrixD rows = core::smooth_rows(20000, 4, {3, 102, 1, smooth});
    const double together =
        rows.topRows(19999).cwiseProduct(rows.bottomRows(19999)).sum() / (4 * 19999.0);
    const double wanted = smooth > 0 ? std::exp(-1 / smooth) : 0;
    CHECK(std::abs(together - wanted) < 0.03);
    CHECK(rows.squaredNorm() / 80000 == doctest::Approx(1).epsilon(0.1));  // stationary
  }
}

TEST_CASE("Smooth rows refuse nonsense") {
  CHECK_THROWS_AS(core::smooth_rows(-1, 2, {}), core::InputError);
  CHECK_THROWS_AS(core::smooth_rows(2, 2, {.smooth = -1}), core::InputError);
  CHECK_THROWS_AS(core::smooth_sides(-1, 2, 2, {}), core::InputError);
}

TEST_CASE("A random matrix is drawn row after row") {
  core::Random one(7), other(7);
  const MatrixD drawn = core::gaussian_matrix(3, 2, 0.5, one);
  for (Index k = 0; k < 6; ++k) CHECK(drawn(k / 2, k % 2) == 0.5 * other.gaussian());
}

}  // namespace smooth_rows_test
