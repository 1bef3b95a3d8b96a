// The trainings that the page on screen shows.
#pragma once

#include <vector>

#include "app/state/pages/pages.h"
#include "app/worker/runs.h"

namespace state {

class Trainings {
 public:
  // Both outlive it.
  Trainings(Pages& pages, worker::Runs& runs) : pages_(pages), runs_(runs) {}

  std::vector<worker::RunStatus> all() const;
  bool going_on() const;
  bool overtaken() const;  // one has gone on since the page was made
  // All together: a page with one training paused and another running would never rest.
  void pause();
  void go_on();
  void step();     // one step of each that is not done
  void restart();  // forgets their steps and begins anew

 private:
  Pages& pages_;
  worker::Runs& runs_;
};

}  // namespace state
