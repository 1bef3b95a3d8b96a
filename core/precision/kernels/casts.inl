// What one instruction set's unit of casts consists of; the unit defines ATTNSCOPE_CASTS, the name
// of its table. Plain loops: the compiler makes vectors of them.
#include "core/precision/kernels/kernels.h"

#if defined(__AVX512F__) || defined(__AVX2__)
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

// bfloat16 and float16 by hand: of bfloat16 the compiler makes vectors of 32 codes and spends more
// on taking them apart than on the arithmetic, and for float16 there are instructions. These keep
// a NaN's payload; here a NaN is the quiet one with its sign. A vector of numbers a step; what is
// left over goes the common way.
#if defined(__AVX512F__)
constexpr Count kLanes = 16;
using Words = __m512i;

inline Words words(Bits value) { return _mm512_set1_epi32(static_cast<int>(value)); }

inline Words quiet(__m512 x) {
  const Words nan =
      _mm512_or_si512(_mm512_and_si512(_mm512_castps_si512(x), words(kSign)), words(kQuietNaN));
  return _mm512_mask_mov_epi32(_mm512_castps_si512(x), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), nan);
}

inline Words from_bfloat16(const std::uint16_t* from) {
  const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return _mm512_slli_epi32(_mm512_cvtepu16_epi32(codes), 16);
}

inline Words from_float16(const std::uint16_t* from) {
  return quiet(_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
}

inline void to_bfloat16(const float* from, std::uint16_t* to) {
  const Words pattern = quiet(_mm512_loadu_ps(from));
  const Words odd = _mm512_and_si512(_mm512_srli_epi32(pattern, 16), words(1));
  // Neither infinity nor the quiet NaN has low bits that could carry.
  const Words sum = _mm512_add_epi32(_mm512_add_epi32(pattern, words(0x7fff)), odd);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_cvtepi32_epi16(_mm512_srli_epi32(sum, 16)));
}

inline void to_float16(const float* from, std::uint16_t* to) {
  const __m512 x = _mm512_castsi512_ps(quiet(_mm512_loadu_ps(from)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline void put(float* to, Words x) { _mm512_storeu_si512(to, x); }
inline void put_past_cache(float* to, Words x) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), x);
}
#elif defined(__AVX2__) && defined(__F16C__)
constexpr Count kLanes = 8;
using Words = __m256i;

inline Words words(Bits value) { return _mm256_set1_epi32(static_cast<int>(value)); }

inline Words quiet(__m256 x) {
  const Words nan =
      _mm256_or_si256(_mm256_and_si256(_mm256_castps_si256(x), words(kSign)), words(kQuietNaN));
  return _mm256_blendv_epi8(_mm256_castps_si256(x), nan,
                            _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)));
}

inline Words from_bfloat16(const std::uint16_t* from) {
  const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm256_slli_epi32(_mm256_cvtepu16_epi32(codes), 16);
}

inline Words from_float16(const std::uint16_t* from) {
  return quiet(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}

inline void to_bfloat16(const float* from, std::uint16_t* to) {
  const Words pattern = quiet(_mm256_loadu_ps(from));
  const Words odd = _mm256_and_si256(_mm256_srli_epi32(pattern, 16), words(1));
  const Words sum = _mm256_add_epi32(_mm256_add_epi32(pattern, words(0x7fff)), odd);
  const Words codes = _mm256_srli_epi32(sum, 16);
  const __m128i packed =
      _mm_packus_epi32(_mm256_castsi256_si128(codes), _mm256_extracti128_si256(codes, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), packed);
}

inline void to_float16(const float* from, std::uint16_t* to) {
  const __m256 x = _mm256_castsi256_ps(quiet(_mm256_loadu_ps(from)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                   _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

inline void put(float* to, Words x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); }
inline void put_past_cache(float* to, Words x) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), x);
}
#endif

inline bool is_bfloat16(const Cast& cast) {
  return cast.shape == CastShape::upper_part && cast.drop == 16;
}

inline bool is_float16(const Cast& cast) {
  return cast.shape == CastShape::usual && cast.drop == 13 && cast.sign_code == 0x8000 &&
         cast.infinity_code == 0x7c00 && cast.past_code == 0x7c00 && cast.rebias == 112 << 10;
}

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__F16C__))
// Whole vectors; how many numbers that were.
template <void (*encode)(const float*, std::uint16_t*)>
Count encode_vectors(const float* from, std::uint16_t* to, Count count) {
  Count i = 0;
  for (; i + kLanes <= count; i += kLanes) encode(from + i, to + i);
  return i;
}

template <Words (*decode)(const std::uint16_t*)>
Count decode_vectors(const std::uint16_t* from, float* to, Count count, bool bypass) {
  Count i = 0;
  if (bypass) {  // `to` lies on a vector's boundary
    for (; i + kLanes <= count; i += kLanes) put_past_cache(to + i, decode(from + i));
    _mm_sfence();
    return i;
  }
  for (; i + kLanes <= count; i += kLanes) put(to + i, decode(from + i));
  return i;
}

// Numbers up to the first that lies on a vector's boundary.
inline Count before_boundary(const float* to) {
  return static_cast<Count>(-reinterpret_cast<std::uintptr_t>(to) / 4 %
                            static_cast<std::uintptr_t>(kLanes));
}

inline Count encode_by_hand(const Cast& cast, const float* from, std::uint16_t* to, Count count) {
  if (cast.rounding != CastRounding::nearest_even) return 0;
  if (is_bfloat16(cast)) return encode_vectors<to_bfloat16>(from, to, count);
  return is_float16(cast) ? encode_vectors<to_float16>(from, to, count) : 0;
}

inline Count decode_by_hand(const Cast& cast, const std::uint16_t* from, float* to, Count count,
                            bool bypass) {
  if (is_bfloat16(cast)) return decode_vectors<from_bfloat16>(from, to, count, bypass);
  return is_float16(cast) ? decode_vectors<from_float16>(from, to, count, bypass) : 0;
}
#else
inline Count before_boundary(const float*) { return 0; }
inline Count encode_by_hand(const Cast&, const float*, std::uint16_t*, Count) { return 0; }
inline Count decode_by_hand(const Cast&, const std::uint16_t*, float*, Count, bool) { return 0; }
#endif

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
  const Count done = encode_by_hand(cast, from, to, count);
  cast_to(cast, from + done, to + done, count - done);
}

void decode16(const Cast& cast, const std::uint16_t* from, float* to, Count count, bool bypass) {
  Count done = 0;
  if (bypass) {
    done = before_boundary(to) < count ? before_boundary(to) : count;
    decode_from(cast, from, to, done);
  }
  done += decode_by_hand(cast, from + done, to + done, count - done, bypass);
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
