#include "core/position/learned/complex_order.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/position/sinusoidal/sinusoidal.h"
#include "position/draw.h"

namespace complex_order_test {

using core::ComplexOrderTable;
using core::Index;
using core::MatrixC;
using core::MatrixD;
using core::VectorD;

TEST_CASE("Complex-order embedding: a quarter period by hand") {
  const ComplexOrderTable table{MatrixD::Constant(1, 1, 2),
                                core::frequency_of_period(MatrixD::Constant(1, 1, 8)),
                                MatrixD::Zero(1, 1)};
  VectorD positions(2);
  positions << 0, 2;
  const MatrixC f = core::complex_order_embedding(table, {0, 0}, positions);
  CHECK(f(0, 0) == std::complex<double>(2, 0));
  CHECK(std::abs(f(1, 0) - std::complex<double>(0, 2)) < 1e-15);
}

TEST_CASE("A shift multiplies by a factor that depends on the offset only, and lengths stay") {
  const ComplexOrderTable table{draw::matrix(3, 4, 1), draw::matrix(3, 4, 2),
                                draw::matrix(3, 4, 3)};
  const std::vector<Index> ids = {2, 0, 1};
  for (const double p : {0.0, 5.0, 400.0}) {
    const MatrixC here = core::complex_order_embedding(table, ids, VectorD::Constant(3, p));
    const MatrixC there = core::complex_order_embedding(table, ids, VectorD::Constant(3, p + 3));
    const MatrixC rotated = here.cwiseProduct(core::complex_order_offset(table, ids, 3));
    CHECK((there - rotated).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((there.cwiseAbs() - here.cwiseAbs()).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("The sinusoidal table is a special case") {
  const VectorD theta = core::frequencies(6);
  const ComplexOrderTable table{MatrixD::Ones(1, 3), theta.transpose(), MatrixD::Zero(1, 3)};
  const MatrixC f = core::complex_order_embedding(table, {0, 0, 0}, VectorD::LinSpaced(3, 0, 2));
  CHECK(core::interleaved_parts(f) == core::sinusoidal_table(3, 6));
}

TEST_CASE("Complex-order embedding refuses nonsense in a sentence") {
  const MatrixD one = MatrixD::Ones(2, 2);
  const ComplexOrderTable table{one, one, one};
  CHECK_THROWS_AS(core::complex_order_embedding(table, {2}, VectorD::Zero(1)), core::InputError);
  CHECK_THROWS_AS(core::complex_order_embedding(table, {0}, VectorD::Zero(2)), core::InputError);
  CHECK_THROWS_AS(core::complex_order_offset({one, MatrixD::Ones(1, 2), one}, {0}, 1),
                  core::InputError);
  CHECK_THROWS_AS(core::frequency_of_period(MatrixD::Zero(1, 1)), core::InputError);
}

}  // namespace complex_order_test
