// A whole-number parameter that goes up by itself, so many steps a second.
#pragma once

#include <string>

namespace state {

// Longest time of one frame, in seconds, for what plays or sweeps: a window that slept does not
// catch up.
inline constexpr double kLongestFrame = 0.1;

class Player {
 public:
  // `id` names the parameter, `rate` is steps a second, above 0.
  void start(const std::string& id, double rate);
  void stop() { id_.clear(); }
  // Factor on the rate; kept for what plays next.
  double speed() const { return speed_; }
  void set_speed(double speed) { speed_ = speed; }
  bool playing() const { return !id_.empty(); }
  const std::string& id() const { return id_; }  // empty: nothing plays
  // Gesture of all values that it sets, so that they are one step of undo; empty when nothing
  // plays.
  std::string gesture() const { return playing() ? "play." + id_ : std::string(); }

  // Advances the time and returns how many steps are due. While `waiting` for the step before none
  // is, and at most one is saved up.
  int advance(double seconds, bool waiting);
  // Infinity when nothing plays or it waits.
  double seconds_to_step(bool waiting) const;

 private:
  std::string id_;
  double speed_ = 1;
  double rate_ = 0, due_ = 0;  // due: steps that have not been taken yet
};

}  // namespace state
