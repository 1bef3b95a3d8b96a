#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "app/figure/layout.h"

namespace number_text_test {

using namespace figure;
using Ticks = std::vector<double>;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// As number_text says it, the plain way: the exponent from one text, the number from another.
std::string plainly(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  const bool fixed = exponent >= -4 && exponent < 6;
  std::string number = fixed ? fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent))
                             : text.substr(0, text.find('e'));
  if (number.find('.') != number.npos) {
    while (number.back() == '0') number.pop_back();
    if (number.back() == '.') number.pop_back();
  }
  return fixed ? number : fmt::format("{}e{}", number, exponent);
}
}  // namespace

TEST_CASE("numbers for people") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(0.1 + 0.2) == "0.3");
  CHECK(number_text(1) == "1");
  CHECK(number_text(-34.5) == "-34.5");
  CHECK(number_text(3.14159265) == "3.142");
  CHECK(number_text(3.14159265, 2) == "3.1");
  CHECK(number_text(9.996, 3) == "10");
  CHECK(number_text(8192, 2) == "8192");
  CHECK(number_text(12345.6) == "12346");
  CHECK(number_text(999999.6) == "1e6");
  CHECK(number_text(1e6) == "1e6");
  CHECK(number_text(1.5e-7) == "1.5e-7");
  CHECK(number_text(0.00025) == "0.00025");
  CHECK(number_text(-1.25e300) == "-1.25e300");
  CHECK(number_text(kNaN) == "NaN");
  CHECK(number_text(kInf) == "∞");
  CHECK(number_text(-kInf) == "-∞");
}

TEST_CASE("a number's text is the one that two plain formats give") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-10, 10);
  for (int k = 0; k < 20000; ++k) {
    const int exponent = static_cast<int>(random() % 24) - 12;
    const int digits = 1 + static_cast<int>(random() % 17);
    double value = mantissa(random) * std::pow(10.0, exponent);
    // Whole numbers and numbers of few digits stand at axes; halves and nines round over.
    if (k % 3 == 0) value = std::round(value);
    if (k % 3 == 1) value = std::round(value * 200) / 200;
    if (value == 0) continue;
    CAPTURE(value);
    CAPTURE(digits);
    REQUIRE(number_text(value, digits) == plainly(value, digits));
  }
  for (const double value :
       {9.996, 99.5, 999999.5, 999999.0, 0.00099996, 0.000099996, 1e300, 5e-324}) {
    for (int digits = 1; digits <= 17; ++digits) {
      REQUIRE(number_text(value, digits) == plainly(value, digits));
      REQUIRE(number_text(-value, digits) == plainly(-value, digits));
    }
  }
}

TEST_CASE("nice ticks") {
  CHECK(nice_ticks(0, 1, 6) == Ticks{0, 0.2, 0.4, 0.6, 0.8, 1});
  CHECK(nice_ticks(0, 1, 5) == Ticks{0, 0.5, 1});
  CHECK(nice_ticks(-0.3, 0.3, 7) == Ticks{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3});
  CHECK(nice_ticks(500, 560, 5) == Ticks{500, 520, 540, 560});
  CHECK(nice_ticks(560, 500, 5) == Ticks{500, 520, 540, 560});
  CHECK(nice_ticks(3, 3, 5) == Ticks{3});
  CHECK(nice_ticks(0, 1, 0).empty());
  CHECK(nice_ticks(kNaN, 1, 5).empty());
  CHECK(nice_ticks(0, kInf, 5).empty());
  CHECK_FALSE(std::signbit(nice_ticks(-1, 1, 3)[1]));
}

TEST_CASE("ticks lie inside, rise and are few, whatever the range") {
  const double greatest = std::numeric_limits<double>::max();
  const std::pair<double, double> ranges[] = {
      {-greatest, greatest}, {0, 5e-324},   {1e-310, 3e-310}, {1, 1 + 4e-16},
      {1e15, 1e15 + 1},      {-7e-9, 3e12}, {0.1, 0.10001},   {-1e-3, 0}};
  for (const auto& [lo, hi] : ranges) {
    for (const int most : {1, 2, 3, 7, 40}) {
      const Ticks ticks = nice_ticks(lo, hi, most);
      CHECK(ticks.size() <= static_cast<std::size_t>(most));
      for (std::size_t k = 0; k < ticks.size(); ++k) {
        // The allowance of the ends: 1e-9 of a step, and a step is at most the range... or the
        // tick.
        const double slack = 1e-9 * (hi / 2 - lo / 2) * 2;
        CHECK(ticks[k] >= lo - slack);
        CHECK(ticks[k] <= hi + slack);
        if (k > 0) CHECK(ticks[k] > ticks[k - 1]);
      }
    }
  }
}

TEST_CASE("logarithmic ticks") {
  CHECK(log_ticks(1, 1000, 6) == Ticks{1, 10, 100, 1000});
  CHECK(log_ticks(1, 1e8, 5) == Ticks{1, 100, 1e4, 1e6, 1e8});
  CHECK(log_ticks(1e-3, 1e3, 4) == Ticks{1e-2, 1, 1e2});
  CHECK(log_ticks(1, 20, 6) == Ticks{1, 2, 5, 10, 20});
  CHECK(log_ticks(64, 8192, 5) == Ticks{100, 1000});
  CHECK(log_ticks(1000, 1, 6) == Ticks{1, 10, 100, 1000});
  CHECK(log_ticks(2, 2, 5) == Ticks{2});
  CHECK(log_ticks(0, 1, 5).empty());
  CHECK(log_ticks(-1, 1, 5).empty());
  CHECK(log_ticks(kNaN, 1, 5).empty());
  CHECK(log_ticks(1, kInf, 5).empty());
  for (const double tick : log_ticks(5e-324, 1e308, 9)) CHECK(tick > 0);
}

TEST_CASE("figures stand in rows of twelve columns") {
  Figure wide, half, third;
  wide.span = 12;
  wide.height = 100;
  half.span = 6;
  half.height = 200;
  third.span = 4;
  third.height = 300;
  const auto boxes = arrange({wide, half, half, third}, 1000, 1);
  REQUIRE(boxes.size() == 4);
  CHECK(boxes[0] == Rect{0, 0, 1000, 100});
  CHECK(boxes[1] == Rect{0, 112, 494, 200});
  CHECK(boxes[2] == Rect{506, 112, 494, 200});
  CHECK(boxes[3] == Rect{0, 324, 1000, 300});  // alone in its row: it fills it

  const auto uneven = arrange({half, third}, 1000, 1);
  CHECK(uneven[0].h == 300);
  CHECK(uneven[1].h == 300);
  CHECK(uneven[1].right() == doctest::Approx(1000));
  CHECK(uneven[1].x - uneven[0].right() == doctest::Approx(12));

  const auto narrow = arrange({half, half}, 600, 1);
  CHECK(narrow[1] == Rect{0, 212, 600, 200});
  CHECK(arrange({half, half}, 1000, 2)[1] == Rect{0, 424, 1000, 400});
  CHECK(arrange({half}, 0, 1)[0].w == 0);
  CHECK(arrange({}, 1000, 1).empty());
}

TEST_CASE("two cards of pictures share a row so that both are filled") {
  Figure sheet, map, text;
  sheet.span = 7, map.span = 5, text.span = 5;
  sheet.plots = {Plot{.thumbnail = true}, Plot{.thumbnail = true}};
  map.plots = {Plot{.square = true}};
  sheet.columns = 2;
  // Two squares beside each other, and one with names around it.
  const auto height = [](std::size_t k, float width) {
    return k == 0 ? width / 2 + 60 : width + 40;
  };
  const auto even = arrange({sheet, map}, 1212, 1, height);
  REQUIRE(even.size() == 2);
  CHECK(height(0, even[0].w) == doctest::Approx(height(1, even[1].w)).epsilon(0.03));
  CHECK(even[1].right() == doctest::Approx(1212));
  CHECK(even[1].x - even[0].right() == doctest::Approx(12));
  // Of neither less than a third; and cards with text keep their spans.
  const auto high = [](std::size_t k, float width) { return k == 0 ? width / 9 : width; };
  CHECK(arrange({sheet, map}, 1212, 1, high)[1].w >= 0.32f * 1212);
  const float spanned = 1224.0f * 7 / 12 - 12;
  CHECK(arrange({sheet, text}, 1212, 1, height)[0].w == doctest::Approx(spanned));
  // Small pictures in as many rows as they need: a narrower card may be the higher one.
  sheet.columns = 0;
  CHECK(arrange({sheet, map}, 1212, 1, height)[0].w == doctest::Approx(spanned));
}

}  // namespace number_text_test
