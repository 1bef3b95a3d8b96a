#include "core/position/relative/alibi_tile.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/position/relative/alibi.h"

namespace alibi_tile_test {

using core::AlibiFactorTile;
using core::Index;
using core::Pool;
using core::VectorD;

TEST_CASE("By hand: a slope of ln 2 halves a weight with every step") {
  const VectorD slopes = VectorD::Constant(1, std::log(2.0));
  const auto cells = core::alibi_factor_tile(slopes, {5, 0, 0, {0, 0, 5, 1}});
  for (Index t = 0; t < 5; ++t) CHECK(cells(t, 0) == doctest::Approx(std::ldexp(1.0, -int(t))));
  // 1, 1/2, 1/4, 1/8 and, cut, 1/16.
  const auto mean = core::alibi_factor_tile(slopes, {5, 2, 0, {0, 0, 2, 1}, Pool::mean});
  CHECK(mean(0, 0) == doctest::Approx(1.875 / 4));
  CHECK(mean(1, 0) == doctest::Approx(1.0 / 16));
}

TEST_CASE("Tiles of ALiBi factors are what their cells say") {
  const VectorD slopes = core::alibi_slopes(6);
  for (const Pool pool : {Pool::max, Pool::mean}) {
    const auto tile = core::alibi_factor_tile(slopes, {1000, 5, 1, {3, 1, 29, 2}, pool});
    for (Index r = 0; r < 29; ++r) {
      for (Index c = 0; c < 2; ++c) {
        double sum = 0, largest = 0, count = 0;
        for (Index t = (3 + r) * 32; t < std::min<Index>(1000, (4 + r) * 32); ++t) {
          for (Index h = (1 + c) * 2; h < (2 + c) * 2; ++h) {
            const double value = std::exp(-slopes(h) * double(t));
            sum += value;
            largest = std::max(largest, value);
            ++count;
          }
        }
        // Rounded to float once, from sums in another order.
        CHECK(tile(r, c) ==
              doctest::Approx(pool == Pool::max ? largest : sum / count).epsilon(2e-7));
      }
    }
  }
}

TEST_CASE("ALiBi tiles refuse nonsense and stop when cancelled") {
  const VectorD slopes = core::alibi_slopes(4);
  CHECK_THROWS_AS(core::alibi_factor_tile(VectorD(), {8, 0, 0, {0, 0, 0, 0}}), core::InputError);
  CHECK_THROWS_AS(core::alibi_factor_tile(-slopes, {8, 0, 0, {0, 0, 8, 4}}), core::InputError);
  CHECK_THROWS_AS(core::alibi_factor_tile(slopes, {8, 0, 0, {0, 0, 8, 5}}), core::InputError);
  CHECK_THROWS_AS(core::alibi_factor_tile(slopes, {8, -1, 0, {0, 0, 8, 4}}), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      core::alibi_factor_tile(slopes, {8, 0, 0, {0, 0, 8, 4}}, core::Cancel(stop.get_token())),
      core::Cancelled);
}

}  // namespace alibi_tile_test
