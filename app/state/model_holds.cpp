// Holding: what the page shows is kept, to be compared with what the knobs make of it.
#include <algorithm>

#include "app/paper/export_figure.h"
#include "app/state/model.h"
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

HeldPages::Key Model::key_of(const session::Hold& hold) const {
  return {now_.lab, hold.values, words_.language()};
}

void Model::change_holds(session::Holds holds, const std::string& gesture) {
  if (holds == now_.holds) return;
  const session::Session before = now_;
  now_.holds = std::move(holds);
  held_now_.reset();
  if (gesture.empty()) end_gesture();
  note(now_.lab, before, gesture);
  std::vector<HeldPages::Key> keys;
  for (const session::Hold& hold : now_.holds.all) keys.push_back(key_of(hold));
  held_pages_.retain(keys);
}

// What the page shows, wherever the knobs stand by now.
void Model::hold() {
  if (!shown_) return;
  if (!shown_->whole) {
    return say(words_("An unfinished page cannot be held: wait for it, or pause the training."),
               true);
  }
  session::Holds holds = now_.holds;
  const auto same = std::find_if(holds.all.begin(), holds.all.end(), [&](const session::Hold& one) {
    return one.values == shown_->made_from.values;
  });
  if (same != holds.all.end()) {
    say(words_("This is held already."));
    return compare_with(static_cast<int>(same - holds.all.begin()));
  }
  if (holds.all.size() >= session::kMostHolds) {
    return say(words_.format(N_("{} pages are held: drop one first."), session::kMostHolds), true);
  }
  if (shown_->language == words_.language()) held_pages_.keep(shown_);
  if (holds.all.empty()) holds.cells = figure::CellsShown::split;
  holds.all.push_back({"", shown_->made_from.values});
  holds.compared = static_cast<int>(holds.all.size()) - 1;
  change_holds(std::move(holds));
  say(words_("Held. Turn knobs: what was stays as a ghost."));
}

void Model::drop_hold(std::size_t k) {
  if (k < now_.holds.all.size()) change_holds(without(now_.holds, k));
}

void Model::name_hold(std::size_t k, const std::string& name) {
  if (k >= now_.holds.all.size()) return;
  session::Holds holds = now_.holds;
  holds.all[k].name = name;
  change_holds(std::move(holds));
}

void Model::compare_with(int k) {
  session::Holds holds = now_.holds;
  holds.compared = std::clamp(k, -1, static_cast<int>(holds.all.size()) - 1);
  change_holds(std::move(holds));
}

void Model::show_cells(figure::CellsShown shown) {
  session::Holds holds = now_.holds;
  holds.cells = shown;
  change_holds(std::move(holds));
}

void Model::set_split(float at) {
  session::Holds holds = now_.holds;
  holds.split = std::clamp(at, 0.0f, 1.0f);
  change_holds(std::move(holds), "split");
}

void Model::go_to_hold(std::size_t k) {
  if (k < now_.holds.all.size()) set_all(now_.holds.all[k].values);
}

std::string Model::differs(const session::Hold& hold) const {
  const auto then = lab_->make(), now = lab_->make();
  param::assign(now->describe(), now_.values);
  param::assign(then->describe(), hold.values);
  return paper::differing_line(now->list(), then->list(), words_);
}

std::shared_ptr<const Computed> Model::held() const {
  const session::Hold* hold = now_.holds.now();
  if (!hold) return dragged_from_;
  if (!held_now_) held_now_ = held_pages_.get(key_of(*hold), *lab_);
  return *held_now_;
}

std::string Model::hold_fault(const session::Hold& hold) const {
  return held_pages_.fault(key_of(hold)).in(words_);
}

// What plays goes on: somebody draws while talking about it.
void Model::set_strokes(session::Strokes strokes, const std::string& gesture) {
  if (strokes == now_.strokes) return;
  const session::Session before = now_;
  now_.strokes = std::move(strokes);
  history_.add(now_.lab, before, now_, gesture);
}

void Model::set_dragging(bool dragging) {
  dragging_ = dragging;
  if (dragging) return;
  dragged_from_.reset();
  dragged_by_.clear();
}

// `before`: how things stood. Only the page of just that is what the drag began with.
void Model::begin_drag(const session::Session& before, const std::string& gesture) {
  if (!dragging_ || !holds_drags_ || gesture.empty() || gesture == dragged_by_) return;
  if (gesture == player_.gesture()) return;
  dragged_by_ = gesture;
  dragged_from_.reset();
  if (now_.holds.now() || !shown_ || !shown_->whole) return;
  if (shown_->made_from.values == before.values && shown_->language == words_.language()) {
    dragged_from_ = shown_;
  }
}

}  // namespace state
