// Packing and the tile that all matrix products are made of: up to 6 rows times one panel.

void pack_columns(const float* from, Int stride, Int depth, Int cols, float* panel) {
  constexpr Int kAhead = 8;  // rows far apart, which the processor does not foresee by itself
  for (Int k = 0; k < depth; ++k, from += stride, panel += kWidth) {
    if (k + kAhead < depth) {
      for (Int j = 0; j < cols; j += 16) __builtin_prefetch(from + kAhead * stride + j);
    }
    if (cols == kWidth) {
      ATTNSCOPE_UNROLL
      for (Int v = 0; v < kPanelVectors; ++v) store(panel + v * kLanes, load(from + v * kLanes));
    } else {
      for (Int j = 0; j < cols; ++j) panel[j] = from[j];
      for (Int j = cols; j < kWidth; ++j) panel[j] = 0;
    }
  }
}

// kLanes rows of kLanes floats, `stride` apart, to their transpose, `to_stride` apart. Each pass
// interleaves the first half of the rows with the second: what a perfect shuffle does to the bits
// of (row, column), and log2(kLanes) of them swap the two.
void transpose(const float* from, Int stride, float* to, Int to_stride) {
  Floats a[kLanes], b[kLanes];
  ATTNSCOPE_UNROLL
  for (Int i = 0; i < kLanes; ++i) a[i] = load(from + i * stride);
  ATTNSCOPE_UNROLL
  for (Int pass = 1; pass < kLanes; pass *= 2) {
    ATTNSCOPE_UNROLL
    for (Int i = 0; i < kLanes / 2; ++i) {
      b[2 * i] = interleave_low(a[i], a[i + kLanes / 2]);
      b[2 * i + 1] = interleave_high(a[i], a[i + kLanes / 2]);
    }
    ATTNSCOPE_UNROLL
    for (Int i = 0; i < kLanes; ++i) a[i] = b[i];
  }
  ATTNSCOPE_UNROLL
  for (Int i = 0; i < kLanes; ++i) store(to + i * to_stride, a[i]);
}

void pack_rows(const float* from, Int stride, Int cols, Int depth, float* panel) {
  for (Int j = 0; j < cols; ++j) {
    for (Int k = 0; k < depth; k += 16) __builtin_prefetch(from + j * stride + k);
  }
  for (Int j = 0; j < kWidth; j += kLanes) {
    Int k = 0;
    for (; j + kLanes <= cols && k + kLanes <= depth; k += kLanes) {
      transpose(from + j * stride + k, stride, panel + k * kWidth + j, kWidth);
    }
    for (; k < depth; ++k) {
      for (Int i = j; i < j + kLanes; ++i) {
        panel[k * kWidth + i] = i < cols ? from[i * stride + k] : 0;
      }
    }
  }
}

// kTransposed: a is depth x rows, the transposed of what is multiplied.
template <Int kRows, Int kVectors, bool kTransposed = false>
void multiply_tile(const float* a, Int a_stride, const float* panel, Int depth, float* c,
                   Int c_stride, bool add) {
  Floats sums[kRows][kVectors];
  ATTNSCOPE_UNROLL
  for (Int r = 0; r < kRows; ++r) {
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < kVectors; ++v) {
      sums[r][v] = add ? load(c + r * c_stride + v * kLanes) : Floats{};
    }
  }
  for (Int k = 0; k < depth; ++k) {
    Floats b[kVectors];
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < kVectors; ++v) b[v] = load(panel + k * kWidth + v * kLanes);
    ATTNSCOPE_UNROLL
    for (Int r = 0; r < kRows; ++r) {
      const Floats x = broadcast(kTransposed ? a[k * a_stride + r] : a[r * a_stride + k]);
      ATTNSCOPE_UNROLL
      for (Int v = 0; v < kVectors; ++v) sums[r][v] += x * b[v];
    }
  }
  ATTNSCOPE_UNROLL
  for (Int r = 0; r < kRows; ++r) {
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < kVectors; ++v) store(c + r * c_stride + v * kLanes, sums[r][v]);
  }
}

using TileFunction = void (*)(const float*, Int, const float*, Int, float*, Int, bool);

template <Int kVectors, bool kTransposed>
TileFunction tile_of(Int rows) {
  switch (rows) {
    case 1: return multiply_tile<1, kVectors, kTransposed>;
    case 2: return multiply_tile<2, kVectors, kTransposed>;
    case 3: return multiply_tile<3, kVectors, kTransposed>;
    case 4: return multiply_tile<4, kVectors, kTransposed>;
    case 5: return multiply_tile<5, kVectors, kTransposed>;
    default: return multiply_tile<6, kVectors, kTransposed>;
  }
}

template <bool kTransposed = false>
TileFunction tile_of(Int rows, Int cols) {
  const Int vectors = (cols + kLanes - 1) / kLanes;
  if (vectors >= kPanelVectors) return tile_of<kPanelVectors, kTransposed>(rows);
  if constexpr (kPanelVectors > 2) {
    if (vectors == 3) return tile_of<3, kTransposed>(rows);
    if (vectors == 2) return tile_of<2, kTransposed>(rows);
  }
  return tile_of<1, kTransposed>(rows);
}

template <bool kTransposed>
void multiply_by_tiles(const float* a, Int a_stride, Int rows, const float* panel, Int cols,
                       Int depth, float* c, Int c_stride, bool add) {
  const TileFunction full = tile_of<kTransposed>(kTileRows, cols);
  const Int step = kTransposed ? 1 : a_stride;  // from one row of the product to the next
  Int r = 0;
  for (; r + kTileRows <= rows; r += kTileRows) {
    full(a + r * step, a_stride, panel, depth, c + r * c_stride, c_stride, add);
  }
  if (r == rows) return;
  tile_of<kTransposed>(rows - r, cols)(a + r * step, a_stride, panel, depth, c + r * c_stride,
                                       c_stride, add);
}

void multiply(const float* a, Int a_stride, Int rows, const float* panel, Int cols, Int depth,
              float* c, Int c_stride, bool add) {
  multiply_by_tiles<false>(a, a_stride, rows, panel, cols, depth, c, c_stride, add);
}

void multiply_transposed(const float* a, Int a_stride, Int rows, const float* panel, Int cols,
                         Int depth, float* c, Int c_stride, bool add) {
  multiply_by_tiles<true>(a, a_stride, rows, panel, cols, depth, c, c_stride, add);
}
