// The content that all schemes share, and the numbers that a model would learn for positions.
#pragma once

#include "app/labs/relative/parameters.h"

namespace lab::relative {

// Tokens, and queries, keys and values made of them.
struct Content {
  figure::Labels labels;  // null when the tokens are no text
  MatrixD Q, K, V;        // (n, d_k) each
  MatrixD W_q, W_k;       // (kModelWidth, d_k)
  bool cut = false;       // the text has more tokens than are used
  Index n() const { return Q.rows(); }
  Index d() const { return W_q.cols(); }
};

// n = 0 when there is no token.
Content make_content(const std::shared_ptr<const Tokens>& tokens, int width, Projection projection,
                     int seed, const Run& run);

// Learned numbers are drawn at random here. Each kind has a stream of its own, and what it says of
// a distance does not depend on how many rows there are.
enum class Learned : std::uint64_t {
  shaw_key = 101,
  shaw_value,
  position_matrix,
  bias_u,
  bias_v,
  t5_before,
  t5_after,
  deberta_key,
  deberta_query,
  urpe
};

struct LearnedSpec {
  int seed = 0;
  double size = 1;    // standard deviation
  double smooth = 0;  // neighbouring rows are correlated by exp(-1 / smooth); 0: not at all
};

// (count, d): one row after the other.
MatrixD learned_rows(Index count, Index d, Learned which, const LearnedSpec& spec);
// (before + 1 + after, d): rows of relative positions -before to after; both sides start at the row
// of 0 and go their own ways.
MatrixD learned_sides(Index before, Index after, Index d, Learned which, const LearnedSpec& spec);
// (rows, cols) independent entries of variance size² / rows.
MatrixD learned_matrix(Index rows, Index cols, Learned which, const LearnedSpec& spec);

}  // namespace lab::relative
