#include "core/position/relative/relative.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "position/draw.h"

namespace relative_test {

using core::Index;
using core::IndexMatrix;
using core::Mask;
using core::MatrixD;
using core::VectorD;

TEST_CASE("Relative positions are key minus query, and with a cache the last query is last") {
  const IndexMatrix square = core::relative_positions(3, 3);
  CHECK(square(0, 2) == 2);
  CHECK(square(2, 0) == -2);
  const IndexMatrix cached = core::relative_positions(2, 5);
  CHECK(cached(1, 4) == 0);
  CHECK(cached(0, 0) == -3);
  // Not ahead exactly where a causal mask allows.
  const Mask causal = Mask::causal(2, 5);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 5; ++j) CHECK((cached(i, j) <= 0) == causal.allowed(i, j));
  }
}

TEST_CASE("Clipped indices stay in the table and are equal along diagonals") {
  const IndexMatrix index = core::clipped_relative_index(6, 6, 2);
  CHECK(index.minCoeff() == 0);
  CHECK(index.maxCoeff() == 4);
  CHECK(index(3, 3) == 2);
  CHECK(index(0, 5) == index(0, 2));
  CHECK(index.topLeftCorner(5, 5) == index.bottomRightCorner(5, 5));
  CHECK_THROWS_AS(core::clipped_relative_index(2, 2, -1), core::InputError);
  CHECK_THROWS_AS(core::relative_positions(-1, 2), core::InputError);
}

TEST_CASE("Toeplitz matrices: by hand") {
  VectorD values(4);  // i - j = -2, -1, 0, 1
  values << 1, 2, 3, 4;
  MatrixD expected(2, 3);
  expected << 3, 2, 1, 4, 3, 2;
  CHECK(core::toeplitz(2, 3, values) == expected);
  CHECK_THROWS_AS(core::toeplitz(2, 2, values), core::InputError);
  CHECK_THROWS_AS(core::toeplitz(0, 2, VectorD(1)), core::InputError);
}

TEST_CASE("Scored attention: rows sum to 1, masked weights are 0, empty rows are 0") {
  const MatrixD scores = draw::matrix(4, 5, 1), V = draw::matrix(5, 2, 2);
  const auto all = core::attend_scored(scores, V);
  for (Index i = 0; i < 4; ++i) CHECK(all.weights.row(i).sum() == doctest::Approx(1));
  CHECK((all.output - all.weights * V).cwiseAbs().maxCoeff() == 0);
  const auto padded = core::attend_scored(scores, V, Mask::query_padding(4, 5, 3));
  CHECK(padded.weights.row(3).isZero(0));
  CHECK(padded.output.row(3).isZero(0));
  CHECK_THROWS_AS(core::attend_scored(scores, draw::matrix(4, 2, 1)), core::InputError);
  CHECK_THROWS_AS(core::attend_scored(scores, V, Mask::causal(4, 4)), core::InputError);
}

TEST_CASE("Pairs of a relative position, counted") {
  const auto near = [](Index r) { return std::abs(r) <= 1; };
  CHECK(core::count_pairs(5, false, near) == 5 + 4 + 4);
  CHECK(core::count_pairs(5, true, near) == 5 + 4);
  CHECK(core::count_pairs(5, true, [](Index) { return true; }) == 15);
  CHECK(core::count_pairs(0, false, near) == 0);
  CHECK_THROWS_AS(core::count_pairs(-1, false, near), core::InputError);
}

}  // namespace relative_test
