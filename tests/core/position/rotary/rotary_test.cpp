#include "core/position/rotary/rotary.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "position/draw.h"

namespace rotary_test {

using core::Index;
using core::Matrix;
using core::MatrixD;
using core::RotaryPairing;
using core::RotaryTableD;
using core::VectorD;

namespace {

RotaryTableD at(double position, const VectorD& theta, Index rows = 1) {
  return core::rotary_angles(VectorD::Constant(rows, position), theta);
}

constexpr RotaryPairing kPairings[] = {RotaryPairing::neighbors, RotaryPairing::halves};

}  // namespace

TEST_CASE("Rotary embedding: a quarter turn by hand, in both pairings") {
  const RotaryTableD table{MatrixD::Zero(1, 2), MatrixD::Ones(1, 2)};
  MatrixD x(1, 5), neighbors(1, 5), halves(1, 5);
  x << 2, 3, 5, 7, 11;
  neighbors << -3, 2, -7, 5, 11;  // the odd last entry stays
  halves << -5, -7, 2, 3, 11;
  CHECK(core::rotated(x, table) == neighbors);
  CHECK(core::rotated(x, table, RotaryPairing::halves) == halves);
}

TEST_CASE("Rotary embedding: scores depend on the distance of query and key only") {
  const VectorD theta = core::frequencies(8);
  const MatrixD q = draw::matrix(1, 8, 2), k = draw::matrix(1, 8, 3);
  for (const auto pairing : kPairings) {
    const auto score = [&](double m, double n) {
      return core::rotated(q, at(m, theta), pairing)
          .row(0)
          .dot(core::rotated(k, at(n, theta), pairing).row(0));
    };
    // Angles of 1e5 are rounded to 1e-11.
    CHECK(std::abs(score(9, 4) - score(105, 100)) < 1e-10);
    CHECK(std::abs(score(9, 4) - score(100005, 100000)) < 1e-10);
    CHECK(std::abs(score(0, 3) - score(97, 100)) < 1e-10);
    CHECK(std::abs(score(9, 4) - score(9, 5)) > 1e-3);
  }
}

TEST_CASE("Rotary embedding keeps lengths, position 0 changes nothing, the inverse undoes it") {
  const MatrixD x = draw::matrix(40, 10, 1);
  const RotaryTableD table =
      core::rotary_angles(VectorD::LinSpaced(40, 0, 39), core::frequencies(8));
  for (const auto pairing : kPairings) {
    const MatrixD y = core::rotated(x, table, pairing);
    CHECK(y.row(0) == x.row(0));
    CHECK(y.rightCols(2) == x.rightCols(2));  // 4 pairs of 5: partial rotation
    for (Index p = 0; p < 40; ++p) {
      CHECK(y.row(p).norm() == doctest::Approx(x.row(p).norm()).epsilon(1e-14));
    }
    CHECK((core::rotated(y, core::inverse(table), pairing) - x).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("Rotation matrices: they do what rotating does, and R_m^T R_n = R_(n-m)") {
  const VectorD theta = core::frequencies(6, 100);
  const MatrixD x = draw::matrix(1, 6, 4);
  for (const auto pairing : kPairings) {
    const MatrixD R = core::rotary_matrix(7, theta, pairing);
    CHECK((x * R.transpose() - core::rotated(x, at(7, theta), pairing)).cwiseAbs().maxCoeff() <
          1e-14);
    CHECK((core::rotary_matrix(3, theta, pairing).transpose() * R -
           core::rotary_matrix(4, theta, pairing))
              .cwiseAbs()
              .maxCoeff() < 1e-14);
  }
}

TEST_CASE("The two pairings agree after reordering the columns, and differ before") {
  const VectorD theta = core::frequencies(8);
  const MatrixD x = draw::matrix(5, 8, 5);
  const RotaryTableD table = at(11, theta, 5);
  const MatrixD direct = core::neighbors_to_halves(core::rotated(x, table));
  CHECK(core::rotated(core::neighbors_to_halves(x), table, RotaryPairing::halves) == direct);
  CHECK((core::rotated(x, table, RotaryPairing::halves) - direct).cwiseAbs().maxCoeff() > 0.1);
}

TEST_CASE("The quick table and the rotation by several threads are the simple ones") {
  const VectorD positions = VectorD::LinSpaced(900, 50, 949);
  const VectorD theta = core::frequencies(12, 500000);
  const core::RotaryTable simple = core::rounded(core::rotary_angles(positions, theta));
  const core::RotaryTable quick = core::rotary_table(900, theta, 50, 3);
  // Both are rounded from doubles that agree to 1e-13: they differ by one last place at most.
  CHECK((quick.cos - simple.cos).cwiseAbs().maxCoeff() < 6.1e-8f);
  CHECK((quick.sin - simple.sin).cwiseAbs().maxCoeff() < 6.1e-8f);
  const Matrix x = draw::matrix(900, 13, 6).cast<float>();
  for (const auto pairing : kPairings) {
    const Matrix expected = core::rotated(x, quick, pairing);
    Matrix y(900, 13), in_place = x;
    core::rotate_into(y.data(), x.data(), 900, 13, 13, quick, pairing, 4);
    CHECK(y == expected);
    core::rotate(in_place.data(), 900, 13, 13, quick, pairing, 4);
    CHECK(in_place == expected);
  }
}

TEST_CASE("Rotary embedding refuses nonsense in a sentence") {
  CHECK_THROWS_AS(core::rotary_table(3, 5), core::InputError);
  CHECK_THROWS_AS(core::rotary_table(3, 4, 0), core::InputError);
  CHECK_THROWS_AS(core::rotary_table(3, 4, std::numeric_limits<double>::quiet_NaN()),
                  core::InputError);
  CHECK_THROWS_AS(core::rotary_table(-1, 4), core::InputError);
  CHECK_THROWS_AS(core::rotary_table(1, 4, 10000, -1), core::InputError);
  CHECK(core::rotary_table(3, 0).cos.cols() == 0);
  CHECK_THROWS_WITH_AS(
      core::rotated(Matrix(2, 4), core::rotary_table(3, 4)),
      "rotated: expected a rotary table of 2 positions and at most 2 pairs, got 3 by 2 and 3 by 2",
      core::InputError);
  CHECK_THROWS_AS(core::rotated(Matrix(3, 3), core::rotary_table(3, 4)), core::InputError);
  CHECK_THROWS_AS(core::neighbors_to_halves(MatrixD::Zero(1, 3)), core::InputError);
}

}  // namespace rotary_test
