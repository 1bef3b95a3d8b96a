// The trainings that the page on screen asked for.
#include <algorithm>

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

}  // namespace ui
