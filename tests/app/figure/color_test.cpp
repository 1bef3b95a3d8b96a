#include "app/figure/color.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "app/figure/oklab.h"
#include "app/figure/theme.h"
#include "core/types.h"

namespace color_test {

using namespace figure;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

float before(float v) { return std::nextafter(v, -kInf); }

ValueColors colors_of(MapName map, Transform transform, float lo, float hi) {
  return ValueColors({map, transform, lo, hi, 1e-2f}, theme(ThemeName::dark));
}

}  // namespace

TEST_CASE("edges are the first floats of their bins, under every transform") {
  const auto check = [](const ValueColors& c) {
    CHECK(c.edges()[0] == c.scale().lo);
    for (int k = 0; k < kMapSize; ++k) {
      const float edge = c.edges()[static_cast<std::size_t>(k)];
      CHECK(c.bin(edge) == k);
      CHECK(c.bin(before(edge)) == (k == 0 ? ValueColors::kBelow : k - 1));
      // The definition, in double: the share of the way from lo to hi, times 256, rounded down.
      CHECK(c.position(edge) >= k / 256.0);
      if (k > 0) CHECK(c.position(before(edge)) < k / 256.0);
    }
    CHECK(c.bin(c.scale().hi) == 255);
    CHECK(c.bin(std::nextafter(c.scale().hi, kInf)) == ValueColors::kAbove);
  };
  check(colors_of(MapName::viridis, Transform::linear, 0, 1));
  check(colors_of(MapName::diverging, Transform::linear, -34.5f, 34.5f));
  check(colors_of(MapName::magma, Transform::log, 1e-8f, 1));
  check(colors_of(MapName::diverging, Transform::symlog, -100, 100));
  check(colors_of(MapName::gray, Transform::linear, -3e38f, 3e38f));
}

TEST_CASE("a bin is the last whose edge its value reaches, for any float on any scale") {
  const auto check = [](const ValueColors& c) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> within(c.scale().lo, c.scale().hi);
    int wrong = 0;
    for (int k = 0; k < 20000; ++k) {
      const float value = k % 2 == 0 ? static_cast<float>(within(random))
                                     : std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      int want = ValueColors::kNan;
      if (value < c.scale().lo) want = ValueColors::kBelow;
      if (value > c.scale().hi) want = ValueColors::kAbove;
      if (value >= c.scale().lo && value <= c.scale().hi) {
        const auto next = std::upper_bound(c.edges().begin(), c.edges().end(), value);
        want = static_cast<int>(next - c.edges().begin()) - 1;
      }
      wrong += c.bin(value) != want;
    }
    CHECK(wrong == 0);
  };
  check(colors_of(MapName::viridis, Transform::linear, 0, 1));
  check(colors_of(MapName::viridis, Transform::linear, 0, 0));
  check(colors_of(MapName::viridis, Transform::linear, 0, 3e-45f));  // four floats
  check(colors_of(MapName::viridis, Transform::linear, -3.4e38f, 3.4e38f));
  check(colors_of(MapName::viridis, Transform::linear, -5, -1));
  check(colors_of(MapName::magma, Transform::log, 1e-42f, 3e38f));  // from a denormal
  check(colors_of(MapName::magma, Transform::log, 0.5f, 0.6f));
  check(colors_of(MapName::diverging, Transform::symlog, -100, 100));
  check(colors_of(MapName::diverging, Transform::symlog, -3e38f, 3e38f));
}

TEST_CASE("bins by hand: 0 to 1 linearly is v times 256") {
  const ValueColors c = colors_of(MapName::viridis, Transform::linear, 0, 1);
  CHECK(c.bin(0.0f) == 0);
  CHECK(c.bin(-0.0f) == 0);
  CHECK(c.bin(0.5f) == 128);
  CHECK(c.bin(0.999f) == 255);
  CHECK(c.color(0) == Rgba{68, 1, 84, 255});
  CHECK(c.position(0.25) == 0.25);
  CHECK(c.position(2) == 2);
}

TEST_CASE("groups have the colours of heads, which begin again after the twelfth") {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
    const Theme& t = theme(name);
    const ValueColors c({MapName::groups, Transform::linear, 0, 256}, t);
    for (int k = 0; k < 256; ++k) {
      CHECK(c.bin(static_cast<float>(k)) == k);
      CHECK(c.color(static_cast<float>(k)) == t.head(k % 12));
    }
    CHECK(c.bin(-1) == ValueColors::kBelow);
    CHECK(c.bin(257) == ValueColors::kAbove);
    CHECK(c.bin(core::kMasked) == ValueColors::kMaskedBin);
  }
}

TEST_CASE("bins never fall as values rise") {
  for (const Transform t : {Transform::linear, Transform::symlog}) {
    const ValueColors c = colors_of(MapName::diverging, t, -7, 7);
    int last = 0;
    for (int k = 0; k <= 20000; ++k) {
      const int bin = c.bin(std::min(7.0f, -7 + static_cast<float>(k) * 14 / 20000));
      CHECK_MESSAGE(bin >= last, "step " << k);
      last = bin;
    }
    CHECK(last == 255);
  }
}

TEST_CASE("what has no colour on the scale has a bin of its own") {
  const ValueColors c = colors_of(MapName::viridis, Transform::log, 0.01f, 1);
  CHECK(c.bin(core::kMasked) == ValueColors::kMaskedBin);
  CHECK(c.bin(kNaN) == ValueColors::kNan);
  CHECK(c.bin(-kNaN) == ValueColors::kNan);
  CHECK(c.bin(kInf) == ValueColors::kAbove);
  CHECK(c.bin(-kInf) == ValueColors::kBelow);
  CHECK(c.bin(0) == ValueColors::kBelow);
  CHECK(c.bin(-1) == ValueColors::kBelow);
  CHECK(c.color(-1) != c.color(0.01f));
  CHECK(c.color(2) != c.color(1));
  CHECK(c.color(kNaN) == theme(ThemeName::dark).nan);
  CHECK(c.color(core::kMasked) == theme(ThemeName::dark).masked);
}

TEST_CASE("a scale of one value puts it in the middle; a scale that is none is refused") {
  const ValueColors one = colors_of(MapName::viridis, Transform::linear, 3, 3);
  CHECK(one.bin(3) == 128);
  CHECK(one.position(3) == 0.5);
  CHECK(one.bin(before(3)) == ValueColors::kBelow);
  CHECK(one.bin(3.0001f) == ValueColors::kAbove);
  const float two = std::nextafter(3.0f, kInf);
  const ValueColors narrow = colors_of(MapName::viridis, Transform::linear, 3, two);
  CHECK(narrow.bin(3) == 0);
  CHECK(narrow.bin(two) == 255);

  CHECK_THROWS_AS(colors_of(MapName::gray, Transform::linear, 0, kInf), core::InputError);
  CHECK_THROWS_AS(colors_of(MapName::gray, Transform::linear, kNaN, 1), core::InputError);
  CHECK_THROWS_AS(colors_of(MapName::gray, Transform::linear, 1, 0), core::InputError);
  CHECK_THROWS_AS(colors_of(MapName::gray, Transform::log, 0, 1), core::InputError);
}

TEST_CASE("the diverging map runs from the negative through the neutral to the positive colour") {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
    const Theme& t = theme(name);
    const MapColors& map = map_colors(MapName::diverging, t);
    const auto distance = [](Rgba a, Rgba b) {
      const Oklab p = to_oklab(to_linear(a)), q = to_oklab(to_linear(b));
      return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
    };
    CHECK(distance(map.front(), t.negative) < 0.01);
    CHECK(distance(map[127], t.neutral) < 0.01);
    CHECK(distance(map[128], t.neutral) < 0.01);
    CHECK(distance(map.back(), t.positive) < 0.01);
  }
}

TEST_CASE("OKLab and back is the same colour") {
  for (const Rgba c : {Rgba{0, 0, 0, 255}, Rgba{255, 255, 255, 255}, Rgba{1, 128, 254, 255}}) {
    CHECK(from_linear(from_oklab(to_oklab(to_linear(c)))) == c);
    CHECK(mix(c, {9, 9, 9, 255}, 0) == c);
    CHECK(mix({9, 9, 9, 255}, c, 1) == c);
  }
}

}  // namespace color_test
