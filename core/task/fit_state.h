// How a training is made, where it stands, and what is remembered of its steps.
#pragma once

#include <vector>

#include "core/model/learning/optimizer.h"

namespace core::task {

struct FitOptions {
  model::OptimizerOptions optimizer = {.beta2 = 0.98, .decay = 0.01, .clip = 1};
  model::Schedule schedule = {.rate = 0.005, .warmup = 50};
  double smoothing = 0;  // of labels
  Index batch = 64;
  std::uint64_t seed = 0;
  Index looks_every = 10;  // steps between two looks at what is held out
  Index looked_at = 128;   // how much of it

  bool operator==(const FitOptions&) const = default;
};

// What is remembered of a step.
struct Milestone {
  Index step = 0;
  double loss = 0, gradient_norm = 0, rate = 0;
  double held_loss = 0, held_accuracy = 0;  // of the last look
  std::vector<double> more = {};            // what else that look measured, as the kind says
  bool operator==(const Milestone&) const = default;
};

// Where a training stands. Held: a score of what is held out.
template <class Held>
struct FitState {
  std::vector<float> values;          // the parameters, in the order of their layout
  model::Optimizer<float> optimizer;  // its steps() are those that were made
  double loss = 0;                    // mean over the step's own batch, before the step
  double gradient_norm = 0;           // before clipping
  double rate = 0;
  double right = 0;  // share of what was to be guessed in the step's own batch
  Held held;         // of the last look
};

// Streams of random numbers that a seed is split into.
namespace fit_streams {
inline constexpr std::uint64_t kStarts = 1, kHeld = 2, kDropout = 3, kBatches = 1000;
}

}  // namespace core::task
