#include "core/position/sinusoidal/sinusoidal.h"

#include <doctest/doctest.h>

#include <cmath>

namespace sinusoidal_test {

using core::Index;
using core::Matrix;
using core::MatrixD;
using core::SinusoidalLayout;
using core::VectorD;

TEST_CASE("Sinusoidal encoding: by hand, d = 4, base 100") {
  const MatrixD table = core::sinusoidal_table(3, 4, {.base = 100});
  CHECK(table(0, 0) == 0);
  CHECK(table(0, 1) == 1);
  CHECK(table(2, 0) == std::sin(2.0));
  CHECK(table(2, 1) == std::cos(2.0));
  CHECK(table(2, 2) == doctest::Approx(std::sin(0.2)).epsilon(1e-15));  // 2 / 100^(2/4)
  CHECK(table(2, 3) == doctest::Approx(std::cos(0.2)).epsilon(1e-15));
}

TEST_CASE("Sinusoidal encoding: layouts are permutations of each other") {
  const MatrixD alternating = core::sinusoidal_table(20, 10, core::SinusoidalOptions{});
  const MatrixD apart = core::sinusoidal_table(20, 10, {.layout = SinusoidalLayout::concatenated});
  for (Index i = 0; i < 5; ++i) {
    CHECK(apart.col(i) == alternating.col(2 * i));
    CHECK(apart.col(5 + i) == alternating.col(2 * i + 1));
  }
}

TEST_CASE("Sinusoidal encoding: every row has squared norm d/2, and `first` shifts the table") {
  const MatrixD table = core::sinusoidal_table(50, 16);
  for (Index p = 0; p < 50; ++p) {
    CHECK(table.row(p).squaredNorm() == doctest::Approx(8).epsilon(1e-14));
  }
  CHECK(core::sinusoidal_table(5, 16, {}, 12) == table.middleRows(12, 5));
  CHECK(core::sinusoidal_table(0, 16).rows() == 0);
}

TEST_CASE("Sinusoidal encoding: the quick table is the table, in any layout and by any threads") {
  for (const auto layout : {SinusoidalLayout::interleaved, SinusoidalLayout::concatenated}) {
    for (const Index first : {0, 1, 31, 33, 100000}) {
      const core::SinusoidalOptions options{.base = 500, .layout = layout};
      Matrix quick, serial;
      core::sinusoidal_table_into(quick, 700, 22, options, first, 4);
      core::sinusoidal_table_into(serial, 700, 22, options, first, 1);
      CHECK(quick == serial);
      const MatrixD exact = core::sinusoidal_table(700, 22, options, first);
      // Half a unit of the last place of a float near 1 is 2^-25 = 3e-8; the angles of both sides
      // are rounded at 1e-16 times the position.
      CHECK((quick.cast<double>() - exact).cwiseAbs().maxCoeff() < 3.1e-8);
    }
  }
}

TEST_CASE("The quick table at a million positions") {
  Matrix quick;
  core::sinusoidal_table_into(quick, 70, 128, {}, 1000000);
  const MatrixD exact = core::sinusoidal_table(70, 128, {}, 1000000);
  CHECK((quick.cast<double>() - exact).cwiseAbs().maxCoeff() < 3.1e-8);
}

TEST_CASE("Angles computed in float lose digits with the position, and the quick table does not") {
  const VectorD positions = VectorD::Constant(1, 131071);
  const MatrixD exact = core::sinusoidal_rows(positions, 128);
  const Matrix single = core::sinusoidal_rows_in_float(positions, 128);
  const double error = (single.cast<double>() - exact).cwiseAbs().maxCoeff();
  // The angle is below 2^17 and has 24 bits: an error of up to 2^-8, and that of theta beside it.
  CHECK(error > 1e-3);
  CHECK(error < 2e-2);
}

TEST_CASE("Sinusoidal encoding refuses nonsense in a sentence") {
  CHECK_THROWS_AS(core::sinusoidal_table(3, 5), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table(3, 0), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table(3, 4, {.base = 0}), core::InputError);
  CHECK_THROWS_WITH_AS(core::sinusoidal_table(-1, 4),
                       "sinusoidal_table: expected a number of positions of at least 0, got -1",
                       core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table(3, 4, {}, -1), core::InputError);
  Matrix table;
  CHECK_THROWS_AS(core::sinusoidal_table_into(table, 3, 5), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table_into(table, 3, 4, {}, -1), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_table_into(table, 3, 4, {}, 0, -1), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_rows_in_float(VectorD::Zero(1), 3), core::InputError);
}

}  // namespace sinusoidal_test
