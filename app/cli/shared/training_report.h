// A training that takes long tells how far it is, on the standard error.
#pragma once

#include "app/words/words.h"
#include "app/worker/runs.h"
#include "app/worker/signal.h"

namespace cli {

// While it lives. Nothing is said of what is done within a second; but at the end, which training
// stopped before it was where it should be, and why.
class TrainingReport {
 public:
  TrainingReport(const worker::Runs& runs, const words::Words& w);
  ~TrainingReport();
  TrainingReport(const TrainingReport&) = delete;
  TrainingReport& operator=(const TrainingReport&) = delete;

 private:
  const worker::Runs& runs_;
  const words::Words& w_;
  std::mutex mutex_;
  worker::Signal ended_;
  std::optional<worker::Listener> thread_;
};

}  // namespace cli
