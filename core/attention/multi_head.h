// Multi-head attention with everything in between kept: the slow, plain version that faster ones
// answer to. Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2:
//
//   MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O
//   head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)
//
// The h matrices W_i^Q lie side by side in W_q: head i owns columns i*d_k .. (i+1)*d_k - 1, and the
// same for W_k and, with d_v, for W_v. Concat puts head i's output into columns i*d_v ..
// (i+1)*d_v - 1. Its width h*d_v need not be the width of the embeddings.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/attention.h"
#include "core/types.h"

namespace core {

// Projections stored (in, out). A bias of size 0 means none.
template <class Scalar>
struct MultiHeadWeights {
  Index heads = 1;       // h >= 1
  MatrixOf<Scalar> W_q;  // (width of the queries' input, h*d_k)
  MatrixOf<Scalar> W_k;  // (width of the keys' input, h*d_k)
  MatrixOf<Scalar> W_v;  // (width of the values' input, h*d_v)
  MatrixOf<Scalar> W_o;  // (h*d_v, width of the output)
  VectorOf<Scalar> b_q, b_k, b_v, b_o;

  Index d_k() const { return W_q.cols() / heads; }
  Index d_v() const { return W_v.cols() / heads; }
};

template <class Scalar>
struct MultiHeadOptions {
  std::optional<Scalar> scale;  // 1 / sqrt(d_k) when not given
  std::optional<Mask> mask;     // n by m, the same for all heads
  std::vector<MatrixOf<Scalar>>
      biases;  // added to the scaled scores: none, one for all heads, or h
  EmptyRow empty_row = EmptyRow::kZeros;  // a query that sees no key: its heads' outputs are 0
};

template <class Scalar>
struct Head {
  MatrixOf<Scalar> Q, K, V;  // (n, d_k), (m, d_k), (m, d_v): the projected inputs
  Attended<Scalar> attended;
};

template <class Scalar>
struct MultiHead {
  std::vector<Head<Scalar>> heads;  // h of them
  MatrixOf<Scalar> concat;          // (n, h*d_v)
  MatrixOf<Scalar> output;          // (n, width of the output): concat W_o + b_o

  // The average of the heads' weights, (n, m): what many viewers show in place of the heads.
  MatrixOf<Scalar> mean_weights() const;
};

// Cross attention. query: (n, in_q), key: (m, in_k), value: (m, in_v), where in_* are the rows of
// W_*. InputError when shapes do not fit, heads < 1, or heads do not divide a projection's width.
// Note: where a query sees no key, its output is b_o, since only the heads' outputs are 0.
template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& query, const MatrixOf<Scalar>& key,
                             const MatrixOf<Scalar>& value, const MultiHeadWeights<Scalar>& weights,
                             const MultiHeadOptions<Scalar>& options = {});

// Self attention: query, key and value are all x, (n, d_model).
template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& x, const MultiHeadWeights<Scalar>& weights,
                             const MultiHeadOptions<Scalar>& options = {});

}  // namespace core
