// What one instruction set's unit of casts consists of; the unit defines ATTNSCOPE_CASTS, the name
// of its table. Plain loops: the compiler makes vectors of them.
#include "core/precision/kernels/kernels.h"

namespace core::kernels {
namespace {

using Bits = std::uint32_t;
using Count = std::int64_t;

// Entries do not depend on each other, also where `to` is `from`.
#if defined(__clang__)
#define ATTNSCOPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ATTNSCOPE_INDEPENDENT _Pragma("GCC ivdep")
#endif

constexpr Bits kSign = 0x80000000U, kInfinity = 0x7f800000U, kQuietNaN = 0x7fc00000U;

inline Bits bits_of(float x) { return __builtin_bit_cast(Bits, x); }
inline float float_of(Bits bits) { return __builtin_bit_cast(float, bits); }

// A finite magnitude rounded where the format's numbers are normal; may pass the largest one.
template <CastRounding rounding>
inline Bits round_normal(const Cast& cast, Bits magnitude) {
  const Bits below = (Bits{1} << cast.drop) - 1;
  if constexpr (rounding == CastRounding::nearest_even) {
    magnitude += (below >> 1) + ((magnitude >> cast.drop) & 1);
  } else if constexpr (rounding == CastRounding::nearest_away) {
    magnitude += (below >> 1) + 1;
  }
  return magnitude & ~below;
}

// To a multiple of the step, for magnitudes up to the least normal number. Sums and differences
// here are exact but the first, which rounds as wanted.
template <CastRounding rounding>
inline float round_subnormal(const Cast& cast, float magnitude) {
  const float nearest = (magnitude + cast.magic) - cast.magic;
  if constexpr (rounding == CastRounding::nearest_away) {
    return magnitude - nearest == cast.step * 0.5F ? nearest + cast.step : nearest;
  } else if constexpr (rounding == CastRounding::toward_zero) {
    return nearest > magnitude ? nearest - cast.step : nearest;
  }
  return nearest;
}

template <CastRounding rounding, bool same_range>
inline Bits rounded(const Cast& cast, Bits pattern) {
  const Bits magnitude = pattern & ~kSign;
  Bits result = round_normal<rounding>(cast, magnitude);
  if constexpr (!same_range) {
    const Bits small = bits_of(round_subnormal<rounding>(cast, float_of(magnitude)));
    result = magnitude < cast.least_normal ? small : result;
  }
  result = result < cast.least_normal && !cast.subnormals ? 0 : result;
  result = result > cast.largest ? cast.overflow : result;
  result = magnitude == kInfinity ? cast.infinity : result;
  result = magnitude > kInfinity ? kQuietNaN : result;
  return result | (pattern & kSign);
}

template <CastRounding rounding, bool same_range>
inline Bits encoded(const Cast& cast, Bits pattern) {
  const Bits magnitude = pattern & ~kSign;
  Bits code = (round_normal<rounding>(cast, magnitude) >> cast.drop) - cast.rebias;
  if constexpr (!same_range) {
    const float small = round_subnormal<rounding>(cast, float_of(magnitude));
    const Bits steps = bits_of(small + cast.magic) - bits_of(cast.magic);
    code = magnitude < cast.least_normal ? steps : code;
  }
  code = code < cast.leading && !cast.subnormals ? 0 : code;
  code = code > cast.largest_code ? cast.past : code;
  code = magnitude == kInfinity ? cast.infinite : code;
  code = magnitude > kInfinity ? cast.nan_code : code;
  return code | (pattern & kSign ? cast.sign_code : 0);
}

template <bool same_range>
inline Bits decoded(const Cast& cast, Bits code) {
  const Bits magnitude = code & (cast.sign_code - 1);
  Bits result = (magnitude + cast.rebias) << cast.drop;
  if constexpr (!same_range) {
    const Bits small = bits_of(static_cast<float>(static_cast<int>(magnitude)) * cast.step);
    result = magnitude < cast.leading ? small : result;
  }
  result = magnitude < cast.leading && !cast.subnormals ? 0 : result;
  const Bits special = magnitude == cast.infinity_code ? kInfinity : kQuietNaN;
  result = magnitude > cast.largest_code ? special : result;
  return result | (code & cast.sign_code ? kSign : 0);
}

template <CastRounding rounding, bool same_range, class To>
void cast_all(const Cast& given, const float* from, To* to, Count count) {
  const Cast cast = given;
  ATTNSCOPE_INDEPENDENT
  for (Count i = 0; i < count; ++i) {
    if constexpr (sizeof(To) == 4) {
      to[i] = float_of(rounded<rounding, same_range>(cast, bits_of(from[i])));
    } else {
      to[i] = static_cast<To>(encoded<rounding, same_range>(cast, bits_of(from[i])));
    }
  }
}

template <CastRounding rounding, class To>
void cast_range(const Cast& cast, const float* from, To* to, Count count) {
  if (cast.same_range) {
    cast_all<rounding, true>(cast, from, to, count);
  } else {
    cast_all<rounding, false>(cast, from, to, count);
  }
}

template <class To>
void cast_to(const Cast& cast, const float* from, To* to, Count count) {
  switch (cast.rounding) {
    case CastRounding::nearest_even:
      return cast_range<CastRounding::nearest_even>(cast, from, to, count);
    case CastRounding::nearest_away:
      return cast_range<CastRounding::nearest_away>(cast, from, to, count);
    case CastRounding::toward_zero:
      return cast_range<CastRounding::toward_zero>(cast, from, to, count);
  }
}

template <bool same_range, class From>
void decode_all(const Cast& given, const From* from, float* to, Count count) {
  const Cast cast = given;
  ATTNSCOPE_INDEPENDENT
  for (Count i = 0; i < count; ++i) to[i] = float_of(decoded<same_range>(cast, from[i]));
}

template <class From>
void decode_from(const Cast& cast, const From* from, float* to, Count count) {
  if (cast.same_range) {
    decode_all<true>(cast, from, to, count);
  } else {
    decode_all<false>(cast, from, to, count);
  }
}

}  // namespace

extern const CastTable ATTNSCOPE_CASTS = {
    .round = cast_to<float>,
    .encode16 = cast_to<std::uint16_t>,
    .encode8 = cast_to<std::uint8_t>,
    .decode16 = decode_from<std::uint16_t>,
    .decode8 = decode_from<std::uint8_t>,
};

}  // namespace core::kernels
