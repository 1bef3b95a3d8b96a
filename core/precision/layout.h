// A format's numbers of bits turned into the constants that coding needs; checked once, then quick.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/precision/format.h"

namespace core::precision {

struct Layout {
  int mantissa_bits;
  int least_exponent;  // of normal numbers: 1 - bias
  bool subnormals;
  Specials specials;
  Code sign, leading;     // the sign bit, and 2^mantissa_bits
  Code largest;           // the code of the largest finite number
  Code infinity, nan;     // where there are such
  Code smallest_nonzero;  // the code of the smallest positive number

  // No check.
  explicit constexpr Layout(const Format& format)
      : mantissa_bits(format.mantissa_bits),
        least_exponent(1 - format.bias),
        subnormals(format.subnormals),
        specials(format.specials),
        sign(Code{1} << (format.exponent_bits + format.mantissa_bits)),
        leading(Code{1} << format.mantissa_bits) {
    const Code top = sign - leading;  // all ones in the exponent field
    infinity = top;
    nan = specials == Specials::ieee ? top + leading / 2 : sign - 1;
    largest = specials == Specials::ieee       ? top - 1
              : specials == Specials::nan_only ? sign - 2
                                               : sign - 1;
    smallest_nonzero = subnormals && format.mantissa_bits > 0 ? 1 : leading;
  }

  // The value of a code without sign and specials; of codes past `largest` as if exponents went on.
  double magnitude(Code code) const {
    if (code < leading && !subnormals) return 0;
    const Code field = code >> mantissa_bits;
    const Code significand = field == 0 ? code : (code & (leading - 1)) | leading;
    const int exponent = static_cast<int>(field == 0 ? 0 : field - 1) + least_exponent;
    return scaled(static_cast<double>(significand), exponent - mantissa_bits);
  }

  // x 2^exponent, exact where it is representable.
  static double scaled(double x, int exponent) {
    if (exponent < -1022 || exponent > 1023) return std::ldexp(x, exponent);
    return x * std::bit_cast<double>(static_cast<Code>(exponent + 1023) << 52);
  }
};

// |x| = significand 2^exponent, 2^52 <= significand < 2^53, for finite x other than zero.
struct Parts {
  Code significand;
  int exponent;

  explicit Parts(double x) {
    const Code bits = std::bit_cast<Code>(x);
    const int field = static_cast<int>(bits >> 52) & 0x7ff;
    const Code fraction = bits & ((Code{1} << 52) - 1);
    if (field != 0) {
      significand = fraction | Code{1} << 52;
      exponent = field - 1075;
    } else {
      const int shift = std::countl_zero(fraction) - 11;
      significand = fraction << shift;
      exponent = -1074 - shift;
    }
  }
  int binade() const { return exponent + 52; }
};

}  // namespace core::precision
