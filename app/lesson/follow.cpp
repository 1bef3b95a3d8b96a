#include "app/lesson/follow.h"

#include "app/labs/labs.h"
#include "app/session/pick.h"

namespace lesson {
namespace {

using Does = Expression::Does;

// The other side of a comparison that is turned round.
Does reversed(Does does) {
  switch (does) {
    case Does::less: return Does::more;
    case Does::at_most: return Does::at_least;
    case Does::more: return Does::less;
    case Does::at_least: return Does::at_most;
    default: return does;
  }
}
Does denied(Does does) {
  switch (does) {
    case Does::less: return Does::at_least;
    case Does::at_most: return Does::more;
    case Does::more: return Does::at_most;
    case Does::at_least: return Does::less;
    case Does::equal: return Does::unequal;
    default: return Does::equal;
  }
}

bool is_knob(const Expression& e) {
  return e.does == Does::refer && e.reference.kind == Kind::knob;
}

class Finder {
 public:
  Finder(const Sight& sight) : sight_(sight), state_(sight.lab->make()) {
    param::assign(state_->describe(), *sight.knobs);
  }

  void reach(const Expression& e, bool wanted) {
    switch (e.does) {
      case Does::none: return reach(e.parts[0], !wanted);
      case Does::both:
      case Does::either:
        reach(e.parts[0], wanted);
        // For "or" the first is enough, and for "not (a and b)" too.
        if ((e.does == Does::both) == wanted) reach(e.parts[1], wanted);
        return;
      case Does::refer: return event(e.reference, wanted);
      default: compare(e, wanted);
    }
  }
  Way take() { return std::move(way_); }

 private:
  param::Parameter knob(const std::string& id) {
    param::List list = state_->list();
    const param::Parameter* found = list.find(id);
    if (!found) words::refuse<core::InputError>(N_("expected a knob of the page, got {}"), id);
    return *found;
  }
  void set(const std::string& id, const std::string& text) {
    param::assign(state_->describe(), {{id, text}});
    way_.sets.emplace_back(id, text);
  }
  void set(const std::string& id, double wanted) {
    const param::Parameter p = knob(id);
    const double fit = param::nearest(p, wanted);
    const bool whole = std::holds_alternative<param::Integer>(p.kind);
    set(id, whole ? fmt::format("{}", std::llround(fit)) : fmt::format("{}", fit));
  }
  // By how much a knob is moved to be clearly beyond a number.
  double stride(const std::string& id, double from) {
    const param::Parameter p = knob(id);
    const bool whole = std::holds_alternative<param::Integer>(p.kind);
    const double least = std::max(p.info.step, whole ? 1.0 : 0.0);
    const double share =
        p.info.scale == param::Scale::log ? 0.2 * std::abs(from) : (p.info.max - p.info.min) / 50;
    return std::max({least, whole ? std::round(share / 4) : share, 1e-9});
  }

  void compare(const Expression& e, bool wanted) {
    Does how = wanted ? e.does : denied(e.does);
    const bool left = is_knob(e.parts[0]), right = is_knob(e.parts[1]);
    if (!left && !right) return refuse_to_guess();
    const Expression& knob_side = e.parts[left ? 0 : 1];
    const Expression& other = e.parts[left ? 1 : 0];
    if (!left) how = reversed(how);
    const std::string& id = knob_side.reference.id;
    const Value target = evaluate(other, sight_);
    if (const auto* word = std::get_if<std::string>(&target)) {
      return how == Does::equal ? set(id, *word) : set(id, other_word(id, *word));
    }
    const double at = number(other, sight_);
    switch (how) {
      case Does::more: return set(id, at + stride(id, at));
      case Does::less: return set(id, at - stride(id, at));
      case Does::unequal: return set(id, at + stride(id, at));
      default: return set(id, at);
    }
  }
  std::string other_word(const std::string& id, const std::string& word) {
    const param::Parameter p = knob(id);
    if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
      for (const param::Option& one : choice->options) {
        if (one.id != word) return std::string(one.id);
      }
    }
    return word == "true" ? "false" : "true";
  }

  void event(const Reference& r, bool wanted) {
    if (!wanted) return;
    if (r.kind == Kind::moved) return move(r.id);
    for (const figure::Figure& figure : sight_.page->figures) {
      for (const figure::Plot& plot : figure.plots) {
        if (!r.id.empty() && r.id != figure.id && r.id != plot.id) continue;
        figure::Pick pick = any_pick(plot);
        if (pick.empty()) continue;
        return way_.clicks.push_back({r.id, std::move(pick)});
      }
    }
    words::refuse<core::InputError>(N_("expected something to click in {}, got nothing there"),
                                    to_text(r));
  }
  void move(const std::string& id) {
    const param::Parameter p = knob(id);
    if (const auto now = param::number(p)) {
      const double far = stride(id, *now);
      return set(id, *now + far <= p.info.max ? *now + far : *now - far);
    }
    set(id, other_word(id, param::serialize(p)));
  }
  [[noreturn]] static void refuse_to_guess() {
    words::refuse<core::InputError>(
        N_("expected \"do:\" with knobs beside a condition on a computed value"));
  }

  const Sight& sight_;
  std::unique_ptr<lab::State> state_;
  Way way_;
};

// The clicks alone, where the stop itself says which knobs are set.
void add_clicks(const Expression& e, Finder& finder) {
  if (e.does == Does::refer && e.reference.kind == Kind::picked) return finder.reach(e, true);
  for (const Expression& part : e.parts) add_clicks(part, finder);
}

}  // namespace

Way way_to(const Stop& stop, const Sight& sight) {
  if (!stop.wait) return {};
  Finder finder(sight);
  if (stop.does.values.empty()) {
    finder.reach(stop.wait->is, true);
    return finder.take();
  }
  add_clicks(stop.wait->is, finder);
  Way way = finder.take();
  way.sets = stop.does.values;
  return way;
}

session::Session after(const Way& way, session::Session scene) {
  const auto state = lab::find(scene.lab).make();
  param::assign(state->describe(), scene.values);
  for (const Way::Click& one : way.clicks) session::apply(state->describe(), one.pick);
  param::assign(state->describe(), way.sets);
  scene.values = param::values(state->describe());
  return scene;
}

std::set<std::string> picked_on(const Way& way) {
  std::set<std::string> all;
  for (const Way::Click& one : way.clicks) all.insert(one.in);
  return all;
}

std::set<std::string> moved_on(const Way& way) {
  std::set<std::string> all;
  for (const auto& [id, value] : way.sets) all.insert(id);
  return all;
}

}  // namespace lesson
