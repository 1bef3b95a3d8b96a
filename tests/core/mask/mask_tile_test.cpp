#include "core/mask/mask_tile.h"

#include <doctest/doctest.h>

#include "mask/random_mask.h"

namespace mask_tile_test {

using core::Index;
using core::MaskTileRequest;
using core::Matrix;
using core::SparseMask;

namespace {

Matrix naive(const SparseMask& mask, const MaskTileRequest& request) {
  const Index cell = Index{1} << request.level;
  Matrix tile((request.r1 - request.r0 + cell - 1) / cell,
              (request.c1 - request.c0 + cell - 1) / cell);
  for (Index r = 0; r < tile.rows(); ++r) {
    for (Index c = 0; c < tile.cols(); ++c) {
      Index kept = 0, pairs = 0;
      for (Index i = request.r0 + r * cell; i < std::min(request.r1, request.r0 + (r + 1) * cell);
           ++i) {
        for (Index j = request.c0 + c * cell; j < std::min(request.c1, request.c0 + (c + 1) * cell);
             ++j) {
          ++pairs;
          kept += mask.allowed(i, j);
        }
      }
      tile(r, c) = request.pooling == core::Pool::max
                       ? static_cast<float>(kept > 0)
                       : static_cast<float>(kept) / static_cast<float>(pairs);
    }
  }
  return tile;
}

}  // namespace

TEST_CASE("tiles of masks agree with counting every pair, to the bit") {
  std::mt19937 engine(31);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + engine() % 70;
    const SparseMask mask = random_mask::any(n, engine);
    const auto below = [&](Index size) {
      return static_cast<Index>(engine() % static_cast<unsigned>(size + 1));
    };
    MaskTileRequest request;
    request.r1 = below(n);
    request.r0 = below(request.r1);
    request.c1 = below(n);
    request.c0 = below(request.c1);
    request.level = static_cast<int>(engine() % 8);
    request.pooling = engine() % 2 == 0 ? core::Pool::mean : core::Pool::max;
    CHECK(core::mask_tile(mask, request, 1 + static_cast<int>(engine() % 2)) ==
          naive(mask, request));
  }
}

TEST_CASE("a step that divides the block is counted block by block") {
  const SparseMask mask = core::pattern::atrous(300, 4);
  for (const int level : {2, 3, 5}) {
    const MaskTileRequest request = {1, 300, 3, 290, level, core::Pool::mean};
    CHECK(core::mask_tile(mask, request) == naive(mask, request));
  }
}

TEST_CASE("the whole of 131,072 x 131,072 in 512 x 512 blocks: the shares add up to the pairs") {
  const Index n = 131072;
  for (const SparseMask& mask :
       {core::pattern::local(n, 256), core::pattern::local_and_atrous(n, 362)}) {
    const Matrix tile = core::mask_tile(mask, {0, n, 0, n, 8, core::Pool::mean});
    CHECK(tile.rows() == 512);
    // Shares are multiples of 2^-16, exact in float.
    CHECK(static_cast<Index>(tile.cast<double>().sum() * 65536) == mask.kept());
  }
}

TEST_CASE("tiles that do not fit are refused") {
  const SparseMask mask = core::pattern::full(4, 4);
  CHECK_THROWS_WITH(core::mask_tile(mask, {0, 5, 0, 4, 0, core::Pool::mean}),
                    "mask tile: expected rows within 0 to 4 and columns within 0 to 4, got 0 to 5 "
                    "and 0 to 4");
  CHECK_THROWS_AS(core::mask_tile(mask, {0, 4, 0, 4, 31, core::Pool::mean}), core::InputError);
  CHECK(core::mask_tile(mask, {2, 2, 0, 4, 0, core::Pool::mean}).rows() == 0);
}

}  // namespace mask_tile_test
