// Binary floating-point formats: sign, exponent and mantissa, of any widths up to double's.
//
// Sources: IEEE 754-2019, section 3.4, for the layout with infinities; OCP 8-bit floating point
// specification 1.0 (2023) for E4M3 and E5M2; OCP microscaling formats 1.0 (2023) for the formats
// of 6 and 4 bits; bfloat16 is the upper half of a float32; TF32 has the range of float32 and the
// mantissa of float16.
//
// A code is the bit pattern as a number: sign on top, then the exponent field e, then the mantissa
// field f of t bits. Its value is (2^t + f) 2^(e - bias - t), or f 2^(1 - bias - t) for e = 0.
// Codes without their sign bit rise with their values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core {

// What the topmost exponent field means.
enum class Specials {
  ieee,      // infinity where f = 0, NaN elsewhere
  nan_only,  // a number, but NaN where f is all ones: E4M3 of OCP, "e4m3fn"
  none,      // a number: neither infinity nor NaN, as OCP's formats of 6 and 4 bits
};

struct Format {
  int exponent_bits = 0;
  int mantissa_bits = 0;  // stored ones, without the leading one
  int bias = 0;
  Specials specials = Specials::ieee;
  // Without them every code with e = 0 is zero, and what would be subnormal becomes zero.
  bool subnormals = true;

  bool operator==(const Format&) const = default;
};

using Code = std::uint64_t;

// 2^(exponent_bits - 1) - 1, IEEE's choice.
constexpr int ieee_bias(int exponent_bits) { return (1 << (exponent_bits - 1)) - 1; }
constexpr Format ieee_format(int exponent_bits, int mantissa_bits) {
  return {exponent_bits, mantissa_bits, ieee_bias(exponent_bits)};
}

inline constexpr Format kFloat64 = ieee_format(11, 52);
inline constexpr Format kFloat32 = ieee_format(8, 23);
inline constexpr Format kTf32 = ieee_format(8, 10);
inline constexpr Format kBFloat16 = ieee_format(8, 7);
inline constexpr Format kFloat16 = ieee_format(5, 10);
inline constexpr Format kFp8E5m2 = ieee_format(5, 2);
inline constexpr Format kFp8E4m3{4, 3, 7, Specials::nan_only};
inline constexpr Format kFp6E3m2{3, 2, 3, Specials::none};
inline constexpr Format kFp6E2m3{2, 3, 1, Specials::none};
inline constexpr Format kFp4E2m1{2, 1, 1, Specials::none};

struct NamedFormat {
  const char* name;
  Format format;
};

// Widest first; the names are those of PyTorch where it has one.
inline constexpr std::array<NamedFormat, 10> kNamedFormats = {{{"float64", kFloat64},
                                                               {"float32", kFloat32},
                                                               {"tf32", kTf32},
                                                               {"bfloat16", kBFloat16},
                                                               {"float16", kFloat16},
                                                               {"e5m2", kFp8E5m2},
                                                               {"e4m3fn", kFp8E4m3},
                                                               {"e3m2", kFp6E3m2},
                                                               {"e2m3", kFp6E2m3},
                                                               {"e2m1", kFp4E2m1}}};

// Nothing when no format is called so.
std::optional<Format> format_named(std::string_view name);

// InputError with one sentence unless there are 1 to 11 exponent bits, 0 to 52 mantissa bits (at
// least 1 under Specials::ieee, whose NaN needs one), every number is a double's, and one of them
// is finite and not zero. All functions of this folder call it.
void require_format(const Format& format);

// 1 + exponent_bits + mantissa_bits.
inline int bit_count(const Format& format) {
  return 1 + format.exponent_bits + format.mantissa_bits;
}

enum class NumberClass { zero, subnormal, normal, infinity, nan };

struct Fields {
  bool negative = false;
  Code exponent = 0;  // as stored
  Code mantissa = 0;
  bool operator==(const Fields&) const = default;
};

// A code that needs more bits than the format has is an InputError, here and below; so are fields
// too large for theirs.
Fields fields_of(const Format& format, Code code);
Code code_of(const Format& format, const Fields& fields);
NumberClass class_of(const Format& format, Code code);
double number_of(const Format& format, Code code);

// The largest finite number and the smallest positive ones. min_normal is nothing when every finite
// number is subnormal (one exponent bit under Specials::ieee).
double max_finite(const Format& format);
std::optional<double> min_normal(const Format& format);
double min_positive(const Format& format);

// From |x| to the next larger number of the format, for the binade [2^k, 2^(k+1)) that |x| lies in:
// 2^(max(k, 1 - bias) - t), the same for all subnormal numbers. Beyond the largest finite number as
// if exponents went on. x finite, else InputError.
double spacing(const Format& format, double x);

// The next number of the format above x, which need not be one itself: -infinity is followed by the
// least finite number, the largest finite one by infinity (by NaN under nan_only; under none, by
// itself). NaN stays. next_down(x) = -next_up(-x). Zeros count as one number.
double next_up(const Format& format, double x);
double next_down(const Format& format, double x);

// How many numbers of the format lie in [low, high], zeros counted once and infinities not; closed
// form. And the numbers themselves, rising, at most `most` of them: InputError when there are more.
Index count_between(const Format& format, double low, double high);
std::vector<double> numbers_between(const Format& format, double low, double high, Index most);

// The binade [2^exponent, 2^(exponent + 1)) of a format. All subnormal numbers and zero stand as
// one, with low = 0.
struct Binade {
  double low = 0, high = 0;  // [low, high); the topmost may end before `high`
  double spacing = 0;
  Index count = 0;  // numbers in it
};
// Rising, positive side; at most 2048.
std::vector<Binade> binades(const Format& format);

struct FormatFacts {
  int bits = 0;
  double max = 0;
  std::optional<double> min_normal;
  double min_positive = 0;
  double epsilon = 0;  // spacing at 1
  // Every integer of 0 .. this is a number of the format, the next one is not.
  double last_consecutive_integer = 0;
  bool has_infinity = false, has_nan = false;
  Code finite_codes = 0;  // both zeros included
};
FormatFacts format_facts(const Format& format);

}  // namespace core
