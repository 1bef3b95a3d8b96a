#include "app/state/desk/player.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace state {

void Player::start(const std::string& id, double rate) {
  id_ = id;
  rate_ = rate;
  due_ = 0;
}

int Player::advance(double seconds, bool waiting) {
  if (!playing()) return 0;
  due_ += std::clamp(seconds, 0.0, kLongestFrame) * rate_ * speed_;
  if (waiting) due_ = std::min(due_, 1.0);
  if (waiting || due_ < 1) return 0;
  const double steps = std::floor(due_);
  due_ -= steps;
  return static_cast<int>(steps);
}

double Player::seconds_to_step(bool waiting) const {
  if (!playing() || waiting) return std::numeric_limits<double>::infinity();
  return std::max(0.0, (1 - due_) / (rate_ * speed_));
}

}  // namespace state
