// URPE: Luo et al. 2022, "Your Transformer may not be as powerful as you expect", arXiv:2205.13401,
// eq. 8: (softmax(Q K^T / sqrt(d) + B) * C) V, where C is Toeplitz, C_ij = c_{i-j}, and * is entry
// by entry. Rows of a softmax sum to 1 whatever the bias, so relative biases alone give the same
// output at every position when all tokens are equal. C removes that limit: rows of the product
// need not sum to 1.
#pragma once

#include <optional>

#include "core/position/relative/relative.h"

namespace core {

struct UrpeAttention {
  MatrixD softmax;  // (n, m)
  MatrixD C;        // (n, m)
  MatrixD product;  // softmax * C
  MatrixD output;   // product V
};

// scores: (n, m), scaled, B already added; c: one value for each i - j, laid out as in `toeplitz`;
// V: (m, d_v), else InputError.
UrpeAttention urpe_attention(const MatrixD& scores, const VectorD& c, const MatrixD& V,
                             const std::optional<Mask>& mask = std::nullopt);

}  // namespace core
