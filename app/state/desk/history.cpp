#include "app/state/desk/history.h"

#include <algorithm>
#include <utility>

namespace state {

namespace {

const std::string* find(const param::Values& values, std::string_view id) {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == id; });
  return found == values.end() ? nullptr : &found->second;
}

// `later` over `earlier`, in the order of `all`.
param::Values overlaid(const param::Values& earlier, const param::Values& later,
                       const param::Values& all) {
  param::Values result;
  for (const auto& [id, value] : all) {
    const std::string* text = find(later, id);
    if (!text) text = find(earlier, id);
    if (text) result.emplace_back(id, *text);
  }
  return result;
}

template <class Change, class T>
void extend_change(std::optional<Change>& change, const T& before, const T& after) {
  if (change) {
    change->after = after;
  } else if (!(before == after)) {
    change = Change{before, after};
  }
  if (change && change->before == change->after) change.reset();
}

}  // namespace

bool History::goes_on(const std::string& gesture) const {
  return !gesture.empty() && gesture == gesture_ && !undo_.empty();
}

const param::Values* History::before_gesture(const std::string& gesture) const {
  return goes_on(gesture) ? &undo_.back().before : nullptr;
}

// The step's own part of `before` holds how things were; the rest of it is as it is in `after`.
void History::extend(const session::Session& before, const session::Session& after) {
  Step& step = undo_.back();
  extend_change(step.held, before.holds, after.holds);
  extend_change(step.drawn, before.strokes, after.strokes);
  param::Values now;
  for (const auto& [id, value] : step.before) {
    if (const std::string* text = find(after.values, id)) now.emplace_back(id, *text);
  }
  step.after = param::difference(now, step.before);
  step.before = param::difference(step.before, now);
  step.views_after = after.views;
  step.figures_after = after.figures;
  if (!step.empty()) return;
  undo_.pop_back();
  gesture_.clear();
}

void History::add(std::string_view shown, const session::Session& before,
                  const session::Session& after, const std::string& gesture) {
  redo_.clear();
  param::Values old_values = param::difference(before.values, after.values);
  // What the gesture had changed before this counts from there.
  if (goes_on(gesture) && undo_.back().lab == after.lab) return amend(before, after);
  gesture_ = gesture;
  Step step{after.lab,
            std::string(shown),
            std::move(old_values),
            param::difference(after.values, before.values),
            before.views,
            after.views,
            before.figures,
            after.figures};
  extend_change(step.held, before.holds, after.holds);
  extend_change(step.drawn, before.strokes, after.strokes);
  if (step.empty()) return gesture_.clear();
  undo_.push_back(std::move(step));
  if (undo_.size() > most_) undo_.pop_front();
}

void History::amend(const session::Session& before, const session::Session& after) {
  if (undo_.empty() || undo_.back().lab != after.lab) return;
  Step& step = undo_.back();
  step.before = overlaid(param::difference(before.values, after.values), step.before, after.values);
  extend(before, after);
}

std::optional<History::Move> History::undo() {
  end_gesture();
  if (undo_.empty()) return std::nullopt;
  const Step& step = redo_.emplace_back(std::move(undo_.back()));
  undo_.pop_back();
  Move move{step.shown, {step.lab, step.before, step.views_before, {}, step.figures_before}};
  if (step.held) move.holds = step.held->before;
  if (step.drawn) move.strokes = step.drawn->before;
  return move;
}

std::optional<History::Move> History::redo() {
  end_gesture();
  if (redo_.empty()) return std::nullopt;
  const Step& step = undo_.emplace_back(std::move(redo_.back()));
  redo_.pop_back();
  Move move{step.lab, {step.lab, step.after, step.views_after, {}, step.figures_after}};
  if (step.held) move.holds = step.held->after;
  if (step.drawn) move.strokes = step.drawn->after;
  return move;
}

std::optional<History::Move> History::take_back(const std::string& gesture) {
  if (!goes_on(gesture)) return std::nullopt;
  std::optional<Move> move = undo();
  redo_.pop_back();
  return move;
}

std::size_t History::bytes() const {
  std::size_t sum = 0;
  const auto count = [&](const param::Values& values) {
    for (const auto& [id, value] : values) sum += id.size() + value.size();
  };
  for (const Step& step : undo_) count(step.before), count(step.after);
  for (const Step& step : redo_) count(step.before), count(step.after);
  return sum;
}

}  // namespace state
