#include "app/state/desk/playing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace state {

void Playing::start(const std::string& id) {
  param::List all = desk_.list();
  const param::Parameter* p = all.find(id);
  if (!p || !p->info.active || !(p->info.plays > 0)) return;
  pause();
  desk_.end_gesture();
  player_.start(id, p->info.plays);
  if (param::number(*p) >= p->info.max) set_number(*p, p->info.min);
}

void Playing::pause() {
  if (!player_.playing()) return;
  player_.stop();
  desk_.end_gesture();
}

void Playing::advance(double seconds, bool waiting) {
  if (!player_.playing()) return;
  param::List all = desk_.list();
  const param::Parameter* p = all.find(player_.id());
  const std::optional<double> now = p && p->info.active ? param::number(*p) : std::nullopt;
  if (!now || *now >= p->info.max) return pause();
  const int steps = player_.advance(seconds, waiting);
  if (steps == 0) return;
  set_number(*p, std::min(*now + steps * std::max(1.0, p->info.step), p->info.max));
}

void Playing::set_number(const param::Parameter& p, double value) {
  const double fit = param::nearest(p, value);
  knobs_.set(std::string(p.info.id), fmt::format("{}", std::llround(fit)), player_.gesture());
}

// Somebody draws while talking about what plays: that goes on.
void Playing::follow(const Desk::Change& change) {
  using Kind = Desk::Change::Kind;
  if (change.kind == Kind::strokes || change.kind == Kind::language) return;
  if (change.gesture != player_.gesture()) player_.stop();
}

}  // namespace state
