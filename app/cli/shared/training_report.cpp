#include "app/cli/shared/training_report.h"

#include <fmt/format.h>

#include <chrono>

#include "app/cli/shared/output.h"

namespace cli {
namespace {

using namespace std::chrono_literals;

void report_on(const worker::RunStatus& run, const words::Words& w) {
  if (run.state != worker::RunState::training || run.reached < 0) return;
  report_progress(w.format(N_("training: step {} of {}, {} steps per second, {} s left"),
                           run.reached, run.goal, fmt::format("{:.3g}", run.steps_per_s),
                           fmt::format("{:.0f}", run.seconds_left)));
}

}  // namespace

TrainingReport::TrainingReport(const worker::Runs& runs, const words::Words& w)
    : runs_(runs), w_(w) {
  thread_.emplace(ended_, mutex_, [this](const std::stop_token& quit) {
    worker::Signal::Lock lock(mutex_);
    for (auto pause = 1s;; pause = 2s) {
      const auto until = std::chrono::steady_clock::now() + pause;
      ended_.wait_until(lock, quit, until, [] { return false; });
      if (quit.stop_requested()) return;
      for (const worker::RunStatus& run : runs_.status()) report_on(run, w_);
    }
  });
}

TrainingReport::~TrainingReport() {
  thread_.reset();
  for (const worker::RunStatus& run : runs_.status()) {
    if (run.state == worker::RunState::stopped) report(worker::why_stopped(run).in(w_));
  }
}

}  // namespace cli
