// How something was learned: loss, accuracy on what is held out and the gradient's norm against
// steps.
#pragma once

#include "app/labs/shared/model/learned.h"
#include "app/labs/shared/parts.h"

namespace lab {

struct TrainingCurves {
  const Course& course;
  std::string loss, accuracy, caption;  // of the axes and the figure, translated
  std::string name = {};                // of its accuracy, where another stands beside it
  const Course* beside = nullptr;       // of another model of the task
  std::string beside_name = {};
  bool held_out = true;  // what is looked at was never trained on
};

// The figure "training" with the plots "loss", "accuracy" and "norm".
Figure training_curves(const TrainingCurves& curves, const Words& w);

}  // namespace lab
