// The softmax of a row and the output it weighs, block by block, with all that is in between: what
// one row of FlashAttention does. Maximum and sum: Milakov and Gimelshein 2018, algorithm 3; the
// output with them: Rabe and Staats 2021, section 2; Dao et al. 2022, section 3.1.
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

// After a block of keys was taken in. -inf scores weigh nothing; before any finite one came the
// maximum is -inf and the sum 0.
struct OnlineStep {
  Index first = 0, count = 0;  // the block's keys
  double max_before = 0, max = 0;
  // exp(max_before - max), by which all before is multiplied; 0 where nothing was before.
  double factor = 0;
  double sum = 0;             // factor times the sum before, and the block's exponentials
  VectorD exponentials = {};  // (count): exp(score - max)
  VectorD accumulated = {};   // (d_v): factor times what was there, and the block's values by them
  VectorD output() const;     // accumulated / sum; 0 where the sum is
};

// scores (m), V (m, d_v), a block of at least 1; else InputError. The last step's output is
// softmax(scores) V within rounding, whatever the block.
std::vector<OnlineStep> online_steps(const VectorD& scores, const MatrixD& V, Index block);

}  // namespace core
