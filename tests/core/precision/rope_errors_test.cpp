#include "core/precision/rope_errors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace rope_errors_test {

using core::AngleErrors;
using core::Index;
using core::Matrix;
using core::Pool;
using core::RotaryErrorTile;
using core::RotaryRounder;
using core::RotaryRounding;
using core::RotaryStep;

namespace {

RotaryRounder rounder_of(Index d, const RotaryRounding& rounding) {
  return RotaryRounder(core::frequencies(d), rounding);
}

}  // namespace

TEST_CASE("angle errors by hand") {
  // In bfloat16 257 is 256 and 258 itself, 259 is 260.
  const RotaryRounder ids = rounder_of(4, {.carrier = core::kFloat64, .steps = {RotaryStep::id}});
  const AngleErrors fast = core::angle_errors(ids, 0, 256, 4);
  CHECK(fast.count == 4);
  CHECK(fast.max() == 1);
  CHECK(fast.sum == 2);
  CHECK(fast.mean() == 0.5);
  CHECK(core::angle_errors(ids, 1, 256, 4).max() == doctest::Approx(0.01).epsilon(1e-12));
  CHECK(core::angle_errors(ids, 260).max() == 1);
  CHECK(core::angle_errors(ids, 257).max() == 0);
  CHECK(core::angle_errors(ids, 0, 5, 0).count == 0);
  CHECK_THROWS_AS(core::angle_errors(ids, 2, 0, 1), core::InputError);
  CHECK_THROWS_AS(core::angle_errors(ids, 0, -1, 1), core::InputError);
}

TEST_CASE("hands of many positions are those of each") {
  for (const core::Format& low : {core::kBFloat16, core::kFloat16, core::kFp8E4m3, core::kTf32}) {
    for (const Index i : {0, 3, 31}) {
      const RotaryRounder rounder = rounder_of(64, {.low = low, .steps = {RotaryStep::table}});
      const Index first = 70'000, n = 700;
      std::vector<double> hands(static_cast<size_t>(n));
      rounder.angles(i, first, n, hands.data());
      rounder.hands(i, first, n, hands.data());
      double apart = 0;
      for (Index k = 0; k < n; ++k) {
        const auto position = static_cast<double>(first + k);
        const double angle = rounder.angle(position, i);
        const double hand = hands[static_cast<size_t>(k)];
        CHECK(hand == rounder.hand(angle, position, i));
        const double drawn = std::atan2(rounder.sin(position, i), rounder.cos(position, i));
        const double by_atan2 = angle + std::remainder(drawn - angle, 2 * std::numbers::pi);
        apart = std::max(apart, std::abs(hand - by_atan2));
      }
      CHECK(apart < 1e-10);  // angles are up to 70700: their last place is 1.5e-11
    }
  }
}

TEST_CASE("angles that are no numbers are counted and shown") {
  const RotaryRounder over = rounder_of(4, {.low = core::kFloat16, .steps = {RotaryStep::id}});
  const AngleErrors errors = core::angle_errors(over, 0, 65500, 50);
  CHECK(errors.infinite == 30);  // from 65520 on
  CHECK(errors.nan == 0);
  CHECK(std::isinf(errors.max()));
  CHECK(errors.largest == 15);  // 65519 became 65504
  const RotaryRounder none = rounder_of(4, {.low = core::kFp8E4m3, .steps = {RotaryStep::id}});
  CHECK(core::angle_errors(none, 0, 0, 1000).nan > 0);
  CHECK(std::isnan(core::angle_errors(none, 1000).max()));
  CHECK(std::isnan(core::angle_errors(none, 1000).mean()));
}

TEST_CASE("a hand whose cosine and sine are both rounded to 0 has no angle, and is counted") {
  // The least number above 0 is 4, and what is below 2 becomes 0.
  const core::Format coarse{.exponent_bits = 2, .mantissa_bits = 1, .bias = -2};
  const RotaryRounder none = rounder_of(4, {.low = coarse, .steps = {RotaryStep::table}});
  REQUIRE(none.cos(3, 0) == 0);
  REQUIRE(none.sin(3, 0) == 0);
  CHECK(std::isnan(none.hand_error(3, 0)));
  for (const Index n : {5, 700}) {
    const AngleErrors errors = core::angle_errors(none, 0, 0, n);
    CHECK(errors.without_hand == n);
    CHECK(errors.lost() == n);
    CHECK(errors.largest == 0);
  }
  CHECK(core::angle_errors(none, 700).without_hand == 1400);
  const RotaryRounder over = rounder_of(4, {.low = core::kFloat16, .steps = {RotaryStep::id}});
  CHECK(core::angle_errors(over, 0, 65500, 50).without_hand == 0);
}

TEST_CASE("a tile pools what single cells are, for any threads") {
  const Index n = 3000;
  for (const RotaryRounding& rounding :
       {RotaryRounding{.steps = {RotaryStep::id}},
        RotaryRounding{.steps = {RotaryStep::frequency, RotaryStep::angle}},
        RotaryRounding{.low = core::kFp8E4m3, .steps = {RotaryStep::angle}},
        RotaryRounding{.steps = {RotaryStep::id, RotaryStep::table}}}) {
    const RotaryRounder rounder = rounder_of(12, rounding);
    for (const Pool pool : {Pool::max, Pool::mean}) {
      const RotaryErrorTile tile{n, 4, 1, {100, 1, 88, 2}, pool};
      const Matrix one = core::rotary_error_tile(rounder, tile, 1);
      const Matrix three = core::rotary_error_tile(rounder, tile, 3);
      for (Index row = 0; row < 88; ++row) {
        for (Index col = 0; col < 2; ++col) {
          double largest = 0, sum = 0;
          Index count = 0;
          bool nan = false;
          for (Index p = (100 + row) * 16; p < std::min<Index>(n, (101 + row) * 16); ++p) {
            for (Index i = 2 * (col + 1); i < std::min<Index>(6, 2 * (col + 2)); ++i) {
              const double off = std::fabs(rounder.hand_error(static_cast<double>(p), i));
              nan |= std::isnan(off);
              largest = std::max(largest, off);
              sum += off;
              ++count;
            }
          }
          const float got = one(row, col);
          CHECK((got == three(row, col) || (nan && std::isnan(three(row, col)))));
          if (nan) {
            CHECK(std::isnan(got));
            continue;
          }
          const double want = pool == Pool::max ? largest : sum / static_cast<double>(count);
          CHECK(got == doctest::Approx(want).epsilon(1e-6));
        }
      }
    }
  }
  const RotaryRounder rounder = rounder_of(12, {.steps = {RotaryStep::id}});
  CHECK_THROWS_AS(core::rotary_error_tile(rounder, {10, 0, 0, {0, 0, 11, 1}, Pool::max}),
                  core::InputError);
  CHECK_THROWS_AS(core::rotary_error_tile(rounder, {10, 31, 0, {0, 0, 1, 1}, Pool::max}),
                  core::InputError);
}

}  // namespace rope_errors_test
