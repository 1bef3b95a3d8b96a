// A binary floating-point format laid out as IEEE 754 does it: sign, exponent, mantissa, with
// subnormal numbers, infinities and NaN.
#pragma once

namespace core {

struct BinaryFormat {
  int exponent_bits = 0;  // 2 to 11
  int mantissa_bits = 0;  // stored bits, without the leading one; 1 to 52
};

inline constexpr BinaryFormat kFloat64{11, 52};
inline constexpr BinaryFormat kFloat32{8, 23};
inline constexpr BinaryFormat kFloat16{5, 10};
inline constexpr BinaryFormat kBFloat16{8, 7};

// The largest finite number, (2 - 2^-mantissa_bits) 2^(2^(exponent_bits - 1) - 1).
double max_finite(BinaryFormat format);

// The nearest number of the format, ties to the even mantissa, in one rounding from double. Beyond
// the largest finite number by half a step or more: infinity. NaN, infinities and the sign of zero
// stay. InputError for a format outside the ranges above.
double round_to(BinaryFormat format, double x);

}  // namespace core
