#include "core/attention/fast/packed.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core::detail {
namespace {

// False when any of the values is NaN or infinite: all bits of its exponent are set.
bool all_finite(const Matrix& V, Index first, Index cols) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  std::uint32_t largest = 0;
  for (Index i = 0; i < V.rows(); ++i) {
    const float* row = V.data() + i * V.cols() + first;
    for (Index j = 0; j < cols; ++j) {
      largest = std::max(largest, std::bit_cast<std::uint32_t>(row[j]) & kExponent);
    }
  }
  return largest < kExponent;
}

// Adds to counts[b] how many keys of [c0 + (b << level), c0 + (b + 1 << level)), below c1, a row
// may see.
void count_row(const kernels::RowMask& mask, Index c0, Index c1, int level, float* counts) {
  const Index begin = std::max<Index>(mask.begin, c0), end = std::min<Index>(mask.end, c1);
  for (Index k = begin; k < end;) {
    const Index b = (k - c0) >> level, stop = std::min(end, c0 + ((b + 1) << level));
    Index seen = stop - k;
    if (mask.bits)
      seen = std::count_if(mask.bits + k, mask.bits + stop, [](auto bit) { return bit; });
    counts[b] += static_cast<float>(seen);
    k = stop;
  }
}

}  // namespace

Matrix count_allowed(const std::optional<Mask>& mask, const AttentionShape& shape, KeyRange rows,
                     KeyRange cols, int level, int threads) {
  const Index cell = Index{1} << level;
  const Index cells = round_up(cols.size(), cell) / cell;
  Matrix counts = Matrix::Zero(round_up(rows.size(), cell) / cell, cells);
  parallel_for(counts.rows(), threads, [&](Index a, int) {
    const Index end = std::min(rows.end, rows.begin + (a + 1) * cell);
    for (Index i = rows.begin + a * cell; i < end; ++i) {
      kernels::RowMask row;
      row_masks(mask, shape, i, 0, {&row, 1});
      count_row(row, cols.begin, cols.end, level, counts.data() + a * cells);
    }
  });
  return counts;
}

float checked_scale(const AttentionShape& shape, const AttentionOptions& options) {
  require_fit("attention", options, shape.n, shape.m, shape.heads);
  if (options.empty_row != EmptyRow::zeros) {
    refuse("attention", "empty rows to be zeros", "another wish");
  }
  return options.scale_for(shape.d_k);
}

float checked_sparse_scale(const char* where, const AttentionShape& shape,
                           const AttentionOptions& options) {
  if (options.mask) refuse(where, "a sparse mask only", "another in the options");
  if (!options.bias.empty()) refuse(where, "no bias with a sparse mask", "one");
  return checked_scale(shape, options);
}

void row_masks(const std::optional<Mask>& mask, const AttentionShape& shape, Index first, Index key,
               std::span<kernels::RowMask> masks) {
  Index i = first;
  for (kernels::RowMask& row : masks) {
    const KeyRange range = mask ? mask->range(i) : KeyRange{0, shape.m};
    row = {range.begin - key, range.end - key, nullptr};
    if (const bool* bits = mask ? mask->bits(i) : nullptr) {
      row.bits = reinterpret_cast<const unsigned char*>(bits) + key;
    }
    ++i;
  }
}

void scaled_queries(const Matrix& Q, const AttentionShape& shape, Index head, Index first,
                    Index rows, float scale, float* queries) {
  constexpr Index kAhead = 8;  // rows far apart, which the processor does not foresee by itself
  const Index stride = Q.cols(), last = Q.rows() - 1;
  for (Index r = 0; r < rows; ++r) {
    const float* row = Q.data() + head * shape.d_k;
    const float* soon = row + std::min(first + r + kAhead, last) * stride;
    for (Index k = 0; k < shape.d_k; k += 16) __builtin_prefetch(soon + k);
    const float* from = row + (first + r) * stride;
    for (Index k = 0; k < shape.d_k; ++k) queries[r * shape.d_k + k] = from[k] * scale;
  }
}

const float* bias_of(const AttentionOptions& options, Index head, Index row, Index m) {
  if (options.bias.empty()) return nullptr;
  const std::size_t which = options.bias.size() == 1 ? 0 : static_cast<std::size_t>(head);
  return options.bias[which]->data() + row * m;
}

PackedHeads::PackedHeads(const Matrix& K, const Matrix& V, const AttentionShape& shape,
                         const kernels::Table& table, int threads, FloatBuffer& keys,
                         FloatBuffer& values)
    : d_v_(shape.d_v), finite_(static_cast<std::size_t>(shape.heads)) {
  const Index width = table.width, m = shape.m, d_k = shape.d_k;
  keys_each_ = round_up(m, width) * d_k;
  values_each_ = round_up(d_v_, width) * m;
  keys_ = keys.reserve(shape.heads * keys_each_);
  values_ = values.reserve(shape.heads * values_each_);
  // Even numbers pack a head's keys, odd ones its values.
  parallel_for(2 * shape.heads, threads, [&](Index task, int) {
    const Index head = task / 2;
    if (task % 2 == 0) {
      for (Index j = 0; j < m; j += width) {
        table.pack_rows(K.data() + j * K.cols() + head * d_k, K.cols(), std::min(width, m - j), d_k,
                        keys_ + head * keys_each_ + j * d_k);
      }
      return;
    }
    // Without keys V has no memory to step into.
    for (Index c = 0; m > 0 && c < d_v_; c += width) {
      table.pack_columns(V.data() + head * d_v_ + c, V.cols(), m, std::min(width, d_v_ - c),
                         values_ + head * values_each_ + c * m);
    }
    finite_[static_cast<std::size_t>(head)] = m == 0 || all_finite(V, head * d_v_, d_v_);
  });
}

}  // namespace core::detail
