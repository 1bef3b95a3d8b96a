#include "app/state/pages/holding.h"

#include <algorithm>
#include <utility>

#include "app/paper/export_figure.h"
#include "app/words/sentence.h"

namespace state {

namespace {

// Without what is compared, where nothing of that is left.
session::Holds without(session::Holds holds, std::size_t k) {
  holds.all.erase(holds.all.begin() + static_cast<std::ptrdiff_t>(k));
  const auto at = static_cast<int>(k);
  if (holds.compared > at)
    --holds.compared;
  else if (holds.compared == at)
    holds.compared = static_cast<int>(holds.all.size()) - 1;
  return holds;
}

}  // namespace

HeldPages::Key Holding::key_of(const session::Hold& hold) const {
  return {desk_.now().lab, hold.values, looks_.words.language(), desk_.now().figures.colors};
}

void Holding::change(session::Holds holds, const std::string& gesture) {
  if (holds == this->holds()) return;
  session::Session next = desk_.now();
  next.holds = std::move(holds);
  if (gesture.empty()) desk_.end_gesture();
  desk_.see(std::move(next), gesture);
  std::vector<HeldPages::Key> keys;
  for (const session::Hold& hold : this->holds().all) keys.push_back(key_of(hold));
  made_.retain(keys);
}

// What the page shows, wherever the knobs stand by now.
void Holding::hold() {
  const auto shown = pages_.shared();
  const words::Words& words = looks_.words;
  if (!shown) return;
  if (!shown->whole) {
    return messages_.say(
        words("An unfinished page cannot be held: wait for it, or pause the training."), true);
  }
  session::Holds next = holds();
  const auto same = std::find_if(next.all.begin(), next.all.end(), [&](const session::Hold& one) {
    return one.values == shown->made_from.values;
  });
  if (same != next.all.end()) {
    messages_.say(words("This page is already held."));
    return compare_with(static_cast<int>(same - next.all.begin()));
  }
  if (next.all.size() >= session::kMostHolds) {
    return messages_.say(
        words.format(N_("{} pages are held: drop one first."), session::kMostHolds), true);
  }
  if (shown->language == words.language()) made_.keep(shown);
  if (next.all.empty()) next.cells = figure::CellsShown::split;
  next.all.push_back({"", shown->made_from.values});
  next.compared = static_cast<int>(next.all.size()) - 1;
  change(std::move(next));
  messages_.say(words("Held. Turn knobs: the held page stays as a ghost."));
}

void Holding::drop(std::size_t k) {
  if (k < holds().all.size()) change(without(holds(), k));
}

void Holding::rename(std::size_t k, const std::string& name) {
  if (k >= holds().all.size()) return;
  session::Holds next = holds();
  next.all[k].name = name;
  change(std::move(next));
}

void Holding::compare_with(int k) {
  session::Holds next = holds();
  next.compared = std::clamp(k, -1, static_cast<int>(next.all.size()) - 1);
  change(std::move(next));
}

void Holding::show_cells(figure::CellsShown shown) {
  session::Holds next = holds();
  next.cells = shown;
  change(std::move(next));
}

void Holding::set_split(float at) {
  session::Holds next = holds();
  next.split = std::clamp(at, 0.0f, 1.0f);
  change(std::move(next), "split");
}

std::string Holding::differs(const session::Hold& hold) const {
  const auto then = desk_.lab().make(), now = desk_.lab().make();
  param::assign(now->describe(), desk_.now().values);
  param::assign(then->describe(), hold.values);
  return paper::differing_line(now->list(), then->list(), looks_.words);
}

std::shared_ptr<const Computed> Holding::page() const {
  const session::Hold* hold = holds().now();
  if (!hold) return dragged_from_;
  if (!now_) now_ = made_.get(key_of(*hold), desk_.lab());
  return *now_;
}

std::string Holding::fault(const session::Hold& hold) const {
  return made_.fault(key_of(hold)).in(looks_.words);
}

bool Holding::poll() {
  if (!made_.poll()) return false;
  now_.reset();
  return true;
}

// Drags ------------------------------------------------------------------------------------------

void Holding::set_dragging(bool dragging) {
  dragging_ = dragging;
  if (dragging) return;
  dragged_from_.reset();
  dragged_by_.clear();
}

void Holding::follow(const Desk::Change& change, const std::string& played) {
  using Kind = Desk::Change::Kind;
  now_.reset();
  if (change.before.lab != desk_.now().lab) dragged_from_.reset();
  if (change.kind == Kind::knobs && change.gesture != played) begin_drag(change);
}

// Only the page of just how things stood is what the drag began with.
void Holding::begin_drag(const Desk::Change& change) {
  if (!dragging_ || !looks_.holds_drags) return;
  if (change.gesture.empty() || change.gesture == dragged_by_) return;
  dragged_by_ = change.gesture;
  dragged_from_.reset();
  const auto shown = pages_.shared();
  if (holds().now() || !shown || !shown->whole) return;
  if (shown->made_from.values == change.before.values &&
      shown->language == looks_.words.language()) {
    dragged_from_ = shown;
  }
}

}  // namespace state
