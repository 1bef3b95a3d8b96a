// A training that takes long tells how far it is, on the standard error.
#pragma once

#include <thread>

#include "app/worker/runs.h"

namespace cli {

// While it lives. Nothing is said of what is done within a second.
class TrainingTold {
 public:
  explicit TrainingTold(const worker::Runs& runs);

 private:
  std::jthread thread_;
};

}  // namespace cli
