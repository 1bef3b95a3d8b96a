// A whole multi-head attention layer on the fast kernels: projections, attention, output
// projection.
//
// Source: Vaswani et al., Attention Is All You Need (2017), section 3.2.2.
#pragma once

#include <optional>

#include "core/attention/fast.h"
#include "core/types.h"

namespace core {

// Stored (in, out): Q = X W_q + b_q. W_q and W_k are d_model x (heads d_k), W_v d_model x (heads
// d_v), W_o (heads d_v) x d_out; head h is columns h d_k on (rows h d_v on in W_o). A bias is as
// long as its matrix is wide, or absent.
struct FastMultiHeadWeights {
  Index heads = 1;
  Matrix W_q, W_k, W_v, W_o;
  std::optional<Vector> b_q, b_k, b_v, b_o;
};

struct FastMultiHead {
  Matrix Q, K, V;
  Attention attention;
  Matrix output;  // n x d_out
};

// X_q is n x d_model, X_kv is m x d_model (the same object for self-attention). Of `options`, heads
// are taken from `weights` and a scale of 0 stands for 1 / sqrt(d_k). InputError when shapes do not
// fit; Cancelled when `cancel` fires.
FastMultiHead multi_head_forward(const Matrix& X_q, const Matrix& X_kv,
                                 const FastMultiHeadWeights& weights, const FastOptions& options,
                                 const Cancel& cancel = {});

// The same into `result`, whose memory is used again.
void multi_head_forward_into(const Matrix& X_q, const Matrix& X_kv,
                             const FastMultiHeadWeights& weights, const FastOptions& options,
                             FastMultiHead& result, const Cancel& cancel = {});

}  // namespace core
