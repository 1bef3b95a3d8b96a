// Multi-head scaled dot-product attention with every weight kept: fused, vectorised, on all cores.
// The plain version that it answers to is the double loop in tests/core/attention/naive.h.
//
// Source: Vaswani et al., Attention Is All You Need (2017), equation 1, for each head:
// weights = softmax(scale Q K^T + bias), output = weights V.
#pragma once

#include <vector>

#include "core/attention/fast/buffer.h"
#include "core/attention/options.h"
#include "core/types.h"

namespace core {

struct AttentionShape {
  Index n = 0, m = 0, heads = 0, d_k = 0, d_v = 0;
  bool operator==(const AttentionShape&) const = default;
};

// Row = query. A row without an allowed key has weights and output 0, row_max -inf, row_sum and
// entropy 0. A row with a NaN score, or whose largest score is not finite, is NaN in every allowed
// weight, in the output and in the three numbers; masked weights are 0 even there, and a masked
// key's value has no influence, whatever it is. Weights below 2^-126 times the row's largest are 0.
struct Attention {
  AttentionShape shape;
  std::vector<HeadWeights> weights;  // one n x m for each head; none unless kept
  Matrix output;                     // n x (heads * d_v), head h in columns [h d_v, (h + 1) d_v)
  Matrix row_max;                    // heads x n: largest scaled score (bias included)
  Matrix row_sum;                    // heads x n: of exp(score - row_max)
  Matrix entropy;                    // heads x n: in nats, 0 to ln(number of allowed keys)

  // Packed keys and values, and room for the rows under way: kept between calls, of no other use.
  struct Scratch {
    FloatBuffer keys, values;
    std::vector<FloatBuffer> rows;
  } scratch;
};

// Q is n x (heads d_k), K m x (heads d_k), V m x (heads d_v); head h is columns h d_k to
// (h + 1) d_k. n, m >= 0; d_k, d_v >= 1 unless the matrices are empty. InputError otherwise.
AttentionShape attention_shape(const Matrix& Q, const Matrix& K, const Matrix& V, Index heads);

// InputError when shapes, mask, bias or options do not fit, or an empty row is to be anything but
// zeros; Cancelled when `cancel` fires (polled for every block of rows). The output, weights,
// row_max, row_sum and entropy do not depend on the number of threads.
Attention attend_fast(const Matrix& Q, const Matrix& K, const Matrix& V,
                      const AttentionOptions& options, const Cancel& cancel = {});

// The same into `result`, whose memory is used again where shapes allow: fresh pages cost as much
// as the arithmetic. After Cancelled or an InputError `result` may be passed again, but not read.
void attend_fast_into(const Matrix& Q, const Matrix& K, const Matrix& V,
                      const AttentionOptions& options, Attention& result,
                      const Cancel& cancel = {});

}  // namespace core
