// One step of training taken apart into stages: the batch, the forward pass part by part, the loss,
// the backward pass in the opposite order, clipping, and the update.
#pragma once

#include <string>
#include <vector>

#include "core/task/pair/pair_fit.h"

namespace core::task {

struct SlowStage {
  enum class Kind { batch, forward, loss, backward, clip, update };
  Kind kind = Kind::batch;
  std::string part = {};  // of forward and backward: the scope, "encoder.0.forward"; empty: between
  Index token = -1;       // of a decoder that goes token by token: which one
  std::vector<std::string> operations = {};
};

struct SlowStep {
  std::vector<SlowStage> stages;
  std::vector<std::string> parameters;  // in the order of the layout
  // A row a stage, a column a parameter: from the backward pass on the norm of what the gradient
  // has come to, of the update that of what is added to the parameter.
  MatrixD norms;
  VectorD sizes;  // (parameters): their norms before the step
  std::vector<Pair> batch;
  double loss = 0;           // mean over the batch's tokens
  double gradient_norm = 0;  // of all parameters together
  double clipped_to = 0;     // the norm after clipping
  double rate = 0;
};

// The step that follows `state`, with its whole batch in one part: as fit.step makes it but for the
// order in which the batch is added up.
SlowStep slow_step(const PairFit& fit, const PairFit::State& state);

}  // namespace core::task
