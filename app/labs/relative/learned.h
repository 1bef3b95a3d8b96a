// Numbers that a model would learn for positions, drawn at random: independent rows, or rows that
// change slowly with the distance.
#pragma once

#include "app/labs/relative/content.h"

namespace lab::relative {

// Which numbers; each has a stream of its own, and what it says of a distance does not depend on
// how many rows there are.
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
