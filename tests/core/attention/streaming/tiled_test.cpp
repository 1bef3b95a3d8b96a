#include "core/attention/streaming/tiled.h"

#include <doctest/doctest.h>

#include "core/attention/attention.h"
#include "core/random.h"

namespace tiled_test {

using namespace core;

namespace {

constexpr TileOrder kOrders[] = {TileOrder::keys_outside, TileOrder::queries_outside};

MatrixD random_rows(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  return MatrixD::NullaryExpr(rows, cols, [&] { return 2 * random.gaussian(); });
}

}  // namespace

TEST_SUITE_BEGIN("tiled attention");

TEST_CASE("block sizes of algorithm 1") {
  // An A100's 192 KB of float16 are 98,304 numbers: with d = 64, ceil(M / 4d) = 384 keys, but no
  // more than 64 queries.
  CHECK(flash_tiles(98304, 64) == TileSizes{64, 384});
  CHECK(flash_tiles(100, 8) == TileSizes{4, 4});
  CHECK(flash_tiles(1, 8) == TileSizes{1, 1});
  CHECK_THROWS_AS(flash_tiles(0, 8), InputError);
}

TEST_CASE("tiles give what the whole matrix gives, in either order") {
  const MatrixD Q = random_rows(13, 4, 1), K = random_rows(11, 4, 2), V = random_rows(11, 4, 3);
  for (const TileOrder order : kOrders) {
    for (const bool causal : {false, true}) {
      for (const TileSizes& sizes : {TileSizes{1, 1}, {3, 5}, {5, 3}, {20, 20}}) {
        const TiledAttention tiled = tiled_attention(Q, K, V, {sizes, order, causal});
        AttentionOptionsOf<double> options;
        if (causal) options.mask = Mask::causal(13, 11);
        CHECK(tiled.output.isApprox(attend<double>(Q, K, V, options).output, 1e-12));
      }
    }
  }
}

TEST_CASE("traffic by hand: 4 queries and keys of width 2, tiles of 2 by 2") {
  // Plainly: Q, K, V are 24 numbers, the output 8, and scores and weights 16 each, written and
  // read.
  CHECK(plain_traffic(4, 4, 2) == Traffic{24 + 32, 32 + 8});
  CHECK(least_traffic(4, 4, 2) == Traffic{24, 8});
  // Keys outside: K and V once (16); for each of 2 blocks of keys Q and O (16), sums and maxima
  // (8). Written: O, sums and maxima (16) to begin with, and for each block of keys.
  const TileForm first{{2, 2}, TileOrder::keys_outside};
  CHECK(tiled_traffic(4, 4, 2, first) == Traffic{16 + 2 * 24, 3 * 16});
  // Queries outside: Q once (8), K and V for each of 2 blocks of queries (32); O and a number a
  // row.
  const TileForm second{{2, 2}, TileOrder::queries_outside};
  CHECK(tiled_traffic(4, 4, 2, second) == Traffic{8 + 32, 12});
  // Causal: of four tiles the upper right one is left out.
  CHECK(tiled_traffic(4, 4, 2, {{2, 2}, TileOrder::queries_outside, true}) == Traffic{8 + 24, 12});
}

TEST_CASE("what is counted on the way is the closed form, and grows as theorem 2 says") {
  const MatrixD Q = random_rows(13, 4, 1), K = random_rows(9, 4, 2), V = random_rows(9, 4, 3);
  for (const TileOrder order : kOrders) {
    for (const bool causal : {false, true}) {
      const TileForm form{{4, 2}, order, causal};
      const TiledAttention tiled = tiled_attention(Q, K, V, form);
      CHECK(tiled.traffic == tiled_traffic(13, 9, 4, form));
      CHECK(tiled.steps.back().so_far.read == tiled.traffic.read);
      for (std::size_t k = 1; k < tiled.steps.size(); ++k) {
        CHECK(tiled.steps[k].so_far.read > tiled.steps[k - 1].so_far.read);
      }
    }
  }
  // n^2 d^2 / M: half the memory, twice the traffic, where blocks are many.
  const auto moved = [](Index memory) {
    return static_cast<double>(tiled_traffic(8192, 8192, 64, {flash_tiles(memory, 64)}).total());
  };
  CHECK(moved(16384) / moved(32768) == doctest::Approx(2).epsilon(0.05));
  CHECK(moved(32768) < 0.4 * static_cast<double>(plain_traffic(8192, 8192, 64).total()));
}

TEST_CASE("a query that sees no key has the output 0") {
  const MatrixD Q = random_rows(4, 2, 1), K = random_rows(2, 2, 2), V = random_rows(2, 2, 3);
  const TiledAttention tiled = tiled_attention(Q, K, V, {{2, 1}, TileOrder::keys_outside, true});
  CHECK(tiled.output.topRows(2).isZero(0));
  CHECK(tiled.output.row(2) == V.row(0));
}

TEST_CASE("what does not fit is refused") {
  const MatrixD two = MatrixD::Zero(2, 2);
  CHECK_THROWS_AS(tiled_attention(two, two, MatrixD::Zero(2, 3), {}), InputError);
  CHECK_THROWS_AS(tiled_attention(two, two, two, {{0, 1}}), InputError);
  CHECK_THROWS_AS(plain_traffic(0, 1, 1), InputError);
}

TEST_SUITE_END();

}  // namespace tiled_test
