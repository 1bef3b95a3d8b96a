// Scaled dot-product attention of one head, forward and backward: the slow, plain version that
// faster ones answer to. Vaswani et al. 2017, arXiv:1706.03762, section 3.2.1, eq. 1:
//
//   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
//
// Q: (n, d_k), K: (m, d_k), V: (m, d_v). Row = query, column = key. Scalar is float or double.
// n, m and d_v may be 0; d_k may be 0 only when the scale is given.
#pragma once

#include "core/attention/options.h"
#include "core/types.h"

namespace core {

template <class Scalar>
struct Attended {
  MatrixOf<Scalar> scores;   // (n, m): q . k, masked pairs too
  MatrixOf<Scalar> scaled;   // (n, m): scale * scores + bias, masked pairs too
  MatrixOf<Scalar> weights;  // (n, m): masked softmax of `scaled`; rows sum to 1 or are empty
  MatrixOf<Scalar> output;   // (n, d_v): weights V
};

// The mask is applied by index: a masked pair has weight exactly 0, and a NaN or infinity in a
// masked key or value does not reach the output. InputError when shapes do not fit, the scale is
// not finite, or the options speak of more than one head (multi_head.h is for those).
template <class Scalar>
Attended<Scalar> attend(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                        const MatrixOf<Scalar>& V, const AttentionOptionsOf<Scalar>& options = {});

template <class Scalar>
struct AttendGradients {
  MatrixOf<Scalar> Q, K, V;  // of the shapes of Q, K and V
  MatrixOf<Scalar> scaled;   // (n, m): with respect to the scaled scores, so also to the bias
};

// The gradients of a loss, given its gradient with respect to the output, (n, d_v), and the weights
// (n, m) that `attend` returned for the same Q, K, V and options. With dP = dO V^T and P the
// weights:
//   dS = P * (dP - rowsum(P * dP)),  dQ = scale dS K,  dK = scale dS^T Q,  dV = P^T dO.
// Rows that are empty under EmptyRow::zeros have no gradient. InputError as for `attend`.
template <class Scalar>
AttendGradients<Scalar> attend_backward(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                        const MatrixOf<Scalar>& V, const MatrixOf<Scalar>& weights,
                                        const MatrixOf<Scalar>& grad_output,
                                        const AttentionOptionsOf<Scalar>& options = {});

}  // namespace core
