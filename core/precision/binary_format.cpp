#include "core/precision/binary_format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

void require_format(BinaryFormat format) {
  if (format.exponent_bits < 2 || format.exponent_bits > 11 || format.mantissa_bits < 1 ||
      format.mantissa_bits > 52) {
    refuse("binary format", "2 to 11 exponent bits and 1 to 52 mantissa bits",
           std::to_string(format.exponent_bits) + " and " + std::to_string(format.mantissa_bits));
  }
}

int largest_exponent(BinaryFormat format) { return (1 << (format.exponent_bits - 1)) - 1; }

// To the nearest integer, ties to even, whatever the current rounding mode is. |x| < 2^53.
double round_half_even(double x) {
  const double below = std::floor(x);
  const double part = x - below;
  if (part < 0.5) return below;
  if (part > 0.5) return below + 1;
  return std::fmod(below, 2.0) == 0.0 ? below : below + 1;
}

}  // namespace

double max_finite(BinaryFormat format) {
  require_format(format);
  return std::ldexp(2 - std::ldexp(1.0, -format.mantissa_bits), largest_exponent(format));
}

double round_to(BinaryFormat format, double x) {
  require_format(format);
  if (!std::isfinite(x) || x == 0) return x;
  // The step between neighbours at |x|; below the smallest normal number it stays the same.
  const int smallest_exponent = 1 - largest_exponent(format);
  const int step = std::max(std::ilogb(x), smallest_exponent) - format.mantissa_bits;
  const double magnitude = std::ldexp(round_half_even(std::ldexp(std::fabs(x), -step)), step);
  const bool overflow = magnitude > max_finite(format);
  return std::copysign(overflow ? std::numeric_limits<double>::infinity() : magnitude, x);
}

}  // namespace core
