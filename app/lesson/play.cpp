#include "app/lesson/play.h"

#include "app/param/between.h"
#include "app/param/reading.h"

namespace lesson {

void Play::go(std::size_t stop) {
  at_ = std::min(stop, lesson_.stops.size() - 1);
  picked_.clear();
  moved_.clear();
  done_ = ended_ = false;
}

const Answer* Play::given() const {
  const auto found = answers_.find(at_);
  return found == answers_.end() ? nullptr : &found->second;
}

Cover Play::cover(const lab::Page& page) const {
  return cover_of(
      lesson_, at_, [this](std::size_t stop) { return answered(stop); }, page);
}

bool Play::derives(const lab::Page& page) const {
  const auto then = [this](std::size_t stop) { return stop == at_ || answered(stop); };
  return !cover_of(lesson_, at_, then, page).words;
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
    now[k].second = param::nearest_text(p, param::between(p, *start, *target, share));
  }
  return now;
}

}  // namespace lesson
