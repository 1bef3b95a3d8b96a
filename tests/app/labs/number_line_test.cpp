#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "app/labs/number_line/model.h"
#include "app/labs/number_line/page.h"
#include "trying.h"

namespace number_line_test {

using namespace lab::number_line;  // NOLINT: the box under test
using namespace lab::trying;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("number_line", id); }

// The boxes of the stored bits that can be clicked, from the sign down.
std::vector<figure::Boxes::Box> bits(const lab::Page& page) {
  std::vector<figure::Boxes::Box> found;
  for (const auto& box : mark_of<figure::Boxes>(plot_of(page, "bits")).boxes) {
    if (!box.pick.empty()) found.push_back(box);
  }
  return found;
}

// Equal as numbers, NaN to NaN, zeros by their sign.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("one tenth in bfloat16, by hand") {
  Made m;
  const Model model = m.model();
  // 0.1 = 1.6 2^-4; 0.6 of 128 is 76.8, so 77 of them: 205 steps of 2^-11.
  CHECK(model.stored.value == 205 * 0x1p-11);
  CHECK(*model.stored.code == 0x3dcd);
  CHECK(model.below == 204 * 0x1p-11);
  CHECK(model.above == 205 * 0x1p-11);
  CHECK(model.spacing == 0x1p-11);
  CHECK(model.share == doctest::Approx(0.8).epsilon(1e-12));
  CHECK(model.basin->first == 204.5 * 0x1p-11);
  CHECK(model.basin->second == 205.5 * 0x1p-11);
  const lab::Page page = m.page();
  CHECK(says(page, "x / spacing= 204.8"));
  CHECK(says(page, "0.8000 + 0.2000 = 1 spacing"));
}

TEST_CASE("each bit toggles itself, whatever the format, NaN, infinity and -0 included") {
  for (const char* format : {"float32", "tf32", "bfloat16", "float16", "e5m2", "e4m3fn"}) {
    CAPTURE(format);
    Made m = made({{"format", format}, {"x", "1.5"}});
    const int count = core::bit_count(m.model().format);
    REQUIRE(bits(m.page()).size() == static_cast<std::size_t>(count));
    // From every code that two toggles away from some can be: a walk with all kinds on its way.
    std::vector<core::Code> starts{0, 1};
    const core::Format f = m.model().format;
    const core::Code top = ((core::Code{1} << f.exponent_bits) - 1) << f.mantissa_bits;
    starts.insert(starts.end(), {top, top | 1, top - 1, top >> 1, (top << 1) & ~top});
    for (const core::Code start : starts) {
      const core::Code code = start & ((core::Code{1} << count) - 1);
      m.set(assignments_of(f, code));
      REQUIRE(*m.model().stored.code == code);
      const auto boxes = bits(m.page());
      for (int k = 0; k < count; ++k) {
        Made toggled = m;
        toggled.set(boxes[static_cast<std::size_t>(k)].pick);
        const core::Code wanted = code ^ (core::Code{1} << (count - 1 - k));
        CHECK(*toggled.model().stored.code == wanted);
        CHECK(same(toggled.model().stored.value, core::number_of(f, wanted)));
      }
    }
  }
}

TEST_CASE("every code of the formats of eight bits can be shown, under every rounding") {
  for (const char* format : {"e5m2", "e4m3fn"}) {
    for (const char* rounding : {"nearest_even", "upward", "stochastic"}) {
      Made m = made({{"format", format}, {"rounding", rounding}, {"overflow", "saturate"}});
      for (core::Code code = 0; code < 256; ++code) {
        m.set(assignments_of(m.model().format, code));
        CHECK(*m.model().stored.code == code);
      }
    }
  }
}

TEST_CASE("what is said to round to the stored number does, and what lies outside does not") {
  for (const char* rounding :
       {"nearest_even", "nearest_away", "toward_zero", "upward", "downward"}) {
    for (const char* x : {"0.1", "-0.1", "1", "-1", "257", "0", "3e-40", "-256.7", "1e38"}) {
      CAPTURE(rounding);
      CAPTURE(x);
      Made m = made({{"rounding", rounding}, {"x", x}});
      const Model model = m.model();
      REQUIRE(model.basin);
      const auto [lo, hi] = *model.basin;
      CHECK(model.x >= lo);
      CHECK(model.x <= hi);
      const double width = hi - lo;
      for (const double inside : {lo + width / 64, lo + width / 2, hi - width / 64}) {
        CHECK(core::round_to(model.format, inside, m.p.rounding.rounding) == model.stored.value);
      }
      for (const double outside : {lo - width / 64, hi + width / 64}) {
        CHECK(core::round_to(model.format, outside, m.p.rounding.rounding) != model.stored.value);
      }
    }
  }
}

TEST_CASE("the presets show what they say") {
  CHECK(preset("integer").model().stored.value == 256);
  CHECK(preset("integer").model().share == 0.5);
  const Model one = preset("doubling").model();
  CHECK(one.basin->second - 1 == 2 * (1 - one.basin->first));
  CHECK(preset("overflow").model().stored.value == kInfinity);
  Made below = preset("overflow");
  below.set({{"x", "65519.9"}});
  CHECK(below.model().stored.value == 65504);
  Made eight = preset("no_infinity");
  CHECK(eight.model().stored.value == 448);
  eight.set({{"x", "464.01"}});
  CHECK(std::isnan(eight.model().stored.value));
  CHECK(core::max_finite(core::ieee_format(4, 3)) == 240);
  CHECK(preset("subnormal").model().stored.number_class == core::NumberClass::subnormal);
  CHECK(says(preset("nan").page(), "one of 254 bit patterns"));
  Made last_bit = preset("nan");
  last_bit.set(bits(last_bit.page())[9].pick);  // the topmost mantissa bit, the only one set
  CHECK(last_bit.model().stored.value == kInfinity);
  CHECK(*preset("minus_zero").model().stored.code == 0x8000);
  const Model seventy = preset("range").model();
  CHECK(seventy.stored.value == 70144);
  CHECK(seventy.others[3].stored.value == kInfinity);  // float16
  CHECK(std::isnan(seventy.others[5].stored.value));   // e4m3fn
  const Model four = preset("four_bits").model();
  CHECK(four.window.numbers ==
        std::vector<double>{-6, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 6});
  CHECK(core::round_to(four.format, 100) == 6);
}

TEST_CASE("stochastic rounding takes the upper neighbour as often as its share says") {
  Made m = preset("chance");
  CHECK(m.model().share == 0.25);
  int up = 0;
  for (int seed = 0; seed < 2000; ++seed) {
    m.p.rounding.seed = seed;
    const double stored = m.model().stored.value;
    CHECK((stored == 256 || stored == 258));
    up += stored == 258;
  }
  CHECK(std::abs(up - 500) < 5 * std::sqrt(2000 * 0.25 * 0.75));
}

TEST_CASE("the line shows every number it says, and follows x only when it must") {
  Made m = made({{"format", "e4m3fn"}, {"middle", "0"}, {"shown", "524288"}, {"x", "3"}});
  Model model = m.model();
  CHECK(model.window.count == 253);  // 254 finite codes, zeros counted once
  CHECK(model.window.numbers.size() == 253);
  CHECK_FALSE(model.window.on_x);
  m.set({{"format", "float16"}, {"middle", "1"}, {"shown", "65536"}});
  model = m.model();
  CHECK(model.window.count > kMostPoints);
  CHECK(model.window.numbers.size() <= static_cast<std::size_t>(kMostPoints));
  for (const double number : model.window.numbers) {
    CHECK(core::round_to(model.format, number) == number);
  }
  m.set({{"x", "1e5"}});
  CHECK(m.model().window.on_x);
  const auto& handle = mark_of<figure::Handle>(plot_of(m.page(), "line"));
  CHECK(handle.x_param == "x");
  CHECK(handle.x == 1e5);
}

TEST_CASE("the red ground begins where numbers no longer fit") {
  Made m = preset("overflow");
  m.p.x = 65504;
  const auto begins = [&] {
    const lab::Page page = m.page();
    for (const figure::Mark& mark : plot_of(page, "line").marks) {
      const auto* band = std::get_if<figure::Band>(&mark);
      if (band && band->color.role == figure::Role::bad) return band->x.front();
    }
    return kInfinity;
  };
  CHECK(begins() == 65520);  // half a step beyond float16's largest
  m.p.rounding.rounding = core::Rounding::toward_zero;
  CHECK(begins() == 65504);
}

TEST_CASE("infinity and NaN in formats without them") {
  Made m = made({{"format", "e4m3fn"}, {"special", "infinity"}});
  CHECK(std::isnan(m.model().stored.value));
  m.set({{"format", "custom"}, {"specials", "none"}});
  CHECK(m.model().stored.value == core::max_finite(m.model().format));
  m.set({{"special", "not_a_number"}});
  CHECK_FALSE(m.model().stored.code);
  CHECK_FALSE(m.page().notes.empty());
  // Its bits can be clicked all the same.
  m.set(bits(m.page())[0].pick);
  CHECK(same(m.model().stored.value, -0.0));
}

TEST_CASE("the bits add up to the value in the explanation") {
  for (const char* x : {"0.1", "-1.7e-39", "3.14159", "1"}) {
    Made m = made({{"x", x}, {"explain", "bits"}, {"format", "float32"}});
    const Model model = m.model();
    const core::Fields f = core::fields_of(model.format, *model.stored.code);
    double sum = 0;
    for (const auto& line : m.page().explanation.lines) {
      // Terms are "+ 0.5  2^-1".
      if (line.right.size() == 3 && line.left.empty()) sum += std::stod(line.right[1].text);
    }
    const bool normal = model.stored.number_class == core::NumberClass::normal;
    const int exponent = normal ? static_cast<int>(f.exponent) - 127 : -126;
    CHECK(std::ldexp(f.negative ? -sum : sum, exponent) == model.stored.value);
    CHECK(says(m.page(), "= " + lab::number_words(model.stored.value)));
  }
}

TEST_CASE("Preset: no format holds one tenth, and two are off by the same") {
  const Model model = preset("tenth").model();
  std::map<std::string, double> stored;
  for (const auto& other : model.others) {
    CHECK(other.stored.value != 0.1);
    stored[other.id] = other.stored.value;
  }
  for (const auto& [a, value] : stored) {
    for (const auto& [b, other] : stored) {
      if (a < b) CHECK((value == other) == (a == "float16" && b == "tf32"));
    }
  }
}

TEST_CASE("the share of spacing and number lies in a band of a factor of two") {
  const Model model = Made().model();
  for (const auto& curve : *model.curves) {
    REQUIRE(curve.least.size() == curve.x.size());
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      const double share = curve.spacing[k] / curve.x[k];
      CHECK(share >= curve.least[k]);
      CHECK(share <= curve.most[k]);
      CHECK((curve.most[k] == 2 * curve.least[k] || curve.most[k] == curve.least[k]));
    }
  }
}

}  // namespace number_line_test
