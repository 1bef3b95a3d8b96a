// Adding positions and rotating by them, timed on the machine that runs this, now.
#pragma once

#include "core/types.h"

namespace core {

struct PositionTime {
  double nanoseconds = 0;  // for a token: the median of the samples
  double fastest = 0, slowest = 0;
};

struct PositionTimes {
  Index tokens = 0;  // a block of this many, again and again
  int samples = 0;
  PositionTime add;         // X + P from a table, d additions a token
  PositionTime rotate;      // q and k of every head, cosines and sines from a table
  PositionTime on_the_fly;  // the same with each token's cosines and sines computed anew
  PositionTime
      projections;  // Q, K, V and output of one layer: four d x d products, to compare with
};

// On one thread. d_model divisible by heads with an even quotient. Polls `cancel` between samples
// and tells it the share that is done.
PositionTimes time_positions(Index d_model, Index heads, double base, const Cancel& cancel);

}  // namespace core
