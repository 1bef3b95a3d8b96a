// How something was learned: loss, accuracy on what is held out and the gradient's norm against
// steps.
#pragma once

#include "app/labs/shared/parts.h"
#include "core/task/fit.h"

namespace lab {

struct TrainingCourse {
  const std::vector<core::task::Milestone>& history;
  Index step = 0, steps = 0;            // the one that is shown; of all
  bool here = false;                    // a click goes to a step, and it plays
  std::string loss, accuracy, caption;  // of the axes and the figure, translated
  std::string name = {};                // of its accuracy, where another stands beside it
  const std::vector<core::task::Milestone>* beside = nullptr;  // of another model of the task
  Index beside_steps = 0;
  std::string beside_name = {};
};

// The figure "training" with the plots "loss", "accuracy" and "norm".
Figure training_curves(const TrainingCourse& course, const Words& w);

}  // namespace lab
