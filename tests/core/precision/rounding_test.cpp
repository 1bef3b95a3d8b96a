#include "core/precision/rounding.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/types.h"

namespace rounding_test {

using core::Code;
using core::Format;
using core::Index;
using core::Overflow;
using core::Rounder;
using core::Rounding;
using core::RoundingRule;
using core::Specials;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Code>(a) == std::bit_cast<Code>(b);
}

// All numbers of a format, sorted, and then rounding by looking for the two neighbours: knows
// nothing of bits beyond decode. Midpoints have one bit more than the numbers and are exact.
class TableRounding {
 public:
  explicit TableRounding(const Format& format) : format_(format) {
    for (Code code = 0; code < Code{1} << (core::bit_count(format) - 1); ++code) {
      const double value = core::number_of(format, code);
      if (std::isfinite(value) && (values_.empty() || value > values_.back())) {
        values_.push_back(value);
        // Without a mantissa all numbers but zero end in an odd digit.
        even_.push_back(format.mantissa_bits > 0 ? code % 2 == 0 : code == 0);
      }
    }
    last_ = values_.size() - 1;
    // Where exponents to go on, the next one.
    values_.push_back(values_[last_] + core::spacing(format, values_[last_]));
    even_.push_back(format.mantissa_bits > 0 && !even_[last_]);
  }

  double operator()(double x, RoundingRule rule) const {
    if (std::isnan(x)) return x;
    const bool saturates =
        rule.overflow == Overflow::saturate || format_.specials == Specials::none;
    const double infinite = saturates                            ? values_[last_]
                            : format_.specials == Specials::ieee ? kInfinity
                                                                 : kNaN;
    if (std::isinf(x)) return std::copysign(infinite, x);
    const double size = std::fabs(x);
    const auto above = std::lower_bound(values_.begin(), values_.end(), size);
    size_t index = static_cast<size_t>(above - values_.begin());
    if (index > last_ && stops(rule.rounding, x < 0)) {
      index = last_;
    } else if (above == values_.end()) {
      index = last_ + 1;
    } else if (*above != size && !up(rule.rounding, index, size, x < 0)) {
      --index;
    }
    return std::copysign(index > last_ ? infinite : values_[index], x);
  }

  const std::vector<double>& values() const { return values_; }

 private:
  static bool stops(Rounding rounding, bool negative) {
    return rounding == Rounding::toward_zero ||
           rounding == (negative ? Rounding::upward : Rounding::downward);
  }
  bool up(Rounding rounding, size_t index, double size, bool negative) const {
    if (stops(rounding, negative)) return false;
    if (rounding == Rounding::upward || rounding == Rounding::downward) return true;
    const double middle = values_[index - 1] / 2 + values_[index] / 2;
    if (size != middle) return size > middle;
    return rounding == Rounding::nearest_away || even_[index] || !even_[index - 1];
  }

  Format format_;
  std::vector<double> values_;
  std::vector<bool> even_;
  size_t last_;
};

constexpr Rounding kDefinite[] = {Rounding::nearest_even, Rounding::nearest_away,
                                  Rounding::toward_zero, Rounding::upward, Rounding::downward};

std::vector<Format> tabled_formats() {
  std::vector<Format> formats;
  for (const auto& [name, format] : core::kNamedFormats) {
    if (core::bit_count(format) <= 16) formats.push_back(format);
  }
  formats.insert(formats.end(), {{6, 9, 31},
                                 {2, 11, 1},
                                 {3, 4, 9, Specials::nan_only},
                                 {5, 0, 15, Specials::none},
                                 {8, 3, 127, Specials::nan_only},
                                 {1, 6, 0}});
  return formats;
}

// Every number, every midpoint, and the doubles next to both, with both signs.
std::vector<double> edges(const std::vector<double>& values) {
  std::vector<double> out;
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    for (const double x : {values[i], values[i] / 2 + values[i + 1] / 2}) {
      for (const double near : {x, std::nextafter(x, 0), std::nextafter(x, kInfinity)}) {
        out.insert(out.end(), {near, -near});
      }
    }
  }
  out.insert(out.end(), {values.back(), 4 * values.back(), 1e300, -1e300, kInfinity, -kInfinity});
  out.insert(out.end(), {0.0, -0.0, kNaN, 5e-324, -5e-324, 1e-310});
  return out;
}

}  // namespace

TEST_CASE("rounding by hand") {
  using core::kBFloat16, core::kFloat16, core::kFp8E4m3, core::kFp8E5m2, core::round_to;
  CHECK(round_to(kFloat16, 65519.9) == 65504);
  CHECK(round_to(kFloat16, -65520) == -kInfinity);
  CHECK(round_to(kBFloat16, 257) == 256);  // ties to even
  CHECK(round_to(kBFloat16, 259) == 260);
  CHECK(round_to(kBFloat16, 257, Rounding::nearest_away) == 258);
  CHECK(round_to(kBFloat16, 257.9, Rounding::toward_zero) == 256);
  CHECK(round_to(kBFloat16, -257, Rounding::upward) == -256);
  CHECK(round_to(kBFloat16, -257, Rounding::downward) == -258);
  CHECK(round_to(kFloat16, std::ldexp(1.0, -24)) == std::ldexp(1.0, -24));
  CHECK(round_to(kFloat16, std::ldexp(1.0, -25)) == 0);  // a tie between 0 and the smallest
  CHECK(std::signbit(round_to(kFloat16, -1e-30)));
  CHECK(std::isnan(round_to(kFloat16, kNaN)));
  CHECK(round_to(kFp8E4m3, 464) == 448);  // a tie with what would be 480, whose code is NaN
  CHECK(std::isnan(round_to(kFp8E4m3, 464.1)));
  CHECK(std::isnan(round_to(kFp8E4m3, -kInfinity)));
  CHECK(round_to(kFp8E4m3, -kInfinity, {{}, Overflow::saturate}) == -448);
  CHECK(round_to(kFp8E4m3, 1e9, Rounding::toward_zero) == 448);
  CHECK(round_to(kFp8E5m2, 61440) == kInfinity);
  CHECK(round_to(kFp8E5m2, 61440, {{}, Overflow::saturate}) == 57344);
  CHECK(round_to(core::kFp4E2m1, 1e9) == 6);
  // One rounding, where a way through float32 makes two: just above a tie of bfloat16.
  CHECK(round_to(kBFloat16, 1.00390625 + 1e-12) == 1.0078125);
  CHECK(round_to(kBFloat16, round_to(core::kFloat32, 1.00390625 + 1e-12)) == 1);
  // Without subnormals: below the smallest normal number there is zero.
  const Format flushed{5, 10, 15, Specials::ieee, false};
  CHECK(round_to(flushed, std::ldexp(1.0, -14)) == std::ldexp(1.0, -14));
  CHECK(round_to(flushed, std::ldexp(0.9, -14)) == 0);
  CHECK(round_to(flushed, std::ldexp(1 - 1e-6, -14)) == std::ldexp(1.0, -14));
  CHECK_THROWS_AS(round_to(kBFloat16, 1, Rounding::stochastic), core::InputError);
}

TEST_CASE("rounding to float32 and float64 is what the processor does, bit for bit") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 500000; ++i) {
    const double x = std::bit_cast<double>(random());
    // Half of the patterns near and below float's smallest numbers.
    const double near = i % 2 ? x : std::ldexp(static_cast<double>(random()), -64 - 120 - i % 40);
    wrong +=
        !same(core::round_to(core::kFloat32, near), static_cast<double>(static_cast<float>(near)));
    wrong += !same(core::round_to(core::kFloat64, near), near);
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding is looking the neighbours up in a table: at every tie and edge" *
          doctest::test_suite("long")) {
  for (const Format& format : tabled_formats()) {
    CAPTURE(format.exponent_bits);
    CAPTURE(format.mantissa_bits);
    const TableRounding table(format);
    const std::vector<double> xs = edges(table.values());
    for (const Rounding rounding : kDefinite) {
      for (const Overflow overflow : {Overflow::ieee, Overflow::saturate}) {
        const RoundingRule rule{rounding, overflow};
        const Rounder round(format, rule);
        int wrong = 0;
        for (const double x : xs) wrong += !same(round(x), table(x, rule));
        CAPTURE(static_cast<int>(rounding));
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("rounding is looking the neighbours up in a table: ten million random numbers" *
          doctest::test_suite("long")) {
  const std::vector<Format> formats = tabled_formats();
  std::mt19937_64 random(2);
  int wrong = 0;
  for (const Format& format : formats) {
    const TableRounding table(format);
    const double top = core::max_finite(format), least = core::min_positive(format);
    const int low = std::ilogb(least) - 3, span = std::ilogb(top) + 3 - low;
    const Index each = 10000000 / static_cast<Index>(formats.size()) + 1;
    for (Index i = 0; i < each; ++i) {
      const RoundingRule rule{kDefinite[i % 5]};
      const double x =
          std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63,
                     low + static_cast<int>(random() % static_cast<unsigned>(span)));
      wrong += !same(Rounder(format, rule)(x), table(x, rule));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("codes and values agree") {
  std::mt19937_64 random(3);
  for (const core::NamedFormat& named : core::kNamedFormats) {
    CAPTURE(named.name);
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
      const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                  -static_cast<int>(random() % 100));
      const RoundingRule rule{kDefinite[i % 5], i % 2 ? Overflow::ieee : Overflow::saturate};
      const Rounder round(named.format, rule);
      wrong += !same(core::number_of(named.format, round.code(x)), round(x));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("stochastic rounding is unbiased and repeats itself") {
  const Rounder round(core::kBFloat16, {Rounding::stochastic});
  // 300.3 lies 0.15 of the step above 300.
  const double x = 300.3;
  Index up = 0;
  const Index trials = 200000;
  for (Index i = 0; i < trials; ++i) {
    const double got = round(x, core::rounding_bits(7, i));
    CHECK_UNARY(got == 300 || got == 302);
    up += got == 302;
  }
  // Five standard deviations of a share of 0.15.
  const double share = static_cast<double>(up) / static_cast<double>(trials);
  CHECK(std::fabs(share - 0.15) < 5 * std::sqrt(0.15 * 0.85 / static_cast<double>(trials)));
  // The share itself, cut to 64 bits, decides: exactly as many random numbers lie below it.
  CHECK(round(301, (Code{1} << 63) - 1) == 302);
  CHECK(round(301, Code{1} << 63) == 300);
  CHECK(round(300, 0) == 300);
  CHECK(round(-301, 0) == -302);
  CHECK(round(std::ldexp(1.0, -140), 0) == std::ldexp(1.0, -133));  // far below the smallest
  CHECK(round(std::ldexp(1.0, -140), Code{1} << 57) == 0);
  CHECK(round(std::ldexp(1.0, -140), (Code{1} << 57) - 1) > 0);
  CHECK(core::rounding_bits(7, 5) == core::rounding_bits(7, 5));
  CHECK(core::rounding_bits(7, 5) != core::rounding_bits(8, 5));
}

}  // namespace rounding_test
