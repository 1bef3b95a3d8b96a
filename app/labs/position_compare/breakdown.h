// One score, taken apart into what its scheme adds up.
#pragma once

#include <vector>

#include "app/labs/position_compare/model.h"

namespace lab::position_compare {

// What a part of a score is; see the schemes' headers in core/position.
enum class PartKind {
  content,                // q . k
  content_position,       // x_i W_q . p_j W_k
  position_content,       // p_i W_q . x_j W_k
  position_position,      // p_i W_q . p_j W_k
  turned,                 // (R_i q) . (R_j k), with the factors of xPos
  alibi,                  // -slope |i - j|
  t5,                     // the bias of a bucket
  shaw,                   // q . a_clip(j - i)
  xl_distance,            // q . r_{i-j}
  xl_content,             // u . k
  xl_position,            // v . r_{i-j}
  deberta_to_position,    // q . Kr_delta(i,j)
  deberta_from_position,  // k . Qr_delta(j,i)
};

struct Part {
  PartKind kind;
  double value = 0;
  VectorD a, b;        // a . b = value; empty for a number that was looked up or is a rule
  Index row = 0;       // of the table that was looked up: clip(j - i) + k, delta, bucket
  bool inside = true;  // under the division by the root
};

struct Breakdown {
  std::vector<Part> parts;
  Index under_root = 1;  // d_k, or 3 d_k for DeBERTa
  double score = 0;      // (sum of parts inside) / sqrt(under_root) + the others
};

Breakdown break_down(const Parameters& p, const Content& content, const Scored& scored, Index i,
                     Index j);

}  // namespace lab::position_compare
