// Transformer-XL's relative attention: Dai et al. 2019, arXiv:1901.02860, section 3.3; XLNet uses
// it unchanged. In (x_i + p_i) W_q ((x_j + p_j) W_k)^T multiplied out, p_j becomes a sinusoid
// R_{i-j} with a projection W_{k,R} of its own, and p_i W_q becomes learned vectors u and v:
//   (a) q_i . k_j  +  (b) q_i . R_{i-j} W_{k,R}  +  (c) u . k_j  +  (d) v . R_{i-j} W_{k,R}
// divided by sqrt(d_head). Secondary sources on XLNet write one W_k for both, and u W_q and v W_q
// for u and v: the same function with those products passed as `u` and `v`.
#pragma once

#include "core/position/relative/relative.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace core {

// R: sinusoidal rows of the distances i - j from n - 1 down to `lowest`, (n - lowest, d_R): lowest
// = -(m - 1) covers m keys, 0 is enough for causal attention. All sines stand before the cosines,
// as in Transformer-XL's code. n >= 1, lowest < n, d_R even, else InputError.
MatrixD relative_sinusoids(Index n, Index lowest, Index d_R,
                           const SinusoidalOptions& options = {
                               .layout = SinusoidalLayout::concatenated});

// (2 reach + 1, columns): row reach + r is R_t W x for each column x of X, with r key minus query
// and t = -r. W: (d_R, d), X: (d, columns), reach >= 0, sines before cosines, else InputError. R is
// in float (sinusoidal_table_into) and never stored whole; Cancelled when `cancel` fires.
MatrixD relative_sinusoid_curves(const MatrixD& W, const MatrixD& X, Index reach,
                                 const SinusoidalOptions& options, const Cancel& cancel = {});

// (n, m) each, unscaled.
struct RelativeTerms {
  MatrixD content;           // (a)
  MatrixD content_position;  // (b)
  MatrixD content_bias;      // (c), the same in every row
  MatrixD position_bias;     // (d), Toeplitz

  MatrixD sum() const { return content + content_position + content_bias + position_bias; }
};

// One head. Q: (n, d), K: (m, d); positions: R W_{k,R}, one row for each distance i - j from n - 1
// down, (n + m - 1, d), or (n, d) when only pairs with j <= i matter ((b) and (d) of the others are
// then 0); u, v: (d). Distances count rows and columns. InputError otherwise.
RelativeTerms relative_terms(const MatrixD& Q, const MatrixD& K, const MatrixD& positions,
                             const VectorD& u, const VectorD& v);

// Appendix B's trick. Row i of `products`, (n, n), holds q_i . R_t for t = n - 1 down to 0. With a
// column of zeros in front, the memory of (n, n + 1) read as (n + 1, n), and the first row dropped,
// q_i . R_{i-j} stands at (i, j) for j <= i. Above the diagonal are numbers of other rows.
MatrixD relative_shift(const MatrixD& products);

}  // namespace core
