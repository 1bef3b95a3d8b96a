#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/position/rotary.h"
#include "core/position/sinusoidal.h"
#include "core/random.h"

using core::Index;
using core::Matrix;
using core::MatrixD;

namespace {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  core::Random random(seed);
  return Matrix::NullaryExpr(rows, cols, [&] { return static_cast<float>(random.gaussian()); });
}

}  // namespace

TEST_CASE("Sinusoidal encoding: by hand, d = 4, base 100") {
  const MatrixD table = core::sinusoidal_table(3, 4, 100);
  CHECK(table(0, 0) == 0);
  CHECK(table(0, 1) == 1);
  CHECK(table(2, 0) == std::sin(2.0));
  CHECK(table(2, 2) == doctest::Approx(std::sin(0.2)).epsilon(1e-15));  // 2 / 100^(2/4)
  CHECK(table(2, 3) == doctest::Approx(std::cos(0.2)).epsilon(1e-15));
}

TEST_CASE("Sinusoidal encoding: products depend on distance only, and first shifts the table") {
  const MatrixD table = core::sinusoidal_table(50, 16);
  for (Index p = 0; p + 7 < 50; ++p) {
    // Sixteen terms of at most 1, each within an ulp or two of double.
    CHECK(std::abs(table.row(p).dot(table.row(p + 7)) - table.row(0).dot(table.row(7))) < 1e-14);
  }
  CHECK(core::sinusoidal_table(5, 16, 10000, 12) == table.middleRows(12, 5));
  CHECK(core::sinusoidal_table(4, 1)(3, 0) == std::sin(3.0));  // an odd width ends with a sine
}

TEST_CASE("Rotary embedding: a quarter turn by hand") {
  core::RotaryTable table{Matrix(1, 1), Matrix(1, 1)};
  table.cos << 0;
  table.sin << 1;
  Matrix x(1, 3);
  x << 2, 3, 5;
  Matrix expected(1, 3);
  expected << -3, 2, 5;  // the odd last entry stays
  CHECK(core::rotated(x, table) == expected);
}

TEST_CASE("Rotary embedding keeps lengths, and position 0 changes nothing") {
  const Matrix x = random_matrix(40, 9, 1);
  const Matrix y = core::rotated(x, core::rotary_table(40, 9));
  CHECK(y.row(0) == x.row(0));
  CHECK(y.col(8) == x.col(8));
  for (Index p = 0; p < 40; ++p) {
    // Nine products, each rounded to float: a few units of 2^-24 relative.
    CHECK(y.row(p).norm() == doctest::Approx(x.row(p).norm()).epsilon(1e-6));
  }
}

TEST_CASE("Rotary embedding: scores depend on the distance of query and key only") {
  const Matrix q = random_matrix(1, 8, 2), k = random_matrix(1, 8, 3);
  const auto score = [&](Index query_at, Index key_at) {
    const Matrix rq = core::rotated(q, core::rotary_table(1, 8, 10000, query_at));
    const Matrix rk = core::rotated(k, core::rotary_table(1, 8, 10000, key_at));
    return rq.row(0).dot(rk.row(0));
  };
  // Eight float products of size about 1: their roundings add up to less than 1e-5.
  CHECK(std::abs(score(9, 4) - score(105, 100)) < 1e-5f);
  CHECK(std::abs(score(9, 4) - score(5009, 5004)) < 1e-5f);
  CHECK(std::abs(score(9, 4) - score(9, 5)) > 1e-3f);
}

TEST_CASE("Positions refuse nonsense in a sentence") {
  CHECK_THROWS_AS(core::sinusoidal_table(-1, 4), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table(3, 0), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table(3, 4, 0), core::InputError);
  CHECK_THROWS_AS(core::rotary_table(3, 4, std::numeric_limits<double>::quiet_NaN()),
                  core::InputError);
  CHECK_THROWS_WITH_AS(core::rotated(Matrix(2, 4), core::rotary_table(3, 4)),
                       "expected a rotary table of 2 positions and 2 pairs, got 3 and 2",
                       core::InputError);
}
