// Adding and rotating, timed on the machine that runs this, now. The only numbers of the program
// that differ from run to run; nothing runs until it is asked for.
#pragma once

#include <vector>

#include "core/types.h"

namespace lab::position_compare {

struct Timing {
  double nanoseconds = 0;  // for a token: the median of the samples
  double fastest = 0, slowest = 0;
};

struct Measured {
  core::Index tokens = 0;  // a block of this many, again and again
  int samples = 0;
  Timing add;          // X + P from a table, d additions a token
  Timing rotate;       // q and k of every head, cosines and sines from a table
  Timing on_the_fly;   // the same with each token's cosines and sines computed anew
  Timing projections;  // Q, K, V and output of one layer: four d x d products, to compare with
};

// On one thread. d_model divisible by heads with an even quotient. Polls `cancel` between samples
// and tells it the share that is done.
Measured measure(core::Index d_model, core::Index heads, double base, const core::Cancel& cancel);

}  // namespace lab::position_compare
