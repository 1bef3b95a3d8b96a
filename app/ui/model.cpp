#include "app/ui/model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "app/labs/labs.h"
#include "app/labs/pick.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace ui {

namespace {

constexpr std::size_t kUndoSteps = 500;

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
      .count();
}

constexpr double kLongestFrame = 0.1;  // seconds: a window that slept does not catch up

std::string play_gesture(const std::string& id) { return id.empty() ? "" : "play." + id; }

figure::View whole_of(const figure::Plot& plot) {
  return {plot.x.lo, plot.x.hi, plot.y.lo, plot.y.hi};
}

}  // namespace

Model::Model(const std::vector<lab::Lab>& labs, std::function<void()> wake)
    : labs_(labs), lab_(&lab::opening(labs)) {
  for (const lab::Lab& one : labs_) states_[std::string(one.id)] = one.make();
  // The memos live with the worker's function: they are touched by its thread alone.
  auto memos = std::make_shared<std::map<std::string, lab::Memo>>();
  auto work = [memos](const Request& request, const core::Cancel& cancel,
                      const Worker::Publish& publish) {
    const auto began = std::chrono::steady_clock::now();
    const auto whole = [&](lab::Page page) {
      return Computed{request.lab, request.words.language(), std::move(page), ms_since(began)};
    };
    const lab::Context context{cancel, request.words, (*memos)[request.lab],
                               [&](lab::Page part) { publish(whole(std::move(part))); }};
    return whole(request.state->compute(context));
  };
  worker_ = std::make_unique<Worker>(std::move(work), wake);
  exports_ = std::make_unique<Exports>(run_export, std::move(wake));
  submit();
}

Model::~Model() = default;

const lab::Lab& Model::find_lab(std::string_view id) const {
  const auto found = std::find_if(labs_.begin(), labs_.end(), [&](auto& l) { return l.id == id; });
  if (found != labs_.end()) return *found;
  std::string known;
  for (const lab::Lab& one : labs_) known += (known.empty() ? "" : ", ") + std::string(one.id);
  words::refuse<core::InputError>(N_("expected a lab (one of {}), got \"{}\""), known, id);
}

// Labs -------------------------------------------------------------------------------------------

void Model::switch_to(std::string_view id) {
  const lab::Lab& next = find_lab(id);
  if (&next == lab_) return;
  pause();
  kept_views_[std::string(lab_->id)] = views_;
  lab_ = &next;
  views_ = kept_views_[std::string(next.id)];
  errors_.clear();
  shown_ = nullptr;
  ++page_version_;
}

void Model::show_lab(std::string_view id) {
  if (find_lab(id).id == lab_->id) return;
  end_gesture();
  switch_to(id);
  submit();
}

void Model::step_lab(int by) {
  const auto here = lab_ - labs_.data();
  const auto last = static_cast<std::ptrdiff_t>(labs_.size()) - 1;
  const auto next = std::clamp(here + by, std::ptrdiff_t{0}, last);
  show_lab(labs_[static_cast<std::size_t>(next)].id);
}

void Model::apply_preset(std::string_view id) {
  const auto preset = std::find_if(lab_->presets.begin(), lab_->presets.end(),
                                   [&](const lab::Preset& p) { return p.id == id; });
  if (preset == lab_->presets.end()) {
    return say(words_.format(N_("this lab has no preset called \"{}\""), id), true);
  }
  remember("");
  auto fresh = lab_->make();
  param::assign(fresh->describe(), preset->values);
  states_[std::string(lab_->id)] = std::move(fresh);
  views_.clear();
  errors_.clear();
  submit();
}

const lab::Preset* Model::current_preset() {
  const param::Values now = param::values(state().describe());
  for (const lab::Preset& preset : lab_->presets) {
    auto fresh = lab_->make();
    param::assign(fresh->describe(), preset.values);
    if (param::values(fresh->describe()) == now) return &preset;
  }
  return nullptr;
}

// Knobs ------------------------------------------------------------------------------------------

bool Model::set(const std::string& id, const std::string& text, const std::string& gesture) {
  const Snapshot before = snapshot();
  const auto refuse = [&] { param::assign(state().describe(), before.values); };
  try {
    // A gesture is one change, from where it began: what had to give way on its way comes back.
    if (!gesture.empty() && gesture == gesture_ && !undo_.empty()) {
      param::assign(state().describe(), undo_.back().values);
    }
    param::assign(state().describe(), {{id, text}});
  } catch (const param::Refusal& refused) {
    refuse();
    errors_[id] = words_.format(N_("expected {}, got {}"), refused.wanted(words_), refused.got);
    return false;
  } catch (const core::InputError& e) {
    refuse();
    errors_[id] = words::told(e, words_);
    return false;
  }
  errors_.erase(id);
  if (param::values(state().describe()) == before.values) return true;
  step(before, gesture);
  return true;
}

void Model::step(const Snapshot& before, const std::string& gesture) {
  push_undo(before, gesture);
  submit();
}

void Model::pick(const figure::Pick& pick, const std::string& gesture) {
  if (pick.empty()) return;
  const Snapshot before = snapshot();
  try {
    lab::apply(state().describe(), pick);
  } catch (const core::InputError& e) {
    return say(words::told(e, words_), true);
  }
  if (param::values(state().describe()) == before.values) return;
  step(before, gesture);
}

bool Model::take_back(const std::string& gesture) {
  if (gesture.empty() || gesture != gesture_ || undo_.empty()) return false;
  const Snapshot target = std::move(undo_.back());
  undo_.pop_back();
  restore(target);
  return true;
}

bool Model::unpin() {
  figure::Assignments back;
  const param::List all = list();
  for (const param::Parameter& p : all.items()) {
    const auto now = param::number(p);
    if (!p.info.unpinned || !now || *now == *p.info.unpinned) continue;
    back.emplace_back(p.info.id, fmt::format("{}", *p.info.unpinned));
  }
  apply(back);
  return !back.empty();
}

const std::string& Model::error_of(const std::string& id) const {
  static const std::string none;
  const auto found = errors_.find(id);
  return found == errors_.end() ? none : found->second;
}

std::string Model::value(std::string_view id) {
  param::List all = list();
  const param::Parameter* p = all.find(id);
  return p ? param::print(*p) : std::string();
}

bool Model::take_file(const std::string& path) {
  const param::List all = list();
  for (const param::Parameter& p : all.items()) {
    const auto* file = std::get_if<param::File>(&p.kind);
    if (!file || !p.info.active || !param::has_ending(path, file->endings)) continue;
    set(std::string(p.info.id), path);
    return true;
  }
  return false;
}

// Playing ----------------------------------------------------------------------------------------

void Model::play(const std::string& id) {
  param::List all = list();
  const param::Parameter* p = all.find(id);
  if (!p || !p->info.active || !(p->info.plays > 0)) return;
  pause();
  end_gesture();
  playing_ = id;
  play_rate_ = p->info.plays;
  play_due_ = 0;
  if (param::number(*p) >= p->info.max) set_number(*p, p->info.min);
}

void Model::pause() {
  if (playing_.empty()) return;
  playing_.clear();
  end_gesture();
}

void Model::advance(double seconds) {
  if (playing_.empty()) return;
  param::List all = list();
  const param::Parameter* p = all.find(playing_);
  const std::optional<double> now = p && p->info.active ? param::number(*p) : std::nullopt;
  if (!now || *now >= p->info.max) return pause();
  play_due_ += std::clamp(seconds, 0.0, kLongestFrame) * play_rate_;
  if (stale_) play_due_ = std::min(play_due_, 1.0);
  if (stale_ || play_due_ < 1) return;
  const double steps = std::floor(play_due_);
  play_due_ -= steps;
  set_number(*p, std::min(*now + steps * std::max(1.0, p->info.step), p->info.max));
}

void Model::set_number(const param::Parameter& p, double value) {
  const double fit = param::nearest(p, value);
  set(std::string(p.info.id), fmt::format("{}", std::llround(fit)), play_gesture(playing_));
}

double Model::seconds_to_step() const {
  // The page of the step before wakes the window when it is ready.
  if (playing_.empty() || stale_) return std::numeric_limits<double>::infinity();
  return std::max(0.0, (1 - play_due_) / play_rate_);
}

// Undo -------------------------------------------------------------------------------------------

Model::Snapshot Model::snapshot() {
  return {std::string(lab_->id), param::values(state().describe()), views_};
}

void Model::remember(const std::string& gesture) { push_undo(snapshot(), gesture); }

void Model::push_undo(Snapshot before, const std::string& gesture) {
  if (gesture != play_gesture(playing_)) pause();
  if (gesture.empty() || gesture != gesture_) {
    undo_.push_back(std::move(before));
    if (undo_.size() > kUndoSteps) undo_.erase(undo_.begin());
  }
  gesture_ = gesture;
  redo_.clear();
}

void Model::restore(const Snapshot& snapshot) {
  switch_to(snapshot.lab);
  param::assign(state().describe(), snapshot.values);
  views_ = snapshot.views;
  errors_.clear();
  pause();
  end_gesture();
  submit();
}

void Model::undo() {
  if (undo_.empty()) return;
  redo_.push_back(snapshot());
  const Snapshot target = std::move(undo_.back());
  undo_.pop_back();
  restore(target);
}

void Model::redo() {
  if (redo_.empty()) return;
  undo_.push_back(snapshot());
  const Snapshot target = std::move(redo_.back());
  redo_.pop_back();
  restore(target);
}

// Views ------------------------------------------------------------------------------------------

const figure::Plot* Model::find_plot(const std::string& id) const {
  if (!shown_) return nullptr;
  for (const figure::Figure& f : shown_->page.figures) {
    for (const figure::Plot& plot : f.plots) {
      if (plot.id == id) return &plot;
    }
  }
  return nullptr;
}

void Model::share_view(const figure::Plot& plot, const figure::View& view) {
  for (const figure::Figure& f : shown_->page.figures) {
    for (const figure::Plot& other : f.plots) {
      const bool same_x = !plot.x.link.empty() && other.x.link == plot.x.link;
      const bool same_y = !plot.y.link.empty() && other.y.link == plot.y.link;
      if (&other != &plot && !same_x && !same_y) continue;
      const figure::View whole = whole_of(other);
      const auto kept = views_.find(other.id);
      figure::View next = kept == views_.end() ? whole : kept->second;
      if (same_x || &other == &plot) next.x0 = view.x0, next.x1 = view.x1;
      if (same_y || &other == &plot) next.y0 = view.y0, next.y1 = view.y1;
      if (next == whole) {
        views_.erase(other.id);
      } else {
        views_[other.id] = next;
      }
    }
  }
}

void Model::set_view(const std::string& id, const figure::View& view, const std::string& gesture) {
  const figure::Plot* plot = find_plot(id);
  if (!plot) return;
  remember(gesture);
  share_view(*plot, view);
}

void Model::reset_view(const std::string& id) {
  const figure::Plot* plot = find_plot(id);
  if (!plot || !views_.contains(id)) return;
  remember("");
  share_view(*plot, whole_of(*plot));
}

// Looks ------------------------------------------------------------------------------------------

void Model::set_language(words::Language language) {
  if (language == words_.language()) return;
  words_ = words::Words(language);
  submit();
}

void Model::set_scale(float scale) {
  if (!(scale > 0)) return;
  scale_ = std::clamp(std::round(scale * 4) / 4, 1.0f, 3.0f);
}

// Pages ------------------------------------------------------------------------------------------

void Model::submit() {
  stale_ = true;
  worker_->submit({std::string(lab_->id), state().clone(), words_});
  standing_.busy = true;
}

const Computed* Model::page() const { return shown_.get(); }

bool Model::poll() {
  const bool was_busy = standing_.busy;
  standing_ = worker_->standing();
  bool changed = was_busy != standing_.busy;
  if (standing_.version != taken_) {
    taken_ = standing_.version;
    changed = true;
    // A late page of a lab that is no longer shown is left alone.
    if (standing_.result && standing_.result->lab == lab_->id) {
      shown_ = standing_.result;
      ++page_version_;
    }
  }
  if (!standing_.busy) {
    stale_ = false;
    const bool news = compute_error_ != standing_.error;
    compute_error_ = standing_.error;
    if (news && !compute_error_.empty()) {
      say(compute_error_.in(words_), true);
    }
  }
  for (const Exported& exported : exports_->take()) {
    say_exported(exported);
    changed = true;
  }
  return changed;
}

void Model::cancel() {
  worker_->cancel();
  say(words_(N_("Cancelled: the page shows the last finished result.")));
}

void Model::wait() {
  while (poll(), busy() || exporting()) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  poll();
}

void Model::say(std::string text, bool is_error) {
  message_ = {std::move(text), is_error, message_.number + 1};
}

}  // namespace ui
