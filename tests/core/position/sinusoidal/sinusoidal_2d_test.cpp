#include "core/position/sinusoidal/sinusoidal_2d.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/position/sinusoidal/sinusoidal.h"

namespace sinusoidal_2d_test {

using core::AxisExponent;
using core::AxisOrder;
using core::Index;
using core::MatrixD;

TEST_CASE("2-D sinusoids: each half is the 1-D encoding of one axis") {
  const Index height = 3, width = 5, d = 8;
  const MatrixD along = core::sinusoidal_table(5, d / 2);
  const MatrixD code = core::sinusoidal_2d(height, width, d);
  const MatrixD text = core::sinusoidal_2d(height, width, d, {.order = AxisOrder::height_first});
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      CHECK(code.row(y * width + x).head(d / 2) == along.row(x));
      CHECK(code.row(y * width + x).tail(d / 2) == along.row(y));
      CHECK(text.row(y * width + x).head(d / 2) == along.row(y));
      CHECK(text.row(y * width + x).tail(d / 2) == along.row(x));
    }
  }
}

TEST_CASE("2-D sinusoids: the exponent of the text stays in the upper half of the frequencies") {
  const MatrixD table = core::sinusoidal_2d(1, 2, 8, {.exponent = AxisExponent::whole_width});
  CHECK(table(1, 2) == doctest::Approx(std::sin(std::pow(1e4, -2.0 / 8))).epsilon(1e-15));
  CHECK(core::sinusoidal_2d(1, 2, 8)(1, 2) ==
        doctest::Approx(std::sin(std::pow(1e4, -2.0 / 4))).epsilon(1e-15));
}

TEST_CASE("2-D sinusoids refuse nonsense in a sentence") {
  CHECK_THROWS_WITH_AS(core::sinusoidal_2d(2, 2, 6),
                       "sinusoidal_2d: expected a width that 4 divides, at least 4, got 6",
                       core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_2d(2, 2, 0), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_2d(-1, 2, 8), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_2d(1, -2, 8), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_2d(1, 2, 8, {.base = 0}), core::InputError);
}

TEST_CASE("The shift along x moves every place, whatever the order and the exponent") {
  for (const AxisOrder order : {AxisOrder::height_first, AxisOrder::width_first}) {
    for (const AxisExponent exponent : {AxisExponent::half_width, AxisExponent::whole_width}) {
      const core::Sinusoidal2dOptions options{50, order, exponent};
      const MatrixD table = core::sinusoidal_2d(3, 7, 8, options);
      const MatrixD map = core::sinusoidal_2d_shift(2, 8, options);
      for (Index y = 0; y < 3; ++y) {
        for (Index x = 0; x < 5; ++x) {
          const auto moved = (map * table.row(7 * y + x).transpose()).transpose();
          CHECK((moved - table.row(7 * y + x + 2)).cwiseAbs().maxCoeff() < 1e-12);
        }
      }
      CHECK((map.transpose() * map).isIdentity(1e-12));
    }
  }
  // 2i/(d/2) against 2i/d, by hand: 100^(-2/4), and 100^(-2/8).
  CHECK(core::axis_frequencies(8, {.base = 100})(1) == doctest::Approx(0.1));
  CHECK(core::axis_frequencies(8, {.base = 100, .exponent = AxisExponent::whole_width})(1) ==
        doctest::Approx(std::pow(100, -0.25)));
  CHECK_THROWS_AS(core::axis_frequencies(6), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_2d_shift(1, 6), core::InputError);
}

}  // namespace sinusoidal_2d_test
