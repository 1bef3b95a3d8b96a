// Multi-head attention over the sequences of a batch: self or cross, causal or not, with padding,
// grouped key heads and a bias on scores.
#pragma once

#include <optional>

#include "core/mask/mask.h"
#include "core/model/learning/tape.h"

namespace core::model {

struct AttentionForm {
  Index heads = 1;             // of queries
  Index key_heads = 1;         // divides heads: query heads share one (Ainslie et al. 2023)
  bool causal = false;         // query i sees the keys up to i + m - n
  const Mask* mask = nullptr;  // (n, m), for all heads and sequences; alive as long as the pass
  std::optional<double> scale = {};  // 1 / sqrt(d_k) when not given
};

// softmax(scale Q K^T + bias) V for each head and sequence (Vaswani et al. 2017, equation 1). Keys
// beyond a sequence's length are masked; a query without any key has weights and output 0. With
// `factors` F it is (softmax(scale Q K^T + bias) * F) V, entry by entry (Luo et al. 2022, equation
// 8).
//   q (batch n, heads d_k), k (batch m, key_heads d_k), v (batch m, key_heads d_v)
//   y (batch n, heads d_v)
template <class S>
struct AttentionStep {
  Tensor<S> q, k, v, y;
  // Added to the scaled scores, (heads n, m) for all sequences, or (batch heads n, m); or none.
  Tensor<S> bias;
  Tensor<S> factors;  // (heads n, m) for all sequences; or none
  S* weights;         // (batch, heads, n, m)
  S* mixed;           // weights times factors, same shape; without factors the weights themselves
  Sequences queries, keys;
  AttentionForm form;
  S scale;

  Index d_k() const { return q.cols / form.heads; }
  Index d_v() const { return v.cols / form.key_heads; }
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// InputError when shapes do not fit. Names "weights" in the trace, and with factors "mixed", their
// product.
template <class S>
Tensor<S> attention(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k, const Tensor<S>& v,
                    const Sequences& queries, const Sequences& keys, const AttentionForm& form,
                    const Tensor<S>& bias = {}, const Tensor<S>& factors = {});

}  // namespace core::model
