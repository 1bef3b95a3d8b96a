// The loops of core/precision/convert.h as a table of functions, compiled once for each instruction
// set, under the rules of core/attention/kernels/kernels.h: raw pointers, internal linkage, plain
// structs. Integers and exact floating-point steps only, so that all sets agree bit for bit.
#pragma once

#include <cstdint>

namespace core::kernels {

// How much there is to choose between, from least to most.
enum class CastShape {
  upper_part,  // a code is the upper part of float32's pattern, infinity and overflow included
  usual,       // infinity becomes what overflow becomes, and nothing is flushed to zero
  any,
};

enum class CastRounding { nearest_even, nearest_away, toward_zero };

// A format whose numbers are all float32's and whose normal ones are normal there. "Magnitude" is a
// float's pattern or a code without its sign bit.
struct Cast {
  CastRounding rounding;
  CastShape shape;
  int drop;                  // mantissa bits that the format does not have: 1 to 23
  std::uint32_t rebias;      // float32's exponent field less the format's, as a code; wraps
  std::uint32_t small;       // patterns below become multiples of the step; 0 if the upper part of
  std::uint32_t small_code;  // the pattern does it as well. And codes below are such multiples.
  std::uint32_t flush;       // patterns of results below become zero; 0 for none
  std::uint32_t flush_code;  // and codes
  std::uint32_t largest;     // the pattern of the largest finite number
  std::uint32_t largest_code;  // and its code
  std::uint32_t past;          // the pattern of what finite numbers beyond become
  std::uint32_t past_code;
  std::uint32_t infinity;  // the pattern of what infinity becomes
  std::uint32_t infinite_code;
  std::uint32_t infinity_code;  // that decodes to infinity; 2^31 for none
  std::uint32_t nan_code;
  std::uint32_t sign_code;
  float step;   // the smallest subnormal number
  float magic;  // 2^23 times that: adding it rounds to a multiple of the step, ties to even
};

struct CastTable {
  // Numbers to the nearest ones of the format.
  void (*round)(const Cast& cast, const float* from, float* to, std::int64_t count);
  void (*encode16)(const Cast& cast, const float* from, std::uint16_t* to, std::int64_t count);
  void (*encode8)(const Cast& cast, const float* from, std::uint8_t* to, std::int64_t count);
  // bypass: the numbers do not fit into the cache; written past it where that is quick.
  void (*decode16)(const Cast& cast, const std::uint16_t* from, float* to, std::int64_t count,
                   bool bypass);
  void (*decode8)(const Cast& cast, const std::uint8_t* from, float* to, std::int64_t count);
};

extern const CastTable kCastBaseline;
extern const CastTable kCastV3;
extern const CastTable kCastV4;

}  // namespace core::kernels
