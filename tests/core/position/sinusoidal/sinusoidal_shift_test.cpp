#include "core/position/sinusoidal/sinusoidal_shift.h"

#include <doctest/doctest.h>

#include <cmath>

namespace sinusoidal_shift_test {

using core::Index;
using core::MatrixD;
using core::SinusoidalLayout;

TEST_CASE("The shift map: by hand, d = 2") {
  const MatrixD M = core::sinusoidal_shift(3, 2);
  CHECK(M(0, 0) == std::cos(3.0));
  CHECK(M(0, 1) == std::sin(3.0));
  CHECK(M(1, 0) == -std::sin(3.0));
  CHECK(M(1, 1) == std::cos(3.0));
}

TEST_CASE("M_k PE(p) = PE(p + k) for every p, in both layouts and frequency rules") {
  for (const auto layout : {SinusoidalLayout::interleaved, SinusoidalLayout::concatenated}) {
    for (const auto rule : {core::FrequencyRule::paper, core::FrequencyRule::tensor2tensor}) {
      const core::SinusoidalOptions options{.base = 1000, .layout = layout, .rule = rule};
      const MatrixD table = core::sinusoidal_table(60, 12, options);
      for (const Index k : {1, 7, -4}) {
        const MatrixD M = core::sinusoidal_shift(static_cast<double>(k), 12, options);
        for (Index p = 10; p < 50; ++p) {
          // Two products of numbers below 1: a few units of 1e-16.
          CHECK(
              (M * table.row(p).transpose() - table.row(p + k).transpose()).cwiseAbs().maxCoeff() <
              1e-14);
        }
      }
    }
  }
}

TEST_CASE("Shift maps are rotations: orthogonal, and they add") {
  const MatrixD M = core::sinusoidal_shift(5, 10);
  CHECK((M.transpose() * M - MatrixD::Identity(10, 10)).cwiseAbs().maxCoeff() < 1e-15);
  CHECK((core::sinusoidal_shift(2, 10) * core::sinusoidal_shift(3, 10) - M).cwiseAbs().maxCoeff() <
        1e-15);
  CHECK(core::sinusoidal_shift(-5, 10) == MatrixD(M.transpose()));
  CHECK_THROWS_AS(core::sinusoidal_shift(1, 5), core::InputError);
}

}  // namespace sinusoidal_shift_test
