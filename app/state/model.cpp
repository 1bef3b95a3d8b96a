#include "app/state/model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/labs/labs.h"
#include "app/session/pick.h"
#include "app/words/sentence.h"
#include "core/memory.h"
#include "core/types.h"

namespace state {

namespace {

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
      .count();
}

double s_since(const std::optional<std::chrono::steady_clock::time_point>& began) {
  return began ? ms_since(*began) / 1000 : 0;
}

constexpr std::size_t kLeastMemory = std::size_t{64} << 20;

// The runs, and which of them a page asked for.
class Asked final : public lab::Runs {
 public:
  explicit Asked(worker::Runs& runs) : runs_(runs) {}

  lab::Moment at(const std::string& name, std::shared_ptr<const lab::Task> task, core::Index goal,
                 core::Index step, const core::Cancel& cancel) override {
    asked.emplace_back(name, runs_.version(name));
    lab::Moment moment = runs_.at(name, std::move(task), goal, step, cancel);
    going = going || moment.going;
    return moment;
  }

  std::vector<std::pair<std::string, long>> asked;
  bool going = false;

 private:
  worker::Runs& runs_;
};

}  // namespace

Model::Model(const std::vector<lab::Lab>& labs, std::function<void()> wake)
    : labs_(labs), lab_(&lab::opening(labs)), held_pages_(wake) {
  for (const lab::Lab& one : labs_) states_[std::string(one.id)] = begun(one);
  now_ = {std::string(lab_->id), param::values(state().describe()), {}};
  memory_ = std::make_unique<worker::MemoryBudget>(
      std::max(core::machine_memory() / 4, kLeastMemory), core::memory_in_use);
  untouched_ = now_.values;
  runs_ = std::make_unique<worker::Runs>(
      worker::Runs::Options{.budget = memory_->bytes(), .wake = wake});
  states_held_.emplace(*memory_, [this](std::size_t bytes) { runs_->give_up(bytes); });
  wake_ = wake;
  worker_ = std::make_unique<Worker>(computing(), wake);
  exports_ = std::make_unique<Exports>(run_export, wake);
  opens_ = std::make_unique<Opens>(
      [](const std::string& path, const core::Cancel&) { return run_open(path); }, wake);
  reads_ = std::make_unique<Reads>(run_read, wake);
  jumps_ = std::make_unique<Jumps>(run_jump, std::move(wake));
  submit();
}

// The memos live with the worker's function: they are touched by its thread alone.
Model::Worker::Work Model::computing() {
  auto memos = std::make_shared<lab::Memos>();
  return [memos, memory = memory_.get(), runs = runs_.get()](
             const Request& request, const core::Cancel& cancel, const Worker::Publish& publish) {
    const auto began = std::chrono::steady_clock::now();
    Asked asked(*runs);
    const auto computed = [&](lab::Page page, bool whole) {
      return Computed{
          request.made_from, request.words.language(), std::move(page), ms_since(began), whole,
          asked.asked};
    };
    const lab::Context context{cancel,
                               request.words,
                               memos->of(request.made_from.lab),
                               [&](lab::Page part) { publish(computed(std::move(part), false)); },
                               0,
                               &asked};
    lab::Page page = request.state->compute(context);
    while (memory->excess() > 0 && memos->forget_oldest()) {
    }
    memory->keep();
    return computed(std::move(page), !asked.going);
  };
}

// What sessions might say of long files is not waited for.
Model::~Model() { reads_->drop(); }

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
  kept_views_[now_.lab] = now_.views;
  kept_orders_[now_.lab] = now_.figures;
  kept_holds_[now_.lab] = now_.holds;
  held_now_.reset();
  dragged_from_.reset();
  lab_ = &next;
  const std::string name(next.id);
  now_ = {.lab = name,
          .values = param::values(state().describe()),
          .views = kept_views_[name],
          .figures = kept_orders_[name],
          .holds = kept_holds_[name],
          .strokes = now_.strokes};
  untouched_ = param::values(begun(*lab_)->describe());
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

std::unique_ptr<lab::State> Model::begun(const lab::Lab& lab) const {
  auto state = lab.make();
  if (words_.language() == words::Language::zh_CN) {
    param::assign(state->describe(), param::read_settings(lab.chinese));
  }
  return state;
}

void Model::apply_preset(std::string_view id) {
  const auto preset = std::find_if(lab_->presets.begin(), lab_->presets.end(),
                                   [&](const lab::Preset& p) { return p.id == id; });
  if (preset == lab_->presets.end()) {
    return say(words_.format(N_("this lab has no preset called \"{}\""), id), true);
  }
  auto fresh = lab_->make();
  param::assign(fresh->describe(), preset->values);
  replace(*lab_, std::move(fresh), {});
}

// A whole new state of a lab, which comes on screen, in one step.
void Model::replace(const lab::Lab& lab, std::unique_ptr<lab::State> state, const Brought& with) {
  const std::string shown = now_.lab;
  switch_to(lab.id);
  const session::Session before = now_;
  states_[now_.lab] = std::move(state);
  now_.values = param::values(this->state().describe());
  now_.views = with.views;
  if (with.figures) now_.figures = *with.figures;
  if (with.holds) now_.holds = *with.holds;
  if (with.strokes) now_.strokes = *with.strokes;
  held_now_.reset();
  errors_.clear();
  end_gesture();
  note(shown, before, "");
  submit();
}

const lab::Preset* Model::current_preset() {
  for (const lab::Preset& preset : lab_->presets) {
    auto fresh = lab_->make();
    param::assign(fresh->describe(), preset.values);
    if (param::values(fresh->describe()) == now_.values) return &preset;
  }
  return nullptr;
}

// Knobs ------------------------------------------------------------------------------------------

bool Model::set(const std::string& id, const std::string& text, const std::string& gesture) {
  const param::Describe describe = state().describe();
  // A gesture is one change, from where it began: what had to give way on its way comes back.
  const param::Values* begun = history_.before_gesture(gesture);
  const auto refuse = [&] {
    if (begun) param::assign(describe, now_.values);
  };
  try {
    if (begun) param::assign(describe, *begun);
    param::assign(describe, {{id, text}});
  } catch (const param::Refusal& refused) {
    refuse();
    errors_[id] =
        words::Sentence(N_("expected {}, got {}"), refused.expected, refused.got).in(words_);
    return false;
  } catch (const core::InputError& e) {
    refuse();
    errors_[id] = words::told(e, words_);
    return false;
  }
  errors_.erase(id);
  update(gesture);
  return true;
}

// What was found need not hold for values that come from elsewhere: the next page says it anew.
void Model::assign(lab::State& state, const param::Values& values) {
  try {
    param::assign(state.describe(), values);
  } catch (const param::Refusal&) {
    state.forget();
    param::assign(state.describe(), values);
  }
}

void Model::set_all(const param::Values& values, const std::string& gesture) {
  assign(state(), values);
  errors_.clear();
  update(gesture);
}

bool Model::update(const std::string& gesture) {
  param::Values values = param::values(state().describe());
  if (values == now_.values) return false;
  session::Session before = now_;
  now_.values = std::move(values);
  begin_drag(before, gesture);
  note(now_.lab, before, gesture);
  submit();
  return true;
}

void Model::note(std::string_view shown, const session::Session& before, const std::string& gesture) {
  if (gesture != player_.gesture()) pause();
  history_.add(shown, before, now_, gesture);
}

void Model::pick(const figure::Pick& pick, const std::string& gesture) {
  if (pick.empty()) return;
  try {
    session::apply(state().describe(), pick);
  } catch (const core::InputError& e) {
    return say(words::told(e, words_), true);
  }
  update(gesture);
}

bool Model::take_back(const std::string& gesture) {
  const auto move = history_.take_back(gesture);
  go(move);
  return move.has_value();
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

bool Model::changed(std::string_view id) const {
  const auto is_it = [&](const auto& value) { return value.first == id; };
  const auto now = std::find_if(now_.values.begin(), now_.values.end(), is_it);
  const auto was = std::find_if(untouched_.begin(), untouched_.end(), is_it);
  return now != now_.values.end() && was != untouched_.end() && *now != *was;
}

bool Model::take_file(const std::string& path) {
  const param::List all = list();
  for (const param::Parameter& p : all.items()) {
    const auto* file = std::get_if<param::File>(&p.kind);
    if (!file || !p.info.active || !param::has_ending(path, file->endings)) continue;
    set_file(std::string(p.info.id), path);
    return true;
  }
  return false;
}

bool Model::set_file(const std::string& id, const std::string& path) {
  if (!set(id, path)) return false;
  // What a lab takes as one knob among others could not be opened again by itself.
  if (lab_->chapter == lab::Chapter::yours) note_file(path);
  return true;
}

// Undo -------------------------------------------------------------------------------------------

void Model::go(const std::optional<History::Move>& move) {
  if (!move) return;
  const session::Session& to = move->to;
  assign(*states_.at(to.lab), to.values);
  (to.lab == now_.lab ? now_.views : kept_views_[to.lab]) = to.views;
  (to.lab == now_.lab ? now_.figures : kept_orders_[to.lab]) = to.figures;
  held_now_.reset();
  if (move->holds) (to.lab == now_.lab ? now_.holds : kept_holds_[to.lab]) = *move->holds;
  if (move->strokes) now_.strokes = *move->strokes;
  pause();
  switch_to(move->shown);
  now_.values = param::values(state().describe());
  errors_.clear();
  submit();
}

// Looks ------------------------------------------------------------------------------------------

void Model::set_language(words::Language language) {
  if (language == words_.language()) return;
  std::vector<const lab::Lab*> untouched;
  for (const lab::Lab& one : labs_) {
    const lab::State& now = *states_[std::string(one.id)];
    if (param::values(now.clone()->describe()) == param::values(begun(one)->describe())) {
      untouched.push_back(&one);
    }
  }
  words_ = words::Words(language);
  held_now_.reset();
  // Labs that nobody has touched begin with the example of the new language.
  for (const lab::Lab* one : untouched) states_[std::string(one->id)] = begun(*one);
  untouched_ = param::values(begun(*lab_)->describe());
  now_.values = param::values(state().describe());
  submit();
}

void Model::set_scale(float scale) {
  if (!(scale > 0)) return;
  scale_ = std::clamp(std::round(scale * 4) / 4, 1.0f, 3.0f);
}

// Pages ------------------------------------------------------------------------------------------

void Model::submit() {
  if (auto page = ahead_of(now_)) {
    shown_ = std::move(page);
    state().learn(shown_->page.found);
    ++page_version_;
  }
  refresh();
  if (!waiting_since_) waiting_since_ = Clock::now();
}

void Model::refresh() {
  worker_->submit({now_, state().clone(), words_});
  standing_.busy = true;
  refreshed_ = Clock::now();
}

void Model::set_memory_budget(std::size_t bytes) {
  memory_->set(std::max(bytes, kLeastMemory));
  runs_->set_budget(memory_->bytes());
  refresh();  // which gives up what is too much
}

bool Model::stale() const {
  return !shown_ || !shown_->whole || shown_->made_from.values != now_.values ||
         shown_->language != words_.language();
}

double Model::waiting_s() const { return s_since(waiting_since_); }

// Why there is no page of what was asked last; empty when there is one.
core::Message Model::fault_of(const worker::Standing<Computed>& standing) const {
  if (!standing.error.empty() || !standing.result) return standing.error;
  return standing.result->made_from.lab == now_.lab ? standing.result->page.fault : core::Message();
}

bool Model::poll() {
  const bool was_busy = standing_.busy;
  poll_ahead();
  standing_ = worker_->standing();
  bool changed = was_busy != standing_.busy;
  if (standing_.version != taken_) {
    taken_ = standing_.version;
    changed = true;
    // A late page of a lab that is no longer shown is left alone.
    if (standing_.result && standing_.result->made_from.lab == now_.lab) {
      const lab::Page& page = standing_.result->page;
      state().learn(page.found);
      if (page.fault.empty()) shown_ = standing_.result;
      ++page_version_;
      if (waiting_since_) waiting_since_ = Clock::now();
    }
  }
  if (!standing_.busy) {
    waiting_since_.reset();
    const core::Message error = fault_of(standing_);
    const bool news = compute_error_ != error;
    compute_error_ = error;
    if (news && !compute_error_.empty()) {
      if (shown_) {
        say(compute_error_.in(words_), true);
        told_error_ = message_.number;
      }
    } else if (news && told_error_ == message_.number) {
      dismiss_message();  // what it says is no longer so
    }
  }
  tell_strange_parts();
  bring_into_range();
  // A page and its drawing take a fifth of a processor at most: the rest is the training's.
  const double shown_ms = shown_ ? shown_->ms : 0;
  const bool soon = ms_since(refreshed_) < 4 * (shown_ms + frame_ms_);
  if (!standing_.busy && overtaken() && !soon) refresh();
  if (held_pages_.poll()) changed = true, held_now_.reset();
  for (const Exported& exported : exports_->take()) take_exported(exported), changed = true;
  for (const Opened& opened : opens_->take()) take_opened(opened), changed = true;
  for (const Read& read : reads_->take()) take_read(read), changed = true;
  for (const Left& left : jumps_->take()) take_left(left), changed = true;
  return changed;
}

std::string Model::untold_error() const {
  const bool said = told_error_ == message_.number && !message_.text.empty();
  return shown_ && !said ? compute_error() : std::string();
}

void Model::cancel() {
  pause();
  worker_->cancel();
  say(words_(N_("Cancelled: the page shows the last finished result.")));
}

void Model::say(std::string text, bool is_error) {
  message_ = {std::move(text), is_error, message_.number + 1};
}

}  // namespace state
