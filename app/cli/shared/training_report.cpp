#include "app/cli/shared/training_report.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

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
    : runs_(runs), w_(w), thread_([this](const std::stop_token& quit) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        for (auto pause = 1s;; pause = 2s) {
          if (never.wait_for(lock, quit, pause, [] { return false; }) || quit.stop_requested()) {
            return;
          }
          for (const worker::RunStatus& run : runs_.status()) report_on(run, w_);
        }
      }) {}

TrainingReport::~TrainingReport() {
  thread_.request_stop();
  thread_.join();
  for (const worker::RunStatus& run : runs_.status()) {
    if (run.state == worker::RunState::stopped) report(worker::why_stopped(run).in(w_));
  }
}

}  // namespace cli
