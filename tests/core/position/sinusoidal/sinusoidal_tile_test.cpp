#include "core/position/sinusoidal/sinusoidal_tile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stop_token>

namespace sinusoidal_tile_test {

using core::Index;
using core::MatrixD;
using core::Pool;
using core::SinusoidalTile;

namespace {

// A pooled cell by plain loops over the whole table.
double pooled(const MatrixD& table, Index row, Index col, Index side, Pool pool) {
  double largest = 0, sum = 0, count = 0;
  for (Index i = row * side; i < std::min(table.rows(), (row + 1) * side); ++i) {
    for (Index j = col * side; j < std::min(table.cols(), (col + 1) * side); ++j) {
      if (std::abs(table(i, j)) > std::abs(largest)) largest = table(i, j);
      sum += table(i, j);
      ++count;
    }
  }
  return pool == Pool::max ? largest : sum / count;
}

}  // namespace

TEST_CASE("Sinusoidal tiles are the pooled table, at every level, in both layouts") {
  for (const auto layout :
       {core::SinusoidalLayout::interleaved, core::SinusoidalLayout::concatenated}) {
    const core::SinusoidalOptions options{.base = 300, .layout = layout};
    const MatrixD table = core::sinusoidal_table(2500, 12, options);
    for (const int level : {0, 1, 3, 11}) {
      const Index side = Index{1} << level;
      const Index rows = (2500 + side - 1) / side, cols = (12 + side - 1) / side;
      const core::Region region{rows / 3, cols / 3, rows - rows / 3, cols - cols / 3};
      for (const Pool pool : {Pool::max, Pool::mean}) {
        const core::Matrix tile =
            core::sinusoidal_tile({2500, 12, options, level, region, pool}, 2);
        REQUIRE(tile.rows() == region.rows);
        REQUIRE(tile.cols() == region.cols);
        for (Index r = 0; r < tile.rows(); ++r) {
          for (Index c = 0; c < tile.cols(); ++c) {
            const double expected = pooled(table, region.row + r, region.col + c, side, pool);
            // Magnitudes may tie within the rounding of a float; then the sign is open.
            const double got = tile(r, c);
            CHECK(std::abs(pool == Pool::max ? std::abs(got) - std::abs(expected)
                                             : got - expected) < 6e-8);
          }
        }
      }
    }
  }
}

TEST_CASE("Rows and columns can be pooled by different powers of two") {
  const MatrixD table = core::sinusoidal_table(1000, 10);
  for (const Pool pool : {Pool::max, Pool::mean}) {
    SinusoidalTile request{1000, 10, {}, 5, {3, 1, 20, 4}, pool};
    request.col_level = 1;
    const core::Matrix tile = core::sinusoidal_tile(request);
    for (Index r = 0; r < 20; ++r) {
      for (Index c = 0; c < 4; ++c) {
        const auto block = table.block(32 * (3 + r), 2 * (1 + c), 32, 2);
        const double got = static_cast<double>(tile(r, c));
        const double expected = pool == Pool::max ? block.cwiseAbs().maxCoeff() : block.mean();
        CHECK(std::abs((pool == Pool::max ? std::abs(got) : got) - expected) < 6e-8);
      }
    }
    request.col_level = 31;
    CHECK_THROWS_AS(core::sinusoidal_tile(request), core::InputError);
  }
}

TEST_CASE("A million positions: the mean of a far tile, and single cells") {
  const SinusoidalTile tile{1000000, 128, {}, 12, {200, 0, 44, 1}, Pool::mean};
  const core::Matrix far = core::sinusoidal_tile(tile);
  CHECK(far.rows() == 44);
  CHECK(far.allFinite());
  for (Index c = 0; c < 8; ++c) {
    CHECK(core::sinusoidal_value(41, c, 8) == core::sinusoidal_table(42, 8)(41, c));
  }
}

TEST_CASE("Sinusoidal tiles refuse nonsense in a sentence, and can be cancelled") {
  const auto tile = [](Index n, Index d, int level, const core::Region& region) {
    return core::sinusoidal_tile({n, d, {}, level, region, Pool::max});
  };
  CHECK_THROWS_AS(tile(4, 3, 0, {}), core::InputError);
  CHECK_THROWS_AS(tile(-4, 4, 0, {}), core::InputError);
  CHECK_THROWS_AS(tile(4, 4, -1, {}), core::InputError);
  CHECK_THROWS_AS(tile(4, 4, 31, {}), core::InputError);
  CHECK_THROWS_AS(tile(4, 4, 0, {0, 0, -1, 1}), core::InputError);
  CHECK_THROWS_WITH_AS(tile(4, 4, 1, {0, 0, 3, 1}),
                       "sinusoidal_tile: expected a region inside 2 by 2 cells, got one that ends "
                       "at 3 by 1",
                       core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_value(0, 4, 4), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_value(-1, 0, 4), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  for (const Pool pool : {Pool::max, Pool::mean}) {
    CHECK_THROWS_AS(
        core::sinusoidal_tile({4, 4, {}, 0, {0, 0, 4, 4}, pool}, 1, core::Cancel(stop.get_token())),
        core::Cancelled);
  }
}

}  // namespace sinusoidal_tile_test
