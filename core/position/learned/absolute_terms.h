// The scores of embeddings with positions added, (x_i + p_i) W_q ((x_j + p_j) W_k)^T, multiplied
// out into four terms. Each relative scheme (core/position/relative) replaces some of them.
#pragma once

#include <utility>

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

// How an embedding x and a position vector p are joined: x + p, or [x; p] of twice the width.
// Adding is concatenating with the two blocks of the projection tied.
enum class Joining { added, concatenated };
MatrixD join_positions(const MatrixD& X, const MatrixD& P, Joining how);

enum class AbsoluteTerm { content_content, content_position, position_content, position_position };

// Attention of one head over tokens with positions, and over the same tokens without.
struct AbsoluteScores {
  MatrixD X, P;      // (n, d)
  MatrixD W_q, W_k;  // (d or 2 d, d_k)
  Joining joining = Joining::added;
  AbsoluteTerms terms = {};
  MatrixD scores = {}, weights = {};  // (n, n): scaled, and their softmax
  MatrixD content_weights = {};       // the same without positions

  Index n() const { return X.rows(); }
  Index d_k() const { return W_q.cols(); }
  double scale() const;  // 1 / sqrt(d_k)
  const MatrixD& term(AbsoluteTerm which) const;
  // The two vectors, (d_k) each, whose product is that term of the pair: the query's and the key's.
  std::pair<VectorD, VectorD> vectors(AbsoluteTerm which, Index i, Index j) const;
  // Weights (m, m) of other tokens x at other positions p, (m, d) each, with the same projections.
  MatrixD weights_of(const MatrixD& x, const MatrixD& p) const;
};
// X, P: (n, d); W_q, W_k: (d, d_k), concatenated (2 d, d_k), else InputError.
AbsoluteScores absolute_scores(MatrixD X, MatrixD P, MatrixD W_q, MatrixD W_k, Joining joining);

}  // namespace core
