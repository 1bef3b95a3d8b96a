// The content that all schemes share: tokens, and queries, keys and values made of them.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/relative/parameters.h"

namespace lab::relative {

using core::Index;
using core::MatrixD;
using core::VectorD;

struct Content {
  figure::Labels labels;  // null when the tokens are no text
  MatrixD Q, K, V;        // (n, d_k) each
  MatrixD W_q, W_k;       // (kModelWidth, d_k)
  bool cut = false;       // the text has more tokens than are used
  Index n() const { return Q.rows(); }
  Index d() const { return W_q.cols(); }
};

// An empty text gives n = 0.
Content make_content(const Parameters& p);

}  // namespace lab::relative
