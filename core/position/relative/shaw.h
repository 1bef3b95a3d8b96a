// Relative position representations: Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155, section
// 3.1, eqs. 3 and 4, with distances clipped as in its section 3.2:
//   e_ij = x_i W_q (x_j W_k + a^K_ij)^T / sqrt(d_z),  z_i = sum_j alpha_ij (x_j W_v + a^V_ij),
// a_ij = w_{clip(j - i, -k, k)}. Secondary sources sometimes omit the 1/sqrt(d_z).
#pragma once

#include <optional>

#include "core/position/relative/relative.h"

namespace core {

// 2k + 1 rows; row r is that of the relative position j - i = r - k. With a^V empty the values
// carry no position.
struct ShawTables {
  MatrixD key;    // (2k + 1, d_k)
  MatrixD value;  // (2k + 1, d_v), or empty

  Index clip() const { return key.rows() / 2; }
};

struct ShawAttention {
  IndexMatrix index;  // (n, m): each pair's row in the tables
  MatrixD content;    // q_i . k_j, unscaled
  MatrixD position;   // q_i . a^K_ij, unscaled
  ScoredAttention attention;
};

// Q: (n, d_k), K: (m, d_k), V: (m, d_v); tables with an odd number of rows and of those widths,
// else InputError. scale: 1/sqrt(d_k) when not given.
ShawAttention shaw_attention(const MatrixD& Q, const MatrixD& K, const MatrixD& V,
                             const ShawTables& tables,
                             const std::optional<Mask>& mask = std::nullopt,
                             std::optional<double> scale = std::nullopt);

}  // namespace core
