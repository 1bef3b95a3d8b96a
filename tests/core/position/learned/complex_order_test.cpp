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

TEST_CASE("Words that nothing was learned for keep their numbers and stay within their spread") {
  const VectorD theta = VectorD::LinSpaced(4, 1, 0.1);
  const core::WordSpread spread{0.3, 0.2, 0.5};
  const ComplexOrderTable few = core::spread_words(3, theta, spread, 7);
  const ComplexOrderTable many = core::spread_words(400, theta, spread, 7);
  CHECK(many.amplitude.topRows(3) == few.amplitude);
  CHECK(many.phase.topRows(3) == few.phase);
  const auto share = many.frequency.array().rowwise() / theta.transpose().array();
  CHECK((many.amplitude.array() - 1).abs().maxCoeff() <= 0.3);
  CHECK((many.amplitude.array() - 1).abs().maxCoeff() > 0.29);
  CHECK((share - 1).abs().maxCoeff() <= 0.2 + 1e-12);
  CHECK((share - 1).abs().maxCoeff() > 0.19);
  CHECK(many.phase.cwiseAbs().maxCoeff() <= 0.5 * std::numbers::pi);
  CHECK(many.phase.cwiseAbs().maxCoeff() > 0.49 * std::numbers::pi);
  CHECK_FALSE(spread.none());
  // Without a spread every word is the sinusoidal one.
  const ComplexOrderTable plain = core::spread_words(2, theta, {}, 7);
  CHECK(plain.amplitude == MatrixD::Ones(2, 4));
  CHECK(plain.frequency.row(1) == theta.transpose());
  CHECK(plain.phase.isZero());
  CHECK_THROWS_AS(core::spread_words(-1, theta, {}, 7), core::InputError);
}

}  // namespace complex_order_test
