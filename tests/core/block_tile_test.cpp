#include "core/block_tile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace block_tile_test {

using core::Block;
using core::Index;
using core::Matrix;
using core::MatrixD;
using core::Pool;
using core::Region;
using core::SquareTile;

float cell(Index i, Index j) { return 3 * std::sin(float(j - i) + 0.3f); }

MatrixD block(const Block& b) {
  return MatrixD::NullaryExpr(b.rows, b.cols,
                              [&](Index i, Index j) { return double(cell(b.i0 + i, b.j0 + j)); });
}

// One pooled cell, from every cell that it stands for.
float pooled(Index row, Index col, const SquareTile& tile) {
  double sum = 0, count = 0;
  float largest = 0;
  for (Index i = row << tile.level; i < std::min(tile.n, (row + 1) << tile.level); ++i) {
    for (Index j = col << tile.level; j < std::min(tile.n, (col + 1) << tile.level); ++j) {
      if (tile.causal && j > i) continue;
      const float value = cell(i, j);
      sum += double(value);
      ++count;
      if (std::abs(value) > std::abs(largest)) largest = value;
    }
  }
  if (count == 0) return core::kMasked;
  return tile.pool == Pool::max ? largest : float(sum / count);
}

TEST_CASE("Tiles of computed and of Toeplitz matrices are what their cells say") {
  const Index n = 77;
  core::Vector values(2 * n - 1);
  for (Index r = 1 - n; r < n; ++r) values(r + n - 1) = cell(0, r);
  for (const bool causal : {false, true}) {
    for (const Pool pool : {Pool::max, Pool::mean}) {
      for (const int level : {0, 1, 3, 6, 7}) {
        const Index all = core::ceil_div(n, Index{1} << level);
        const SquareTile tile{
            n, causal, level, {all / 3, all / 4, all - all / 3, all - all / 4}, pool};
        const Matrix by_block = core::block_tile(block, tile);
        const Matrix by_distance = core::toeplitz_tile(values, tile);
        for (Index r = 0; r < tile.region.rows; ++r) {
          for (Index c = 0; c < tile.region.cols; ++c) {
            const float want = pooled(tile.region.row + r, tile.region.col + c, tile);
            REQUIRE(core::is_masked(by_block(r, c)) == core::is_masked(want));
            REQUIRE(core::is_masked(by_distance(r, c)) == core::is_masked(want));
            if (core::is_masked(want)) continue;
            // Means of up to 77 x 77 numbers of size 3, added in another order.
            CHECK(std::abs(by_block(r, c) - want) < 1e-5f);
            CHECK(std::abs(by_distance(r, c) - want) < 1e-5f);
          }
        }
      }
    }
  }
}

TEST_CASE("The same tile for any number of threads; one NaN makes a cell NaN") {
  const SquareTile tile{300, true, 1, {0, 0, 150, 150}, Pool::mean};
  CHECK(core::block_tile(block, tile, 1).cwiseEqual(core::block_tile(block, tile, 3)).count() ==
        150 * 151 / 2);  // masked cells are NaN, and equal to nothing
  core::Vector values = core::Vector::Ones(7);
  values(6) = std::numeric_limits<float>::quiet_NaN();  // of the last column in the first row
  const Matrix quarter = core::toeplitz_tile(values, {4, false, 1, {0, 0, 2, 2}});
  CHECK(std::isnan(quarter(0, 1)));
  CHECK_FALSE(core::is_masked(quarter(0, 1)));
  CHECK(quarter(1, 0) == 1);
}

TEST_CASE("Tiles refuse nonsense and stop when cancelled") {
  const core::Vector values = core::Vector::Ones(7);
  CHECK_THROWS_AS(core::toeplitz_tile(values, {5, false, 0, {0, 0, 5, 5}}), core::InputError);
  CHECK_THROWS_AS(core::toeplitz_tile(values, {4, false, 31, {0, 0, 1, 1}}), core::InputError);
  CHECK_THROWS_AS(core::toeplitz_tile(values, {4, false, 1, {0, 1, 2, 2}}), core::InputError);
  CHECK_THROWS_AS(core::block_tile(block, {4, false, -1, {0, 0, 2, 2}}), core::InputError);
  CHECK_THROWS_AS(core::block_tile(block, {4, false, 0, {-1, 0, 2, 2}}), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  const core::Cancel cancel(stop.get_token());
  CHECK_THROWS_AS(core::block_tile(block, {4, false, 0, {0, 0, 4, 4}}, 1, cancel), core::Cancelled);
  CHECK_THROWS_AS(core::toeplitz_tile(values, {4, false, 0, {0, 0, 4, 4}}, cancel),
                  core::Cancelled);
}

}  // namespace block_tile_test
