// A knob that goes up by itself.
#include <algorithm>
#include <cmath>

#include "app/state/model.h"

namespace state {

void Model::play(const std::string& id) {
  param::List all = list();
  const param::Parameter* p = all.find(id);
  if (!p || !p->info.active || !(p->info.plays > 0)) return;
  pause();
  end_gesture();
  player_.start(id, p->info.plays);
  if (param::number(*p) >= p->info.max) set_number(*p, p->info.min);
}

void Model::pause() {
  if (!player_.playing()) return;
  player_.stop();
  end_gesture();
}

void Model::advance(double seconds) {
  if (!player_.playing()) return;
  param::List all = list();
  const param::Parameter* p = all.find(player_.id());
  const std::optional<double> now = p && p->info.active ? param::number(*p) : std::nullopt;
  if (!now || *now >= p->info.max) return pause();
  const int steps = player_.advance(seconds, busy());
  if (steps == 0) return;
  set_number(*p, std::min(*now + steps * std::max(1.0, p->info.step), p->info.max));
}

void Model::set_number(const param::Parameter& p, double value) {
  const double fit = param::nearest(p, value);
  set(std::string(p.info.id), fmt::format("{}", std::llround(fit)), player_.gesture());
}

// The page of the step before wakes the window when it is ready.
double Model::seconds_to_step() const { return player_.seconds_to_step(busy()); }

}  // namespace state
