// Vectors of the widest kind that the flags of this unit allow, and the few operations on them.
#if defined(__clang__)
#define ATTNSCOPE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ATTNSCOPE_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__)
constexpr Int kLanes = 16;
constexpr Int kPanelVectors = 4;  // a tile of 6 x 4 vectors leaves 8 of 32 registers
#elif defined(__AVX2__)
constexpr Int kLanes = 8;
constexpr Int kPanelVectors = 2;  // 6 x 2 vectors leave 4 of 16
#else
constexpr Int kLanes = 4;
constexpr Int kPanelVectors = 2;
#endif
constexpr Int kTileRows = 6;
constexpr Int kWidth = kLanes * kPanelVectors;

typedef float Floats __attribute__((vector_size(kLanes * 4)));
typedef float UnalignedFloats __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
typedef std::int32_t Ints __attribute__((vector_size(kLanes * 4)));

constexpr float kInfinity = __builtin_inff();

inline Floats load(const float* p) { return *reinterpret_cast<const UnalignedFloats*>(p); }
inline void store(float* p, Floats v) { *reinterpret_cast<UnalignedFloats*>(p) = v; }

inline Floats broadcast(float x) {
#if defined(__AVX512F__)
  return _mm512_set1_ps(x);
#elif defined(__AVX2__)
  return _mm256_set1_ps(x);
#else
  return Floats{x, x, x, x};
#endif
}

// a[0], b[0], a[1], b[1], ... up to the middle of both, and from there to the end.
inline Floats interleave_low(Floats a, Floats b) {
#if defined(__AVX512F__)
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
#elif defined(__AVX2__)
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
#else
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
#endif
}

inline Floats interleave_high(Floats a, Floats b) {
#if defined(__AVX512F__)
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
#elif defined(__AVX2__)
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#else
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}

// The larger of two; `b` when one of them is NaN.
inline Floats larger(Floats a, Floats b) {
#if defined(__AVX512F__)
  return _mm512_max_ps(a, b);
#elif defined(__AVX2__)
  return _mm256_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

inline float largest(Floats v) {
#if defined(__AVX512F__)
  return _mm512_reduce_max_ps(v);
#else
  float m = v[0];
  for (Int i = 1; i < kLanes; ++i) m = v[i] > m ? v[i] : m;
  return m;
#endif
}

inline float total(Floats v) {
#if defined(__AVX512F__)
  return _mm512_reduce_add_ps(v);
#else
  float sum = v[0];
  for (Int i = 1; i < kLanes; ++i) sum += v[i];
  return sum;
#endif
}

// Writes a whole vector past the cache; p lies on a vector's boundary.
inline void store_past_cache(float* p, Floats v) {
#if defined(__AVX512F__)
  _mm512_stream_ps(p, v);
#elif defined(__AVX2__)
  _mm256_stream_ps(p, v);
#else
  store(p, v);
#endif
}

inline void finish_stores_past_cache() {
#if defined(__AVX512F__) || defined(__AVX2__)
  _mm_sfence();
#endif
}

inline Int round_down(Int i, Int step) { return i / step * step; }
inline Int round_up(Int i, Int step) { return (i + step - 1) / step * step; }
inline Int smaller(Int a, Int b) { return a < b ? a : b; }
inline Int greater(Int a, Int b) { return a > b ? a : b; }

// ln(2^-126): below it exp would be denormal, and is 0.
constexpr float kLeastExponent = -87.33654F;

// exp(x) for x <= 88. Cody and Waite's reduction x = k ln 2 + r, then the polynomial of degree 7
// from Moshier's Cephes (expf). NaN stays NaN, x <= kLeastExponent gives 0.
inline Floats exponential(Floats x) {
  const Floats clamped = larger(broadcast(kLeastExponent), x);
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
  const Floats magic = broadcast(12582912.F);
  const Floats shifted = clamped * broadcast(1.44269504088896341F) + magic;
  const Floats k = shifted - magic;
  Floats r = clamped - k * broadcast(0.693359375F);
  r = r - k * broadcast(-2.12194440e-4F);
  Floats p = broadcast(1.9875691500e-4F);
  p = p * r + broadcast(1.3981999507e-3F);
  p = p * r + broadcast(8.3334519073e-3F);
  p = p * r + broadcast(4.1665795894e-2F);
  p = p * r + broadcast(1.6666665459e-1F);
  p = p * r + broadcast(5.0000001201e-1F);
  p = p * (r * r) + r;
  p = p + broadcast(1.F);
#if defined(__AVX512F__)
  const __mmask16 keep = _mm512_cmp_ps_mask(x, broadcast(kLeastExponent), _CMP_NLE_UQ);
  return _mm512_maskz_scalef_ps(keep, p, k);
#else
  const Ints power = (reinterpret_cast<Ints>(shifted) + (127 - 0x4b400000)) << 23;
  const Ints drop = reinterpret_cast<Ints>(x <= broadcast(kLeastExponent));
  return reinterpret_cast<Floats>(reinterpret_cast<Ints>(p * reinterpret_cast<Floats>(power)) &
                                  ~drop);
#endif
}
