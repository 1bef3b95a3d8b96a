#include "app/state/desk/desk.h"

#include <algorithm>
#include <utility>

#include "app/labs/labs.h"
#include "app/param/reading.h"
#include "core/types.h"

namespace state {

Desk::Desk(const std::vector<lab::Lab>& labs, const words::Words& words)
    : labs_(labs), words_(words), lab_(&lab::opening(labs)) {
  for (const lab::Lab& one : labs_) states_[std::string(one.id)] = begun(one);
  now_.lab = lab_->id;
  now_.values = param::values(state().describe());
  untouched_ = now_.values;
}

void Desk::follow(std::function<void(const Change&)> follower) {
  followers_.push_back(std::move(follower));
}

void Desk::emit(Change::Kind kind, const session::Session& before, const std::string& gesture) {
  for (const auto& follower : followers_) follower({kind, before, gesture});
}

// Labs -------------------------------------------------------------------------------------------

const lab::Lab& Desk::find(std::string_view id) const {
  const auto found = std::find_if(labs_.begin(), labs_.end(), [&](auto& l) { return l.id == id; });
  if (found != labs_.end()) return *found;
  std::string known;
  for (const lab::Lab& one : labs_) known += (known.empty() ? "" : ", ") + std::string(one.id);
  words::refuse<core::InputError>(N_("expected a lab (one of {}), got \"{}\""), known, id);
}

session::Session Desk::of(const std::string& lab) const {
  if (lab == now_.lab) return now_;
  session::Session one{lab, param::values(states_.at(lab)->clone()->describe()), {}};
  if (const auto kept = kept_.find(lab); kept != kept_.end()) {
    one.views = kept->second.views;
    one.figures = kept->second.figures;
    one.holds = kept->second.holds;
  }
  one.strokes = now_.strokes;
  return one;
}

std::unique_ptr<lab::State> Desk::begun(const lab::Lab& lab) const {
  auto state = lab.make();
  if (words_.language() == words::Language::zh_CN) {
    param::assign(state->describe(), param::read_settings(lab.chinese));
  }
  return state;
}

void Desk::put_away() { kept_[now_.lab] = {now_.views, now_.figures, now_.holds}; }

void Desk::bring(std::string_view id) {
  const lab::Lab& next = find(id);
  const bool another = &next != lab_;
  lab_ = &next;
  now_.lab = next.id;
  now_.values = param::values(state().describe());
  const Kept& kept = kept_[now_.lab];
  now_.views = kept.views;
  now_.figures = kept.figures;
  now_.holds = kept.holds;
  if (another) untouched_ = param::values(begun(next)->describe());
}

void Desk::show_lab(std::string_view id) {
  if (find(id).id == lab_->id) return;
  end_gesture();
  const session::Session before = now_;
  put_away();
  bring(id);
  emit(Change::Kind::scene, before, {});
}

void Desk::step_lab(int by) {
  const auto here = lab_ - labs_.data();
  const auto last = static_cast<std::ptrdiff_t>(labs_.size()) - 1;
  const auto next = std::clamp(here + by, std::ptrdiff_t{0}, last);
  show_lab(labs_[static_cast<std::size_t>(next)].id);
}

void Desk::put(std::string_view lab, std::unique_ptr<lab::State> state) {
  replaced_.push_back(std::exchange(states_.at(std::string(lab)), std::move(state)));
}

void Desk::replace(const lab::Lab& lab, std::unique_ptr<lab::State> state, const Brought& with) {
  const session::Session left = now_;
  if (left.lab != lab.id) {
    put_away();
    bring(lab.id);
  }
  const session::Session before = now_;
  put(now_.lab, std::move(state));
  now_.values = param::values(this->state().describe());
  now_.views = with.views;
  if (with.figures) now_.figures = *with.figures;
  if (with.holds) now_.holds = *with.holds;
  if (with.strokes) now_.strokes = *with.strokes;
  end_gesture();
  history_.add(left.lab, before, now_, "");
  emit(Change::Kind::scene, left, {});
}

// Values -----------------------------------------------------------------------------------------

void Desk::assign(lab::State& state, const param::Values& values) {
  try {
    param::assign(state.describe(), values);
  } catch (const param::Refusal&) {
    state.forget();
    param::assign(state.describe(), values);
  }
}

bool Desk::take_values(const std::string& gesture) {
  param::Values values = param::values(state().describe());
  if (values == now_.values) return false;
  session::Session next = now_;
  next.values = std::move(values);
  change(Change::Kind::knobs, std::move(next), gesture);
  return true;
}

void Desk::amend_values() {
  const session::Session before = now_;
  now_.values = param::values(state().describe());
  history_.amend(before, now_);
  emit(Change::Kind::knobs, before, {});
}

void Desk::change(Change::Kind kind, session::Session next, const std::string& gesture) {
  const session::Session before = std::exchange(now_, std::move(next));
  history_.add(now_.lab, before, now_, gesture);
  emit(kind, before, gesture);
}

void Desk::set_colors(const std::string& id, param::Values colors, const std::string& gesture) {
  session::Session next = now_;
  if (colors.empty()) {
    next.figures.colors.erase(id);
  } else {
    next.figures.colors[id] = std::move(colors);
  }
  if (next.figures == now_.figures) return;
  change(Change::Kind::colors, std::move(next), gesture);
}

void Desk::set_strokes(session::Strokes strokes, const std::string& gesture) {
  if (strokes == now_.strokes) return;
  session::Session next = now_;
  next.strokes = std::move(strokes);
  change(Change::Kind::strokes, std::move(next), gesture);
}

// Language ---------------------------------------------------------------------------------------

std::vector<const lab::Lab*> Desk::untouched_labs() const {
  std::vector<const lab::Lab*> untouched;
  for (const lab::Lab& one : labs_) {
    const lab::State& now = *states_.at(std::string(one.id));
    if (param::values(now.clone()->describe()) == param::values(begun(one)->describe())) {
      untouched.push_back(&one);
    }
  }
  return untouched;
}

void Desk::begin_anew(const std::vector<const lab::Lab*>& untouched) {
  const session::Session before = now_;
  for (const lab::Lab* one : untouched) put(one->id, begun(*one));
  untouched_ = param::values(begun(*lab_)->describe());
  now_.values = param::values(state().describe());
  emit(Change::Kind::language, before, {});
}

// Undo -------------------------------------------------------------------------------------------

bool Desk::take_back(const std::string& gesture) {
  const auto move = history_.take_back(gesture);
  go(move);
  return move.has_value();
}

void Desk::go(const std::optional<History::Move>& move) {
  if (!move) return;
  const session::Session before = now_;
  const session::Session& to = move->to;
  put_away();
  assign(*states_.at(to.lab), to.values);
  Kept& kept = kept_[to.lab];
  kept.views = to.views;
  kept.figures = to.figures;
  if (move->holds) kept.holds = *move->holds;
  if (move->strokes) now_.strokes = *move->strokes;
  bring(move->shown);
  emit(Change::Kind::scene, before, {});
}

}  // namespace state
