// Pairs of numbers turned by angles whose cosines and sines are given, as RoPE does. `y` may be
// `x`.

// One pair at a time: what is left around whole vectors, and all of it without wide ones. Rounded
// as the vectors round, so that no result depends on where a row lies in memory.
inline void turn_pair(float* first, float* second, float a, float b, float cosine, float sine) {
#if defined(__FMA__)
  *first = __builtin_fmaf(a, cosine, -(b * sine));
  *second = __builtin_fmaf(b, cosine, a * sine);
#else
  *first = a * cosine - b * sine;
  *second = a * sine + b * cosine;
#endif
}

#if defined(__AVX512F__)
// Eight pairs.
inline __m512 turned_neighbours(const float* x, const float* cosine, const float* sine) {
  const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  const __m512 v = _mm512_loadu_ps(x);
  const __m512 c = _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(_mm256_loadu_ps(cosine)));
  const __m512 s = _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(_mm256_loadu_ps(sine)));
  return _mm512_fmaddsub_ps(v, c, _mm512_mul_ps(_mm512_permute_ps(v, 0xb1), s));
}
#endif

// (x[2i], x[2i + 1]). A vector holds both numbers of its pairs, so that each cosine and sine is
// needed twice; the odd lanes add what the even ones subtract.
inline void turn_neighbours(float* y, const float* x, Int pairs, const float* cosine,
                            const float* sine) {
  Int i = 0;
  // Whole vectors are written to whole cache lines.
  const Int before = static_cast<Int>(-reinterpret_cast<std::uintptr_t>(y) % 64 / 8);
  for (; i < smaller(before, pairs); ++i) {
    turn_pair(y + 2 * i, y + 2 * i + 1, x[2 * i], x[2 * i + 1], cosine[i], sine[i]);
  }
#if defined(__AVX512F__)
  // Four vectors are read before any is written: a read that lies a multiple of 4096 bytes behind a
  // write under way would wait for it.
  for (; i + 32 <= pairs; i += 32) {
    __m512 turned[4];
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < 4; ++v) {
      turned[v] = turned_neighbours(x + 2 * i + 16 * v, cosine + i + 8 * v, sine + i + 8 * v);
    }
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < 4; ++v) _mm512_storeu_ps(y + 2 * i + 16 * v, turned[v]);
  }
  for (; i + 8 <= pairs; i += 8) {
    _mm512_storeu_ps(y + 2 * i, turned_neighbours(x + 2 * i, cosine + i, sine + i));
  }
#elif defined(__AVX2__)
  const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
  for (; i + 4 <= pairs; i += 4) {
    const __m256 v = _mm256_loadu_ps(x + 2 * i);
    const __m256 c =
        _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(cosine + i)), twice);
    const __m256 s =
        _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(sine + i)), twice);
    const __m256 swapped = _mm256_permute_ps(v, 0xb1);
    _mm256_storeu_ps(y + 2 * i, _mm256_fmaddsub_ps(v, c, _mm256_mul_ps(swapped, s)));
  }
#endif
  for (; i < pairs; ++i) {
    turn_pair(y + 2 * i, y + 2 * i + 1, x[2 * i], x[2 * i + 1], cosine[i], sine[i]);
  }
}

// (x[i], x[i + pairs]).
inline void turn_halves(float* y, const float* x, Int pairs, const float* cosine,
                        const float* sine) {
  Int i = 0;
  for (; i + kLanes <= pairs; i += kLanes) {
    const Floats a = load(x + i), b = load(x + pairs + i), c = load(cosine + i), s = load(sine + i);
    store(y + i, a * c - b * s);
    store(y + pairs + i, a * s + b * c);
  }
  for (; i < pairs; ++i) turn_pair(y + i, y + pairs + i, x[i], x[pairs + i], cosine[i], sine[i]);
}

void turn(const TurnRows& rows) {
  if (rows.neighbours && rows.stride == 2 * rows.pairs) {  // one long row
    return turn_neighbours(rows.y, rows.x, rows.rows * rows.pairs, rows.cosine, rows.sine);
  }
  for (Int r = 0; r < rows.rows; ++r) {
    float* y = rows.y + r * rows.stride;
    const float* x = rows.x + r * rows.stride;
    const float *cosine = rows.cosine + r * rows.pairs, *sine = rows.sine + r * rows.pairs;
    if (rows.neighbours) {
      turn_neighbours(y, x, rows.pairs, cosine, sine);
    } else {
      turn_halves(y, x, rows.pairs, cosine, sine);
    }
  }
}
