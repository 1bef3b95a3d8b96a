#include "core/position/learned/learned.h"

#include <doctest/doctest.h>

#include "position/draw.h"

namespace learned_test {

using core::BeyondTable;
using core::Index;
using core::MatrixD;

TEST_CASE("A learned table: rows inside, and what a position beyond it gets") {
  const MatrixD table = draw::matrix(4, 3, 1);
  CHECK(core::learned_positions(table, {2, 0}).row(0) == table.row(2));
  const auto beyond = [&](BeyondTable how) {
    return MatrixD(core::learned_positions(table, {6}, how));
  };
  CHECK(beyond(BeyondTable::zeros) == MatrixD::Zero(1, 3));
  CHECK(beyond(BeyondTable::last) == MatrixD(table.row(3)));
  CHECK(beyond(BeyondTable::wrap) == MatrixD(table.row(2)));
  CHECK_THROWS_WITH_AS(core::learned_positions(table, {4}),
                       "learned_positions: expected positions from 0 to 3, got 4",
                       core::InputError);
  CHECK_THROWS_AS(core::learned_positions(table, {-1}, BeyondTable::wrap), core::InputError);
  CHECK_THROWS_AS(core::learned_positions(MatrixD(0, 3), {}), core::InputError);
}

TEST_CASE("Adding embeddings is one linear map of concatenated one-hots") {
  const MatrixD tokens = draw::matrix(5, 3, 2), positions = draw::matrix(4, 3, 3);
  const std::vector<Index> ids = {3, 1, 0, 3}, places = {0, 1, 2, 3};
  const MatrixD joined = core::embed_by_concatenation(tokens, ids, positions, places);
  for (Index k = 0; k < 4; ++k) {
    CHECK((joined.row(k) - tokens.row(ids[static_cast<size_t>(k)]) - positions.row(k))
              .cwiseAbs()
              .maxCoeff() == 0);
  }
  CHECK_THROWS_AS(core::embed_by_concatenation(tokens, ids, positions, {0}), core::InputError);
  CHECK_THROWS_AS(core::embed_by_concatenation(tokens, ids, draw::matrix(4, 2, 1), places),
                  core::InputError);
  CHECK_THROWS_AS(core::one_hot({5}, 5), core::InputError);
  CHECK_THROWS_AS(core::one_hot({0}, -1), core::InputError);
}

}  // namespace learned_test
