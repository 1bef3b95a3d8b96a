// The trainings that the page on screen asked for, and waiting for them and all else.
#include <algorithm>
#include <chrono>
#include <thread>

#include "app/ui/model.h"

namespace ui {

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

void Model::wait() {
  const auto training = [&] {
    const auto all = trainings();
    return overtaken() || std::any_of(all.begin(), all.end(), [](const auto& run) {
             return run.state == worker::RunState::training;
           });
  };
  while (poll(), held(),
         busy() || ahead_busy_ || held_pages_.busy() || exporting() || opening() || reading() ||
             training()) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  poll();
}

}  // namespace ui
