// What one instruction set's unit of casts consists of; the unit defines ATTNSCOPE_CASTS, the name
// of its table. Plain loops: the compiler makes vectors of them.
#include "core/precision/kernels/kernels.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

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

// How many steps, for magnitudes up to the least normal number. Sums and differences here are exact
// but the first, which rounds as wanted.
template <CastRounding rounding>
inline Bits round_small(const Cast& cast, float magnitude) {
  const float sum = magnitude + cast.magic;
  const Bits steps = bits_of(sum) - bits_of(cast.magic);
  if constexpr (rounding == CastRounding::nearest_even) return steps;
  const float left = magnitude - (sum - cast.magic);
  if constexpr (rounding == CastRounding::toward_zero) return left < 0 ? steps - 1 : steps;
  return left == cast.step * 0.5F ? steps + 1 : steps;
}

inline float steps_to_float(const Cast& cast, Bits steps) {
  return static_cast<float>(static_cast<int>(steps)) * cast.step;
}

template <CastRounding rounding, CastShape shape>
inline Bits rounded(const Cast& cast, Bits pattern) {
  const Bits magnitude = pattern & ~kSign;
  const bool nan = magnitude > kInfinity;
  if constexpr (shape == CastShape::upper_part) {
    // A sign on top changes nothing; what a NaN may carry into it is not used.
    return nan ? kQuietNaN | (pattern & kSign) : round_normal<rounding>(cast, pattern);
  }
  Bits result = round_normal<rounding>(cast, magnitude);
  const Bits steps = round_small<rounding>(cast, float_of(magnitude));
  result = magnitude < cast.small ? bits_of(steps_to_float(cast, steps)) : result;
  if constexpr (shape == CastShape::any) result = result < cast.flush ? 0 : result;
  result = result > cast.largest ? cast.past : result;
  if constexpr (shape == CastShape::any) result = magnitude == kInfinity ? cast.infinity : result;
  result = nan ? kQuietNaN : result;
  return result | (pattern & kSign);
}

template <CastRounding rounding, CastShape shape>
inline Bits encoded(const Cast& cast, Bits pattern) {
  const Bits magnitude = pattern & ~kSign;
  const bool nan = magnitude > kInfinity;
  if constexpr (shape == CastShape::upper_part) {
    const Bits code = round_normal<rounding>(cast, pattern) >> cast.drop;
    return nan ? cast.nan_code | (pattern >> cast.drop & cast.sign_code) : code;
  }
  Bits code = (round_normal<rounding>(cast, magnitude) >> cast.drop) - cast.rebias;
  const Bits steps = round_small<rounding>(cast, float_of(magnitude));
  code = magnitude < cast.small ? steps : code;
  if constexpr (shape == CastShape::any) code = code < cast.flush_code ? 0 : code;
  code = code > cast.largest_code ? cast.past_code : code;
  if constexpr (shape == CastShape::any) {
    code = magnitude == kInfinity ? cast.infinite_code : code;
  }
  code = nan ? cast.nan_code : code;
  return code | (pattern & kSign ? cast.sign_code : 0);
}

template <CastShape shape>
inline Bits decoded(const Cast& cast, Bits code) {
  const Bits magnitude = code & (cast.sign_code - 1);
  if constexpr (shape == CastShape::upper_part) return code << cast.drop;
  Bits result = (magnitude + cast.rebias) << cast.drop;
  const Bits small = bits_of(steps_to_float(cast, magnitude));
  result = magnitude < cast.small_code ? small : result;
  if constexpr (shape == CastShape::any) result = magnitude < cast.flush_code ? 0 : result;
  const Bits special = magnitude == cast.infinity_code ? kInfinity : kQuietNaN;
  result = magnitude > cast.largest_code ? special : result;
  return result | (code & cast.sign_code ? kSign : 0);
}

#if defined(__AVX512F__)
// bfloat16 by hand: the compiler makes vectors of 32 codes and spends more on taking them apart
// than on the arithmetic. Sixteen numbers a step; what is left over goes the common way.
inline __m512i load_words(const std::uint16_t* from) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

inline __m512i words(Bits value) { return _mm512_set1_epi32(static_cast<int>(value)); }

Count encode_bfloat16(const float* from, std::uint16_t* to, Count count) {
  Count i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m512 x = _mm512_loadu_ps(from + i);
    const __m512i pattern = _mm512_castps_si512(x);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(pattern, 16), words(1));
    const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(pattern, words(0x7fff)), odd);
    const __m512i nan = _mm512_or_si512(_mm512_and_si512(pattern, words(kSign)), words(kQuietNaN));
    const __mmask16 is_nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    const __m512i codes = _mm512_srli_epi32(_mm512_mask_mov_epi32(sum, is_nan, nan), 16);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm512_cvtepi32_epi16(codes));
  }
  return i;
}

Count decode_bfloat16(const std::uint16_t* from, float* to, Count count) {
  Count i = 0;
  for (; i + 16 <= count; i += 16) {
    _mm512_storeu_si512(to + i, _mm512_slli_epi32(load_words(from + i), 16));
  }
  return i;
}
#else
inline Count encode_bfloat16(const float*, std::uint16_t*, Count) { return 0; }
inline Count decode_bfloat16(const std::uint16_t*, float*, Count) { return 0; }
#endif

inline bool is_bfloat16(const Cast& cast) {
  return cast.shape == CastShape::upper_part && cast.drop == 16;
}

template <CastRounding rounding, CastShape shape, class To>
void cast_all(const Cast& given, const float* from, To* to, Count count) {
  const Cast cast = given;
  ATTNSCOPE_INDEPENDENT
  for (Count i = 0; i < count; ++i) {
    if constexpr (sizeof(To) == 4) {
      to[i] = float_of(rounded<rounding, shape>(cast, bits_of(from[i])));
    } else {
      to[i] = static_cast<To>(encoded<rounding, shape>(cast, bits_of(from[i])));
    }
  }
}

template <CastRounding rounding, class To>
void cast_shaped(const Cast& cast, const float* from, To* to, Count count) {
  switch (cast.shape) {
    case CastShape::upper_part:
      return cast_all<rounding, CastShape::upper_part>(cast, from, to, count);
    case CastShape::usual:
      return cast_all<rounding, CastShape::usual>(cast, from, to, count);
    case CastShape::any:
      return cast_all<rounding, CastShape::any>(cast, from, to, count);
  }
}

template <class To>
void cast_to(const Cast& cast, const float* from, To* to, Count count) {
  switch (cast.rounding) {
    case CastRounding::nearest_even:
      return cast_shaped<CastRounding::nearest_even>(cast, from, to, count);
    case CastRounding::nearest_away:
      return cast_shaped<CastRounding::nearest_away>(cast, from, to, count);
    case CastRounding::toward_zero:
      return cast_shaped<CastRounding::toward_zero>(cast, from, to, count);
  }
}

template <CastShape shape, class From>
void decode_all(const Cast& given, const From* from, float* to, Count count) {
  const Cast cast = given;
  ATTNSCOPE_INDEPENDENT
  for (Count i = 0; i < count; ++i) to[i] = float_of(decoded<shape>(cast, from[i]));
}

template <class From>
void decode_from(const Cast& cast, const From* from, float* to, Count count) {
  switch (cast.shape) {
    case CastShape::upper_part:
      return decode_all<CastShape::upper_part>(cast, from, to, count);
    case CastShape::usual:
      return decode_all<CastShape::usual>(cast, from, to, count);
    case CastShape::any:
      return decode_all<CastShape::any>(cast, from, to, count);
  }
}

void encode16(const Cast& cast, const float* from, std::uint16_t* to, Count count) {
  Count done = 0;
  if (is_bfloat16(cast) && cast.rounding == CastRounding::nearest_even) {
    done = encode_bfloat16(from, to, count);
  }
  cast_to(cast, from + done, to + done, count - done);
}

void decode16(const Cast& cast, const std::uint16_t* from, float* to, Count count) {
  const Count done = is_bfloat16(cast) ? decode_bfloat16(from, to, count) : 0;
  decode_from(cast, from + done, to + done, count - done);
}

}  // namespace

extern const CastTable ATTNSCOPE_CASTS = {
    .round = cast_to<float>,
    .encode16 = encode16,
    .encode8 = cast_to<std::uint8_t>,
    .decode16 = decode16,
    .decode8 = decode_from<std::uint8_t>,
};

}  // namespace core::kernels
