#include "core/position/learned/fitted_shift.h"

#include <doctest/doctest.h>

#include "core/position/sinusoidal/sinusoidal_shift.h"
#include "position/draw.h"

namespace fitted_shift_test {

using core::Index;
using core::MatrixD;

TEST_CASE("One column that doubles: the map is 2 a step") {
  const MatrixD P{{1}, {2}, {4}, {8}};
  CHECK(core::fit_shift(P, 1).map(0, 0) == doctest::Approx(2).epsilon(1e-14));
  CHECK(core::fit_shift(P, -1).map(0, 0) == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(core::fit_shift(P, 2).pairs == 2);
  CHECK(core::fit_shift(P, 1).rms < 1e-14);
}

TEST_CASE("Of a sinusoidal table it is the rotation that the addition theorem gives") {
  const core::SinusoidalOptions options{.base = 30};
  const MatrixD P = core::sinusoidal_table(200, 8, options);
  for (const Index k : {0, 3, -7}) {
    const auto fit = core::fit_shift(P, k);
    const MatrixD expected = core::sinusoidal_shift(static_cast<double>(k), 8, options);
    // The table's condition number is about 10.
    CHECK((fit.map - expected).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(fit.rms < 1e-13);
    CHECK_FALSE(fit.exact);
  }
}

TEST_CASE("Random rows have no such map once they outnumber the columns") {
  const MatrixD P = draw::matrix(100, 6, 4);
  const auto fit = core::fit_shift(P, 1);
  CHECK(fit.rms > 0.5);
  const auto few = core::fit_shift(MatrixD(P.topRows(5)), 1);
  CHECK(few.exact);
  CHECK(few.rms < 1e-12);
  CHECK_THROWS_AS(core::fit_shift(P, 100), core::InputError);
}

}  // namespace fitted_shift_test
