// Scoring functions: how well a key answers a query. Each returns the (n, m) scores of n queries
// Q (n, d_q) and m keys K (m, d_k); row = query, column = key. Shapes that do not fit are an
// InputError. Scalar is float or double.
#pragma once

#include "core/types.h"

namespace core {

// q . k. Q: (n, d), K: (m, d).
template <class Scalar>
MatrixOf<Scalar> dot_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K);

// 1 / sqrt(d_k), the scale of Vaswani et al. 2017, arXiv:1706.03762, eq. 1. d_k >= 1, else
// InputError.
template <class Scalar>
Scalar attention_scale(Index d_k);

// q . k / sqrt(d_k), the same eq. 1. Q: (n, d_k), K: (m, d_k), d_k >= 1.
template <class Scalar>
MatrixOf<Scalar> scaled_dot_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K);

// w_v . tanh(q W_q + k W_k), without biases: Bahdanau et al. 2014, arXiv:1409.0473, section A.1.2.
// Q: (n, d_q), K: (m, d_k), W_q: (d_q, h), W_k: (d_k, h), stored (in, out); w_v: (h).
template <class Scalar>
MatrixOf<Scalar> additive_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                 const MatrixOf<Scalar>& W_q, const MatrixOf<Scalar>& W_k,
                                 const VectorOf<Scalar>& w_v);

// q^T W k, the "general" score of Luong et al. 2015, arXiv:1508.04025, section 3.1. Q: (n, d_q), K:
// (m, d_k), W: (d_q, d_k).
template <class Scalar>
MatrixOf<Scalar> bilinear_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                 const MatrixOf<Scalar>& W);

// -(w |q - k|)^2 / 2, whose softmax is Nadaraya-Watson regression with a Gaussian kernel of width
// 1/w. Q: (n, d), K: (m, d); any finite w.
template <class Scalar>
MatrixOf<Scalar> gaussian_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                 Scalar w = Scalar(1));

// exp(-u^2 / 2) / sqrt(2 pi), the standard normal density.
template <class Scalar>
Scalar gaussian_kernel(Scalar u);

}  // namespace core
