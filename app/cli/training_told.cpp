#include "app/cli/training_told.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "app/cli/output.h"

namespace cli {
namespace {

using namespace std::chrono_literals;

void tell_of(const worker::RunStanding& run) {
  if (run.state != worker::RunState::training || run.reached < 0) return;
  tell(fmt::format("training: step {} of {}, {:.3g} steps a second, {:.0f} s left", run.reached,
                   run.goal, run.steps_per_s, run.seconds_left));
}

}  // namespace

TrainingTold::TrainingTold(const worker::Runs& runs)
    : thread_([&runs](const std::stop_token& quit) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        for (auto pause = 1s;; pause = 2s) {
          if (never.wait_for(lock, quit, pause, [] { return false; }) || quit.stop_requested()) {
            return;
          }
          for (const worker::RunStanding& run : runs.standing()) tell_of(run);
        }
      }) {}

}  // namespace cli
