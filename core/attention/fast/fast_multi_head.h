// A whole multi-head attention layer on the fast kernels: projections, attention, output
// projection.
//
// Source: Vaswani et al., Attention Is All You Need (2017), section 3.2.2.
#pragma once

#include "core/attention/fast/fast.h"
#include "core/attention/fast/gemm.h"
#include "core/attention/multi_head_weights.h"
#include "core/types.h"

namespace core {

struct FastMultiHead {
  Matrix Q, K, V;
  Attention attention;
  Matrix output;  // n x d_out
};

// A layer's weights, packed once for the kernels of `isa`: for many inputs.
struct PackedMultiHeadWeights {
  explicit PackedMultiHeadWeights(const MultiHeadWeights& weights, int threads = 0,
                                  Isa isa = Isa::best);
  Index heads;
  PackedMatrix W_q, W_k, W_v, W_o;
  std::optional<Vector> b_q, b_k, b_v, b_o;
};

// X_q is n x d_model, X_kv is m x d_model (the same object for self-attention). InputError when
// shapes do not fit or the options speak of other heads than the weights; Cancelled when `cancel`
// fires.
FastMultiHead multi_head_forward(const Matrix& X_q, const Matrix& X_kv,
                                 const MultiHeadWeights& weights, const AttentionOptions& options,
                                 const Cancel& cancel = {});

// The same into `result`, whose memory is used again.
void multi_head_forward_into(const Matrix& X_q, const Matrix& X_kv, const MultiHeadWeights& weights,
                             const AttentionOptions& options, FastMultiHead& result,
                             const Cancel& cancel = {});

// The same with packed weights, to the last bit. InputError, too, when the options ask for other
// kernels than those that the weights are packed for.
void multi_head_forward_into(const Matrix& X_q, const Matrix& X_kv,
                             const PackedMultiHeadWeights& weights, const AttentionOptions& options,
                             FastMultiHead& result, const Cancel& cancel = {});

}  // namespace core
