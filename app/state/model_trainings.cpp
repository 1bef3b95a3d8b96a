// The trainings that the page on screen asked for, and waiting for them and all else.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "app/state/model.h"

namespace state {

bool Model::overtaken() const {
  return shown_ && std::any_of(shown_->runs.begin(), shown_->runs.end(), [&](const auto& run) {
           return runs_->version(run.first) != run.second;
         });
}

std::vector<worker::RunStanding> Model::trainings() const {
  std::vector<worker::RunStanding> all = runs_->standing();
  std::erase_if(all, [&](const worker::RunStanding& one) {
    return !shown_ || std::none_of(shown_->runs.begin(), shown_->runs.end(),
                                   [&](const auto& run) { return run.first == one.name; });
  });
  return all;
}

void Model::pause_trainings() {
  for (const worker::RunStanding& run : trainings()) {
    if (run.state == worker::RunState::training) runs_->pause(run.name);
  }
}

void Model::go_on_trainings() {
  for (const worker::RunStanding& run : trainings()) {
    if (run.state == worker::RunState::paused) runs_->go_on(run.name);
  }
}

void Model::step_trainings() {
  for (const worker::RunStanding& run : trainings()) {
    if (run.reached < run.goal) runs_->step(run.name);
  }
}

void Model::restart_trainings() {
  for (const worker::RunStanding& run : trainings()) runs_->drop(run.name);
  submit();
}

void Model::wait(std::optional<std::chrono::minutes> most) {
  const auto begun = Clock::now();
  const auto training = [&] {
    const auto all = trainings();
    return overtaken() || std::any_of(all.begin(), all.end(), [](const auto& run) {
             return run.state == worker::RunState::training;
           });
  };
  // What still goes on; null: nothing.
  const auto going_on = [&]() -> const char* {
    if (busy() || ahead_busy_) return "a page";
    if (held_pages_.busy()) return "a page that is held";
    if (exporting()) return "an export";
    if (opening() || reading()) return "a file that is read";
    return training() ? "a training" : nullptr;
  };
  const char* what = nullptr;
  while (poll(), held(), (what = going_on()) != nullptr) {
    if (most && Clock::now() - begun > *most) {
      throw std::runtime_error(fmt::format("waited {} minutes for {}", most->count(), what));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  poll();
}

}  // namespace state
