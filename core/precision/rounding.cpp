#include "core/precision/rounding.h"

#include <cmath>
#include <limits>

#include "core/random.h"
#include "core/refuse.h"

namespace core {
namespace {

const Format& checked(const Format& format) {
  require_format(format);
  return format;
}

void require_definite(const char* where, RoundingRule rule) {
  if (rule.rounding == Rounding::stochastic) {
    refuse(where, "a rounding that needs no random bits", "stochastic");
  }
}

}  // namespace

Rounder::Rounder(const Format& format, RoundingRule rule)
    : format_(checked(format)), rule_(rule), layout_(format) {
  if (format.specials == Specials::none) rule_.overflow = Overflow::saturate;
}

bool Rounder::away(Code kept, Code rest, int dropped, bool negative, std::uint64_t random) const {
  if (rest == 0) return false;
  // 2^dropped is the step; beyond 54 dropped bits `rest` is less than half of it anyway.
  const Code half = dropped > 60 ? ~Code{0} : Code{1} << (dropped - 1);
  switch (rule_.rounding) {
    case Rounding::nearest_even: return rest > half || (rest == half && kept % 2 != 0);
    case Rounding::nearest_away: return rest >= half;
    case Rounding::toward_zero: return false;
    case Rounding::upward: return !negative;
    case Rounding::downward: return negative;
    case Rounding::stochastic: break;
  }
  // rest / 2^dropped > random / 2^64, the share cut to 64 bits.
  if (dropped <= 64) return random < rest << (64 - dropped);
  return dropped < 128 && random < rest >> (dropped - 64);
}

Code Rounder::magnitude(double x, std::uint64_t random) const {
  const precision::Parts parts(x);
  const int t = layout_.mantissa_bits;
  const int binade = std::max(parts.binade(), layout_.least_exponent);
  // How many of the 53 bits lie below the step.
  const int dropped = binade - t - parts.exponent;
  const Code kept = dropped > 63 ? 0 : parts.significand >> dropped;
  const Code rest = dropped > 63 ? parts.significand : parts.significand - (kept << dropped);
  const bool negative = std::signbit(x);
  Code code = (static_cast<Code>(binade - layout_.least_exponent) << t) + kept;
  if (away(kept, rest, dropped, negative, random)) ++code;
  if (code > layout_.largest) return overflowed(negative);
  return code < layout_.leading && !layout_.subnormals ? 0 : code;
}

Code Rounder::infinite() const {
  if (rule_.overflow == Overflow::saturate) return layout_.largest;
  return layout_.specials == Specials::ieee ? layout_.infinity : layout_.nan;
}

Code Rounder::overflowed(bool negative) const {
  const bool stops = rule_.rounding == Rounding::toward_zero ||
                     (rule_.rounding == Rounding::upward && negative) ||
                     (rule_.rounding == Rounding::downward && !negative);
  return stops ? layout_.largest : infinite();
}

Code Rounder::code(double x, std::uint64_t random) const {
  const Code sign = std::signbit(x) ? layout_.sign : 0;
  if (x == 0) return sign;
  if (std::isnan(x)) {
    if (layout_.specials == Specials::none) refuse("encode", "a number", "NaN");
    return sign | layout_.nan;
  }
  return sign | (std::isinf(x) ? infinite() : magnitude(x, random));
}

double Rounder::operator()(double x, std::uint64_t random) const {
  if (x == 0) return x;
  if (std::isnan(x)) return std::copysign(std::numeric_limits<double>::quiet_NaN(), x);
  const Code code = std::isinf(x) ? infinite() : magnitude(x, random);
  double magnitude;
  if (code <= layout_.largest) {
    magnitude = layout_.magnitude(code);
  } else if (layout_.specials == Specials::ieee) {
    magnitude = std::numeric_limits<double>::infinity();
  } else {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  }
  return std::copysign(magnitude, x);
}

double round_to(const Format& format, double x, RoundingRule rule) {
  require_definite("round_to", rule);
  return Rounder(format, rule)(x);
}

Code encode(const Format& format, double x, RoundingRule rule) {
  require_definite("encode", rule);
  return Rounder(format, rule).code(x);
}

std::uint64_t rounding_bits(std::uint64_t seed, Index index) {
  return mix64(stream_seed(seed, static_cast<std::uint64_t>(index)));
}

}  // namespace core
