// Shared by the drivers of the fast kernels (fast.cpp, streaming.cpp): checked inputs, and heads
// packed into panels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/attention/fast/fast.h"

namespace core::detail {

// The scale of the options, which the fast versions can do: InputError unless mask, bias and scale
// fit `shape` and empty rows are zeros.
float checked_scale(const AttentionShape& shape, const AttentionOptions& options);

// The same where a sparse mask is given: InputError, too, when the options have a mask or a bias.
float checked_sparse_scale(const char* where, const AttentionShape& shape,
                           const AttentionOptions& options);

// Masks of the rows [first, first + masks.size()), the keys counted from `key` on.
void row_masks(const std::optional<Mask>& mask, const AttentionShape& shape, Index first, Index key,
               std::span<kernels::RowMask> masks);

// Allowed pairs in each block of 2^level x 2^level of those rows and columns, the last ones cut
// off.
Matrix count_allowed(const std::optional<Mask>& mask, const AttentionShape& shape, KeyRange rows,
                     KeyRange cols, int level, int threads);

// queries[r][k] = scale * Q[first + r][head d_k + k].
void scaled_queries(const Matrix& Q, const AttentionShape& shape, Index head, Index first,
                    Index rows, float scale, float* queries);

// Bias of one row for head `head`, or null.
const float* bias_of(const AttentionOptions& options, Index head, Index row, Index m);

// Entropy of a row, in nats, from what its softmax left behind (kernels::RowStats).
float entropy(float sum, float weighted);

// Keys and values of every head, packed.
class PackedHeads {
 public:
  // Packs on `threads` threads into the two buffers, which must outlive this.
  PackedHeads(const Matrix& K, const Matrix& V, const AttentionShape& shape,
              const kernels::Table& table, int threads, FloatBuffer& keys, FloatBuffer& values);

  const float* keys(Index head) const { return keys_ + head * keys_each_; }
  kernels::Values values(Index head) const {
    return {values_ + head * values_each_, d_v_, finite_[static_cast<std::size_t>(head)] != 0};
  }

 private:
  float* keys_;
  float* values_;
  Index keys_each_, values_each_, d_v_;
  std::vector<unsigned char> finite_;
};

}  // namespace core::detail
