#include "core/position/rotary/rotary_angle_tile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/position/frequency.h"

namespace rotary_angle_tile_test {

using core::AngleQuantity;
using core::Index;
using core::Matrix;
using core::Pool;
using core::RotaryAngles;
using core::RotaryAngleTile;
using core::VectorD;

namespace {

RotaryAngles angles_of(Index d, double base, double trained) {
  const VectorD theta = core::frequencies(d, base);
  return {theta, core::turns_within(theta, trained)};
}

// Every cell by itself, in the plainest way.
float by_hand(const RotaryAngles& angles, const RotaryAngleTile& tile, Index row, Index col) {
  const Index high = Index{1} << tile.row_level, wide = Index{1} << tile.col_level;
  double sum = 0, largest = 0, count = 0;
  for (Index p = row * high; p < std::min(tile.n, (row + 1) * high); ++p) {
    for (Index i = col * wide; i < std::min(angles.theta.size(), (col + 1) * wide); ++i) {
      const double value = core::rotary_angle_value(angles, tile.quantity, p, i);
      sum += value;
      if (std::abs(value) > std::abs(largest)) largest = value;
      ++count;
    }
  }
  return static_cast<float>(tile.pool == Pool::max ? largest : sum / count);
}

}  // namespace

TEST_CASE("Angles by hand: a quarter turn a position") {
  const RotaryAngles angles{VectorD::Constant(1, std::numbers::pi / 2), VectorD::Constant(1, 0.6)};
  const auto at = [&](AngleQuantity quantity, Index p) {
    return core::rotary_angle_value(angles, quantity, p, 0);
  };
  for (const Index p : {0, 4, 400}) {
    CHECK(at(AngleQuantity::cosine, p) == doctest::Approx(1));
    CHECK(at(AngleQuantity::unseen, p) == 0);
  }
  CHECK(at(AngleQuantity::turns, 5) == doctest::Approx(0.25));
  CHECK(at(AngleQuantity::turns, 7) == doctest::Approx(0.75));
  CHECK(at(AngleQuantity::unseen, 2) == 0);  // half a turn of the 0.6 that were seen
  CHECK(at(AngleQuantity::unseen, 3) == 1);
  CHECK(at(AngleQuantity::unseen, 6) == 0);  // one turn and a half: where a half was
}

TEST_CASE("A pair that finished a turn in training has seen every angle") {
  CHECK_FALSE(core::angle_unseen(1000.9, 1));
  CHECK(core::angle_unseen(1000.9, 0.5));
  CHECK_FALSE(core::angle_unseen(0.5, 0.5));
  CHECK(core::angle_unseen(0.51, 0.5));
}

TEST_CASE("Turns within a window: the window over the wavelength") {
  const VectorD theta = core::frequencies(8);
  const VectorD turns = core::turns_within(theta, 4096);
  const VectorD waves = core::wavelengths(theta);
  for (Index i = 0; i < 4; ++i) CHECK(turns(i) == doctest::Approx(4096 / waves(i)));
}

TEST_CASE("Tiles are what their cells say, at every level, cut at the edges") {
  const RotaryAngles angles = angles_of(14, 500, 40);
  for (const AngleQuantity quantity :
       {AngleQuantity::cosine, AngleQuantity::turns, AngleQuantity::unseen}) {
    for (const Pool pool : {Pool::max, Pool::mean}) {
      for (const auto& [row_level, col_level] :
           {std::pair{0, 0}, std::pair{3, 0}, std::pair{0, 1}, std::pair{11, 2}}) {
        RotaryAngleTile tile{3001, row_level, col_level, {}, pool, quantity};
        const Index rows = (3001 + (1 << row_level) - 1) >> row_level;
        const Index cols = (7 + (1 << col_level) - 1) >> col_level;
        tile.region = {rows / 3, 0, rows - rows / 3, cols};
        const Matrix cells = core::rotary_angle_tile(angles, tile, 2);
        float worst = 0;
        for (Index r = 0; r < cells.rows(); ++r) {
          for (Index c = 0; c < cells.cols(); ++c) {
            const float want = by_hand(angles, tile, rows / 3 + r, c);
            REQUIRE(std::isfinite(cells(r, c)));
            worst = std::max(worst, std::abs(cells(r, c) - want));
          }
        }
        CHECK(worst < 2e-7f);  // rounded to float once
      }
    }
  }
}

TEST_CASE("Angle tiles refuse nonsense and stop when cancelled") {
  const RotaryAngles angles = angles_of(8, 1e4, 16);
  CHECK_THROWS_AS(core::rotary_angle_tile(angles, {8, 0, 0, {0, 0, 9, 4}}), core::InputError);
  CHECK_THROWS_AS(core::rotary_angle_tile(angles, {8, 0, 0, {0, 1, 8, 4}}), core::InputError);
  CHECK_THROWS_AS(core::rotary_angle_tile(angles, {8, 31, 0, {0, 0, 1, 4}}), core::InputError);
  CHECK_THROWS_AS(core::rotary_angle_tile({angles.theta, VectorD(1)}, {8, 0, 0, {0, 0, 1, 1}}),
                  core::InputError);
  CHECK_THROWS_AS(core::rotary_angle_value(angles, AngleQuantity::turns, 0, 4), core::InputError);
  CHECK_THROWS_AS(core::rotary_angle_value(angles, AngleQuantity::turns, -1, 0), core::InputError);
  CHECK_THROWS_AS(core::turns_within(angles.theta, -1), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      core::rotary_angle_tile(angles, {8, 0, 0, {0, 0, 8, 4}}, 1, core::Cancel(stop.get_token())),
      core::Cancelled);
}

}  // namespace rotary_angle_tile_test
