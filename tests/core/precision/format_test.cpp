#include "core/precision/format.h"

#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/precision/rounding.h"
#include "core/types.h"

namespace format_test {

using core::Code;
using core::Fields;
using core::Format;
using core::NumberClass;
using core::Specials;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The formula of core/precision/format.h, term by term.
double by_formula(const Format& f, Code code) {
  const Code leading = Code{1} << f.mantissa_bits, fields = Code{1} << f.exponent_bits;
  const Code mantissa = code % leading, exponent = code / leading % fields;
  const double sign = code / leading / fields == 0 ? 1 : -1;
  const bool ones = exponent == fields - 1;
  if (f.specials == Specials::ieee && ones) return sign * (mantissa == 0 ? kInfinity : NAN);
  if (f.specials == Specials::nan_only && ones && mantissa == leading - 1) return sign * NAN;
  if (exponent == 0 && !f.subnormals) return sign * 0.0;
  if (exponent == 0) {
    return sign * std::ldexp(static_cast<double>(mantissa), 1 - f.bias - f.mantissa_bits);
  }
  return sign * std::ldexp(static_cast<double>(leading + mantissa),
                           static_cast<int>(exponent) - f.bias - f.mantissa_bits);
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// Every code decodes by the formula and encodes back to itself (NaNs to the format's own NaN).
int wrong_codes(const Format& format) {
  int wrong = 0;
  for (Code code = 0; code < Code{1} << core::bit_count(format); ++code) {
    const double value = core::number_of(format, code);
    wrong += !same(value, by_formula(format, code));
    wrong += core::code_of(format, core::fields_of(format, code)) != code;
    const NumberClass kind = core::class_of(format, code);
    wrong += std::isnan(value) != (kind == NumberClass::nan);
    wrong += std::isinf(value) != (kind == NumberClass::infinity);
    wrong += (value == 0) != (kind == NumberClass::zero);
    if (kind == NumberClass::nan) {
      wrong += core::class_of(format, core::encode(format, value)) != NumberClass::nan;
    } else if (kind != NumberClass::zero) {
      wrong += core::encode(format, value) != code;
      wrong += !same(core::round_to(format, value), value);
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("every code of the 16-bit and smaller formats") {
  for (const core::NamedFormat& named : core::kNamedFormats) {
    if (core::bit_count(named.format) > 19) continue;
    CAPTURE(named.name);
    CHECK(wrong_codes(named.format) == 0);
  }
  for (const Format& format : {Format{1, 3, 0}, Format{6, 9, 40}, Format{4, 4, -5, Specials::none},
                               Format{5, 6, 15, Specials::nan_only, false},
                               Format{3, 0, 3, Specials::none}, Format{8, 1, 130}}) {
    CAPTURE(format.exponent_bits);
    CHECK(wrong_codes(format) == 0);
  }
}

TEST_CASE("formats by hand") {
  CHECK(core::max_finite(core::kFloat64) == DBL_MAX);
  CHECK(core::max_finite(core::kFloat32) == static_cast<double>(FLT_MAX));
  CHECK(core::max_finite(core::kFloat16) == 65504);
  CHECK(core::max_finite(core::kFp8E4m3) == 448);
  CHECK(core::max_finite(core::kFp8E5m2) == 57344);
  CHECK(core::max_finite(core::kFp6E3m2) == 28);
  CHECK(core::max_finite(core::kFp6E2m3) == 7.5);
  CHECK(core::max_finite(core::kFp4E2m1) == 6);
  CHECK(core::min_positive(core::kFloat64) == DBL_TRUE_MIN);
  CHECK(core::min_normal(core::kFloat32) == static_cast<double>(FLT_MIN));
  CHECK_FALSE(core::min_normal({1, 3, 0}).has_value());
  CHECK(core::fields_of(core::kBFloat16, 0xc040) == Fields{true, 128, 64});  // -3
  CHECK(core::number_of(core::kBFloat16, 0xc040) == -3);
  CHECK(core::class_of(core::kFloat16, 0x0001) == NumberClass::subnormal);
  CHECK(core::class_of(core::kFp8E4m3, 0x7e) == NumberClass::normal);
  CHECK(core::class_of(core::kFp8E4m3, 0xff) == NumberClass::nan);
  CHECK(core::format_named("e4m3fn") == core::kFp8E4m3);
  CHECK_FALSE(core::format_named("float8").has_value());
  const core::FormatFacts facts = core::format_facts(core::kFp8E4m3);
  CHECK(facts.finite_codes == 254);
  CHECK(facts.epsilon == 0.125);
  CHECK(facts.last_consecutive_integer == 16);
  CHECK_FALSE(facts.has_infinity);
  CHECK(core::format_facts(core::kFp6E2m3).last_consecutive_integer == 7);
  CHECK(core::format_facts({4, 2, -3}).last_consecutive_integer == 0);  // its least number is 4
}

TEST_CASE("formats that are refused") {
  const Format refused[] = {{0, 5, 0},
                            {12, 5, 2047},
                            {5, 53, 15},
                            {5, -1, 15},
                            {5, 0, 15},
                            {11, 52, 1024},
                            {11, 52, 1022},
                            {11, 20, 1023, Specials::nan_only},
                            {1, 2, 0, Specials::ieee, false}};
  for (const Format& format : refused) {
    CAPTURE(format.exponent_bits);
    CAPTURE(format.mantissa_bits);
    CHECK_THROWS_AS(core::max_finite(format), core::InputError);
    CHECK_THROWS_AS(core::round_to(format, 1), core::InputError);
  }
  CHECK_THROWS_AS(core::number_of(core::kFp8E4m3, 256), core::InputError);
  CHECK_THROWS_AS(core::code_of(core::kFp8E4m3, {false, 16, 0}), core::InputError);
  CHECK_THROWS_AS(core::encode(core::kFp4E2m1, NAN), core::InputError);
  CHECK(std::isnan(core::round_to(core::kFp4E2m1, NAN)));
}

TEST_CASE("neighbours and spacing walk through every number") {
  for (const Format& format :
       {core::kFp8E4m3, core::kFp8E5m2, core::kFp6E2m3, core::kBFloat16, core::kFloat16,
        Format{5, 4, 15, Specials::ieee, false}, Format{1, 3, 0}}) {
    CAPTURE(format.exponent_bits);
    const double top = core::max_finite(format);
    double x = core::next_up(format, -kInfinity), before = -kInfinity;
    CHECK(x == -top);
    core::Index count = 0, wrong = 0;
    for (; x <= top && x > before; ++count) {
      const double up = core::next_up(format, x);
      wrong += std::isfinite(before) && core::next_down(format, x) != before;
      // The spacing of the binade that lies away from zero is the step away from zero.
      if (x >= 0 && x < top) wrong += up - x != core::spacing(format, x);
      before = x;
      x = up;
    }
    CHECK(wrong == 0);
    CHECK(count == core::count_between(format, -kInfinity, kInfinity));
    const bool infinite = format.specials == Specials::ieee;
    if (infinite) CHECK(x == kInfinity);
    core::Index in_binades = 0;
    for (const core::Binade& binade : core::binades(format)) {
      in_binades += binade.count;
      CHECK(core::spacing(format, binade.low) == binade.spacing);
    }
    CHECK(2 * in_binades - 1 == count);
  }
  CHECK(core::next_up(core::kBFloat16, 256.5) == 258);
  CHECK(core::next_down(core::kBFloat16, 256.5) == 256);
  CHECK(core::next_up(core::kFloat64, 1) == std::nextafter(1.0, 2.0));
  CHECK(core::next_down(core::kFloat64, 0) == -DBL_TRUE_MIN);
  CHECK(std::isnan(core::next_up(core::kFp8E4m3, 448)));
  CHECK(core::next_up(core::kFp4E2m1, 6) == 6);
  CHECK(core::spacing(core::kFloat16, 5e-8) == std::ldexp(1.0, -24));
  CHECK(core::count_between(core::kFp4E2m1, -0.5, 1.6) == 5);
  CHECK(core::numbers_between(core::kFp4E2m1, -0.5, 1.6, 5) ==
        std::vector<double>{-0.5, 0, 0.5, 1, 1.5});
  CHECK(core::numbers_between(core::kFp4E2m1, 4.5, 5.5, 5).empty());
  CHECK(core::numbers_between(core::kFp4E2m1, 7, kInfinity, 5).empty());
  CHECK_THROWS_AS(core::numbers_between(core::kFp4E2m1, -0.5, 1.6, 4), core::InputError);
  CHECK_THROWS_AS(core::count_between(core::kFp4E2m1, NAN, 1), core::InputError);
}

}  // namespace format_test
