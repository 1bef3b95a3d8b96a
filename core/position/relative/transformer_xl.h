// Transformer-XL's relative attention: Dai et al. 2019, arXiv:1901.02860, section 3.3; XLNet uses
// it unchanged. Of (x_i + p_i) W_q ((x_j + p_j) W_k)^T multiplied out, p_j becomes a sinusoid
// R_{i-j} with a projection W_{k,R} of its own, and p_i W_q becomes learned vectors u and v:
//   (a) q_i . k_j  +  (b) q_i . R_{i-j} W_{k,R}  +  (c) u . k_j  +  (d) v . R_{i-j} W_{k,R}
// divided by sqrt(d_head). Retellings of XLNet write one W_k for both and u W_q, v W_q: that form
// is the same function with those products passed as `u` and `v`.
#pragma once

#include "core/position/relative/relative.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace core {

// R: sinusoidal rows of the distances i - j from n - 1 down to -(m - 1), (n + m - 1, d_R); with
// `lowest` 0 only down to 0, all that causal attention needs. Transformer-XL's code lays sines and
// cosines out concatenated. n, m >= 1, d_R even, else InputError.
MatrixD relative_sinusoids(Index n, Index lowest, Index d_R,
                           const SinusoidalOptions& options = {
                               .layout = SinusoidalLayout::concatenated});

// R_t W x for each column x of X at key minus query from -reach to reach, t its opposite:
// (2 reach + 1, columns). W: (d_R, d), X: (d, columns), reach >= 0, sines before cosines, else
// InputError. R is in float (sinusoidal_table_into) and never whole; Cancelled when `cancel` fires.
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

// One head. Q: (n, d), K: (m, d); positions: R W_{k,R}, one row for each distance from n - 1 down,
// (n + m - 1, d), or (n, d) when only pairs with j <= i matter (the others' (b) and (d) are then
// 0); u, v: (d). Distances count rows and columns, i - j. InputError otherwise.
RelativeTerms relative_terms(const MatrixD& Q, const MatrixD& K, const MatrixD& positions,
                             const VectorD& u, const VectorD& v);

// Appendix B's trick: row i of `products` (n, n) holds q_i . R_t for t = n - 1 down to 0; a column
// of zeros put in front, the same memory read with rows one longer, and the first row dropped give
// q_i . R_{i-j} at (i, j) for j <= i. Above the diagonal stand left-overs of other rows.
MatrixD relative_shift(const MatrixD& products);

}  // namespace core
