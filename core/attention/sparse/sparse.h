// Multi-head scaled dot-product attention that computes the kept pairs of a sparse mask and no
// others: time and memory follow their number, never n x m.
//
// Source: Vaswani et al., Attention Is All You Need (2017), equation 1, the softmax over the keys
// that the mask keeps; the patterns are those of core/mask.
#pragma once

#include <span>
#include <vector>

#include "core/attention/fast/fast.h"
#include "core/mask/sparse_mask.h"

namespace core {

// Row = query. The numbers mean what they mean in Attention, for a row without a key too (output 0,
// row_max -inf, row_sum and entropy 0), and for rows with a NaN or without a finite largest score.
struct SparseAttention {
  AttentionShape shape;
  // Weights of row i: entries first[i] to first[i + 1] of each head's, in the order of the mask's
  // runs: run after run, each from its first key to its last. For a row without interleaving runs
  // that is the order of `keys_into`. Both are empty unless weights are kept.
  std::vector<Index> first;  // n + 1
  std::vector<FloatBuffer> weights;
  Matrix output;   // n x (heads * d_v), head h in columns [h d_v, (h + 1) d_v)
  Matrix row_max;  // heads x n: largest scaled score
  Matrix row_sum;  // heads x n: of exp(score - row_max)
  Matrix entropy;  // heads x n: in nats, 0 to ln(number of kept keys)

  std::span<const float> row_weights(Index head, Index i) const {
    const auto row = static_cast<std::size_t>(i);
    return {weights[static_cast<std::size_t>(head)].data() + first[row],
            static_cast<std::size_t>(first[row + 1] - first[row])};
  }

  // Packed keys and values and room for the rows under way: kept between calls, of no other use.
  struct Scratch {
    FloatBuffer keys, values;
    std::vector<FloatBuffer> scores, outputs;
  } scratch;
};

// Shapes of Q, K and V as in attend_fast; keep_weights costs one float for each kept pair and head.
// InputError when they, the mask or the options do not fit, and when the options have a mask, a
// bias or another empty row than zeros: the mask is `mask`, and the rest is not to be had here;
// Cancelled when `cancel` fires (polled for every block of rows). The result does not depend on the
// number of threads. Keys must be distinct within a row, as SparseMask promises.
SparseAttention attend_sparse(const Matrix& Q, const Matrix& K, const Matrix& V,
                              const SparseMask& mask, const AttentionOptions& options,
                              const Cancel& cancel = {});

// The same into `result`, whose memory is used again where shapes allow. After Cancelled or an
// InputError `result` may be passed again, but not read.
void attend_sparse_into(const Matrix& Q, const Matrix& K, const Matrix& V, const SparseMask& mask,
                        const AttentionOptions& options, SparseAttention& result,
                        const Cancel& cancel = {});

}  // namespace core
