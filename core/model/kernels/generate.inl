// What generation computes for one token: rows of stored numbers against a vector; a part of
// layers.inl.

inline Floats load_stored(const float* p) { return load(p); }

// bfloat16 is the upper half of a float32. By hand where there are instructions for it: gcc takes
// the codes apart and joins them again.
inline Floats load_stored(const std::uint16_t* p) {
#if defined(__AVX512F__)
  const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(codes), 16));
#elif defined(__AVX2__)
  const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(codes), 16));
#else
  typedef std::uint16_t Halves __attribute__((vector_size(kLanes * 2), aligned(2), may_alias));
  typedef std::uint32_t Words __attribute__((vector_size(kLanes * 4)));
  const Words words = __builtin_convertvector(*reinterpret_cast<const Halves*>(p), Words);
  return reinterpret_cast<Floats>(words << 16);
#endif
}

inline float stored_number(float x) { return x; }
inline float stored_number(std::uint16_t code) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(code) << 16);
}

// Sums that do not wait for one another; the same ones whatever else is computed beside. One row
// after the other, as processors look ahead along one stream best: two at once, or asking for what
// comes, is slower by a fifth to a half where rows come from memory.
template <class T>
float stored_dot(const T* row, const float* x, Int count) {
  constexpr Int kSums = 4, kStep = kSums * kLanes;
  Floats sums[kSums] = {};
  Int i = 0;
  for (; i + kStep <= count; i += kStep) {
    ATTNSCOPE_UNROLL
    for (Int k = 0; k < kSums; ++k) {
      sums[k] += load_stored(row + i + k * kLanes) * load(x + i + k * kLanes);
    }
  }
  for (; i + kLanes <= count; i += kLanes) sums[0] += load_stored(row + i) * load(x + i);
  float sum = total((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < count; ++i) sum += stored_number(row[i]) * x[i];
  return sum;
}

template <class T>
void dots(const Dots& d) {
  const T* rows = static_cast<const T*>(d.rows);
  for (Int i = 0; i < d.count; ++i) {
    for (Int k = 0; k < d.inputs; ++k) {
      d.y[k * d.y_stride + i] = stored_dot(rows + i * d.cols, d.x + k * d.x_stride, d.cols);
    }
  }
}

// `vectors` vectors of columns stay in registers while all rows go by.
template <Int vectors, class T>
void add_columns(const T* rows, const StoredMixture& m, Int column) {
  Floats sums[vectors];
  ATTNSCOPE_UNROLL
  for (Int k = 0; k < vectors; ++k) sums[k] = load(m.y + column + k * kLanes);
  for (Int j = 0; j < m.count; ++j) {
    const T* row = rows + j * m.cols + column;
    const Floats p = broadcast(m.p[j]);
    ATTNSCOPE_UNROLL
    for (Int k = 0; k < vectors; ++k) sums[k] += p * load_stored(row + k * kLanes);
  }
  ATTNSCOPE_UNROLL
  for (Int k = 0; k < vectors; ++k) store(m.y + column + k * kLanes, sums[k]);
}

template <class T>
void add_mixture(const StoredMixture& m) {
  const T* rows = static_cast<const T*>(m.rows);
  Int column = 0;
  for (; column + 4 * kLanes <= m.cols; column += 4 * kLanes) add_columns<4>(rows, m, column);
  for (; column + kLanes <= m.cols; column += kLanes) add_columns<1>(rows, m, column);
  for (; column < m.cols; ++column) {
    for (Int j = 0; j < m.count; ++j) {
      m.y[column] += m.p[j] * stored_number(rows[j * m.cols + column]);
    }
  }
}
