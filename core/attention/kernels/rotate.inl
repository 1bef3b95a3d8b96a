// Pairs of numbers turned by angles whose cosines and sines are given, as RoPE does. `y` may be
// `x`.

// One pair at a time: what is left around whole vectors, and all of it without wide ones. Rounded
// as the vectors round, so that no result depends on where a row lies in memory.
inline void rotate_pair(float* first, float* second, float a, float b, float cosine, float sine) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  *first = __builtin_fmaf(a, cosine, -(b * sine));
  *second = __builtin_fmaf(b, cosine, a * sine);
#else
  *first = a * cosine - b * sine;
  *second = a * sine + b * cosine;
#endif
}

#if defined(__AVX2__)
// Four pairs. Vectors of 32 bytes also where there are wider ones: rows come from the third cache
// and go there, and of stores twice as wide fewer are under way at a time (Zen 4: a sixth slower).
inline __m256 rotated_neighbors(const float* x, const float* cosine, const float* sine) {
  const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
  const auto spread = [&](const float* from) {
    const __m256 both = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(from));
    return _mm256_permutevar_ps(both, twice);
  };
  const __m256 v = _mm256_loadu_ps(x);
  const __m256 swapped = _mm256_permute_ps(v, 0xb1);
  return _mm256_fmaddsub_ps(v, spread(cosine), _mm256_mul_ps(swapped, spread(sine)));
}
#endif

// (x[2i], x[2i + 1]). A vector holds both numbers of its pairs, so that each cosine and sine is
// needed twice; the odd lanes add what the even ones subtract.
inline void rotate_neighbors(float* y, const float* x, Int pairs, const float* cosine,
                             const float* sine) {
  Int i = 0;
  // Whole vectors are written to whole cache lines.
  const Int before = static_cast<Int>(-reinterpret_cast<std::uintptr_t>(y) % 64 / 8);
  for (; i < smaller(before, pairs); ++i) {
    rotate_pair(y + 2 * i, y + 2 * i + 1, x[2 * i], x[2 * i + 1], cosine[i], sine[i]);
  }
#if defined(__AVX2__)
  // Two cache lines are read before any is written: a read that lies a multiple of 4096 bytes
  // behind a write under way would wait for it.
  for (; i + 16 <= pairs; i += 16) {
    __m256 rotated[4];
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < 4; ++v) {
      rotated[v] = rotated_neighbors(x + 2 * i + 8 * v, cosine + i + 4 * v, sine + i + 4 * v);
    }
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < 4; ++v) _mm256_storeu_ps(y + 2 * i + 8 * v, rotated[v]);
  }
  for (; i + 4 <= pairs; i += 4) {
    _mm256_storeu_ps(y + 2 * i, rotated_neighbors(x + 2 * i, cosine + i, sine + i));
  }
#endif
  for (; i < pairs; ++i) {
    rotate_pair(y + 2 * i, y + 2 * i + 1, x[2 * i], x[2 * i + 1], cosine[i], sine[i]);
  }
}

// (x[i], x[i + pairs]).
inline void rotate_halves(float* y, const float* x, Int pairs, const float* cosine,
                          const float* sine) {
  Int i = 0;
  for (; i + kLanes <= pairs; i += kLanes) {
    const Floats a = load(x + i), b = load(x + pairs + i), c = load(cosine + i), s = load(sine + i);
    store(y + i, a * c - b * s);
    store(y + pairs + i, a * s + b * c);
  }
  for (; i < pairs; ++i) rotate_pair(y + i, y + pairs + i, x[i], x[pairs + i], cosine[i], sine[i]);
}

void rotate(const RotateRows& rows) {
  if (rows.neighbors && rows.stride == 2 * rows.pairs) {  // one long row
    return rotate_neighbors(rows.y, rows.x, rows.rows * rows.pairs, rows.cosine, rows.sine);
  }
  for (Int r = 0; r < rows.rows; ++r) {
    float* y = rows.y + r * rows.stride;
    const float* x = rows.x + r * rows.stride;
    const float *cosine = rows.cosine + r * rows.pairs, *sine = rows.sine + r * rows.pairs;
    if (rows.neighbors) {
      rotate_neighbors(y, x, rows.pairs, cosine, sine);
    } else {
      rotate_halves(y, x, rows.pairs, cosine, sine);
    }
  }
}
