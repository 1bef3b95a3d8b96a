#include "app/lesson/play.h"

#include "app/param/reading.h"

namespace lesson {
namespace {

// Three digits more than the way is long: what is seen on it is no noise.
double tidy(double value, double way) {
  if (!(std::abs(way) > 0)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(way))) - 3);
  const double units = std::round(value / unit);
  return unit < 1 ? units / std::round(1 / unit) : units * unit;
}

// Between two positive ends of a logarithmic knob by the ratio, else by the difference.
double midway(const param::Info& info, double from, double to, double share) {
  const bool ratio = info.scale == param::Scale::log && from > 0 && to > 0;
  const double at = ratio ? from * std::pow(to / from, share) : from + (to - from) * share;
  return tidy(at, to - from);
}

}  // namespace

void Play::go(std::size_t stop) {
  at_ = std::min(stop, lesson_.stops.size() - 1);
  picked_.clear();
  moved_.clear();
  done_ = false;
}

const Answer* Play::given() const {
  const auto found = answers_.find(at_);
  return found == answers_.end() ? nullptr : &found->second;
}

void Play::look(const Sight& sight) {
  if (done_ || !stop().wait) return;
  try {
    done_ = holds(stop().wait->is, sight);
  } catch (const core::InputError&) {
    // The knobs lead to a page that has no such thing: it does not hold there.
  }
}

param::Values between(const lab::Lab& lab, const param::Values& from, const param::Values& to,
                      double share) {
  if (share >= 1) return to;
  const auto state = lab.make();
  param::assign(state->describe(), to);
  const param::List list = state->list();
  param::Values now = to;
  for (std::size_t k = 0; k < to.size() && k < from.size(); ++k) {
    const param::Parameter& p = list.items().at(k);
    const auto target = param::number(p);
    // A seed in between is another picture altogether.
    if (!target || from[k] == to[k] || p.info.id == "seed") continue;
    const auto start = param::whole<double>(from[k].second);
    if (!start || from[k].first != to[k].first) continue;
    const double at = param::nearest(p, midway(p.info, *start, *target, share));
    const bool whole = std::holds_alternative<param::Integer>(p.kind);
    now[k].second = whole ? fmt::format("{}", std::llround(at)) : fmt::format("{}", at);
  }
  return now;
}

}  // namespace lesson
