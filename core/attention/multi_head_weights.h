// The weights of a multi-head attention layer. Vaswani et al. 2017, arXiv:1706.03762, section
// 3.2.2:
//
//   MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O
//   head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)
//
// The h matrices W_i^Q lie side by side in W_q: head i owns columns i*d_k .. (i+1)*d_k - 1, and the
// same for W_k and, with d_v, for W_v. Concat puts head i's output into columns i*d_v ..
// (i+1)*d_v - 1. Its width h*d_v need not be the width of the embeddings.
#pragma once

#include <optional>

#include "core/types.h"

namespace core {

// Projections stored (in, out): Q = X W_q + b_q. A bias is as long as its matrix is wide, or
// absent.
template <class Scalar>
struct MultiHeadWeightsOf {
  Index heads = 1;       // h >= 1
  MatrixOf<Scalar> W_q;  // (width of the queries' input, h*d_k)
  MatrixOf<Scalar> W_k;  // (width of the keys' input, h*d_k)
  MatrixOf<Scalar> W_v;  // (width of the values' input, h*d_v)
  MatrixOf<Scalar> W_o;  // (h*d_v, width of the output)
  std::optional<VectorOf<Scalar>> b_q, b_k, b_v, b_o;

  Index d_k() const { return W_q.cols() / heads; }
  Index d_v() const { return W_v.cols() / heads; }
};

using MultiHeadWeights = MultiHeadWeightsOf<float>;
using MultiHeadWeightsD = MultiHeadWeightsOf<double>;

}  // namespace core
