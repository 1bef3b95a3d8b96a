#include "app/state/pages/trainings.h"

#include <algorithm>

namespace state {

bool Trainings::overtaken() const {
  const Computed* page = pages_.page();
  return page && std::any_of(page->runs.begin(), page->runs.end(), [&](const auto& run) {
           return runs_.version(run.first) != run.second;
         });
}

std::vector<worker::RunStatus> Trainings::all() const {
  std::vector<worker::RunStatus> all = runs_.status();
  const Computed* page = pages_.page();
  std::erase_if(all, [&](const worker::RunStatus& one) {
    return !page || std::none_of(page->runs.begin(), page->runs.end(),
                                 [&](const auto& run) { return run.first == one.name; });
  });
  return all;
}

bool Trainings::going_on() const {
  const auto runs = all();
  return overtaken() || std::any_of(runs.begin(), runs.end(), [](const auto& run) {
           return run.state == worker::RunState::training;
         });
}

void Trainings::pause() {
  for (const worker::RunStatus& run : all()) {
    if (run.state == worker::RunState::training) runs_.pause(run.name);
  }
}

void Trainings::go_on() {
  for (const worker::RunStatus& run : all()) {
    if (run.state == worker::RunState::paused) runs_.go_on(run.name);
  }
}

void Trainings::step() {
  for (const worker::RunStatus& run : all()) {
    if (run.reached < run.goal) runs_.step(run.name);
  }
}

void Trainings::restart() {
  for (const worker::RunStatus& run : all()) runs_.drop(run.name);
  pages_.ask();
}

}  // namespace state
