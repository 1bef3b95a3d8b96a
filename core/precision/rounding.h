// From a double to a number of another format, in one rounding.
#pragma once

#include <cstdint>

#include "core/precision/format.h"
#include "core/precision/layout.h"

namespace core {

// IEEE 754-2019, section 4.3, and stochastic rounding.
enum class Rounding {
  nearest_even,  // ties to the even last digit; where both are odd (no mantissa bits) away from
                 // zero
  nearest_away,  // ties away from zero
  toward_zero,   // truncation
  upward,
  downward,
  // Away from zero with a probability that is the share of the step already gone: the mean of many
  // roundings is the number itself (Croci et al. 2022, "Stochastic rounding: implementation, error
  // analysis and applications", section 2).
  stochastic,
};

// What becomes of a finite number whose rounding, with exponents going on, passes the largest one.
enum class Overflow {
  // Nearest and stochastic, and upward or downward on their own side: infinity; NaN under nan_only,
  // as PyTorch casts to e4m3fn ("non-saturating" in OCP's specification of 8-bit formats). Toward
  // zero and a directed rounding on the other side: the largest finite number (IEEE 754, 7.4).
  // Infinities stay, and become NaN under nan_only.
  ieee,
  // The largest finite number, for infinities too ("saturating"). Under Specials::none always.
  saturate,
};

struct RoundingRule {
  Rounding rounding = Rounding::nearest_even;
  Overflow overflow = Overflow::ieee;
};

// A format and a rule, checked once, to round many numbers by. The sign of zero stays, and NaN,
// which becomes quiet; what lies below the smallest normal number of a format without subnormals,
// once rounded as if it had them, becomes zero.
class Rounder {
 public:
  // InputError for a format that require_format refuses.
  explicit Rounder(const Format& format, RoundingRule rule = {});

  // Stochastic rounding needs random bits, 64 of them uniformly distributed: away from zero where
  // random < share * 2^64. Other rules ignore them.
  double operator()(double x, std::uint64_t random = kHalf) const;
  Code code(double x, std::uint64_t random = kHalf) const;

  const Format& format() const { return format_; }
  const RoundingRule& rule() const { return rule_; }

 private:
  static constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

  // The code without its sign of a finite number other than zero, overflow included.
  Code magnitude(double x, std::uint64_t random) const;
  bool away(Code kept, Code rest, int dropped, bool negative, std::uint64_t random) const;
  Code overflowed(bool negative) const;
  Code infinite() const;

  Format format_;
  RoundingRule rule_;
  precision::Layout layout_;
};

// One number. Stochastic rounding has no place here: InputError. `encode` gives the code; a NaN in
// a format that has none is an InputError there, and stays NaN under round_to.
double round_to(const Format& format, double x, RoundingRule rule = {});
Code encode(const Format& format, double x, RoundingRule rule = {});
inline double round_to(const Format& format, double x, Rounding rounding) {
  return round_to(format, x, RoundingRule{rounding});
}

// The random bits of entry `index` of an array under `seed`: the same wherever and in whatever
// order entries are rounded.
std::uint64_t rounding_bits(std::uint64_t seed, Index index);

}  // namespace core
