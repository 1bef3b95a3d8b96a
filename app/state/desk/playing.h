// A knob that goes up by itself: a whole number that says so rises to its maximum, one step of undo
// in all; at its maximum it begins anew. Any other change pauses it.
#pragma once

#include <string>

#include "app/state/desk/knobs.h"
#include "app/state/desk/player.h"

namespace state {

class Playing {
 public:
  // Both outlive it.
  Playing(Desk& desk, Knobs& knobs) : desk_(desk), knobs_(knobs) {}

  void start(const std::string& id);
  void pause();
  const std::string& id() const { return player_.id(); }  // empty: nothing plays
  double speed() const { return player_.speed(); }
  void set_speed(double speed) { player_.set_speed(speed); }

  // Advances the time. While `waiting` for the page of the step before, no step is made.
  void advance(double seconds, bool waiting);
  // Infinity when nothing plays or it waits, whose page wakes the window.
  double seconds_to_step(bool waiting) const { return player_.seconds_to_step(waiting); }
  // Names all that it sets; empty when nothing plays.
  std::string gesture() const { return player_.gesture(); }

  void follow(const Desk::Change& change);

 private:
  void set_number(const param::Parameter& p, double value);

  Desk& desk_;
  Knobs& knobs_;
  Player player_;
};

}  // namespace state
