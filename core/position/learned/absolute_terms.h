// What adding positions to embeddings does to the scores: (x_i + p_i) W_q ((x_j + p_j) W_k)^T
// multiplied out. Every relative scheme of this folder replaces some of the four.
#pragma once

#include "core/types.h"

namespace core {

// (n, n) each, unscaled.
struct AbsoluteTerms {
  MatrixD content_content;    // x_i W_q . x_j W_k
  MatrixD content_position;   // x_i W_q . p_j W_k
  MatrixD position_content;   // p_i W_q . x_j W_k
  MatrixD position_position;  // p_i W_q . p_j W_k

  MatrixD sum() const {
    return content_content + content_position + position_content + position_position;
  }
};

// X, P: (n, d_in); W_q, W_k: (d_in, d_k), else InputError.
AbsoluteTerms absolute_terms(const MatrixD& X, const MatrixD& P, const MatrixD& W_q,
                             const MatrixD& W_k);

}  // namespace core
