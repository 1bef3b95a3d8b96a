#include "app/state/sweeper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/state/desk/player.h"
#include "app/words/sentence.h"

namespace state {

namespace {

constexpr const char* kGesture = "sweep";
constexpr double kFrame = 1.0 / 60;

// The ends of its slider, or the first option and the last.
std::vector<std::string> ends_of(const param::Parameter& p) {
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    return {std::string(choice->options.front().id), std::string(choice->options.back().id)};
  }
  if (std::holds_alternative<param::Flag>(p.kind)) return {"false", "true"};
  const double last = p.info.slides_to.value_or(p.info.max);
  const auto text = [&](double value) {
    return std::holds_alternative<param::Integer>(p.kind)
               ? fmt::format("{}", std::llround(param::nearest(p, value)))
               : fmt::format("{}", param::nearest(p, value));
  };
  // Where least means "none" (a pin), it begins with the first that there is.
  const bool none = p.info.unpinned && *p.info.unpinned == p.info.min;
  const double first = none ? p.info.min + std::max(1.0, p.info.step) : p.info.min;
  return {text(std::min(first, last)), text(last)};
}

const std::string* value_of(const param::Values& values, const std::string& id) {
  for (const auto& [name, value] : values) {
    if (name == id) return &value;
  }
  return nullptr;
}

}  // namespace

double Sweeper::place() const { return open_ ? sweep::position(sweep_, elapsed_) : 0; }

bool Sweeper::moved(const std::string& id) const {
  return std::any_of(sweep_.tracks.begin(), sweep_.tracks.end(),
                     [&](const sweep::Track& track) { return track.id == id; });
}

std::string Sweeper::why_not(const std::string& id) const {
  param::List list = program_.desk.list();
  const param::Parameter* p = list.find(id);
  return p ? sweep::why_not(*p).in(program_.words()) : id;
}

// A new sweep of the lab that is shown, from the knobs as they are.
void Sweeper::begin() {
  if (open_) give_up();
  program_.playing.pause();
  program_.desk.end_gesture();
  sweep_ = {};
  presets_.clear();
  lab_ = program_.desk.now().lab;
  before_ = last_ = sweep_.base = program_.desk.now().values;
  rewind();
}

void Sweeper::start(const std::string& id) {
  if (!why_not(id).empty()) return program_.messages.say(why_not(id), true);
  begin();
  param::List list = program_.desk.list();
  sweep::Sweep wanted = sweep_;
  wanted.tracks = {sweep::track_of(id, ends_of(*list.find(id)))};
  open_ = changes(std::move(wanted));
  playing_ = open_;
}

void Sweeper::add(const std::string& id) {
  if (!open_ || !presets_.empty()) return start(id);
  if (moved(id)) return;
  if (!why_not(id).empty()) return program_.messages.say(why_not(id), true);
  param::List list = program_.desk.list();
  sweep::Sweep wanted = sweep_;
  wanted.tracks.push_back(sweep::track_of(id, ends_of(*list.find(id))));
  changes(std::move(wanted));
}

void Sweeper::remove(const std::string& id) {
  if (!moved(id)) return;
  if (sweep_.tracks.size() == 1) return give_up();
  std::erase_if(sweep_.tracks, [&](const sweep::Track& track) { return track.id == id; });
  apply();
}

void Sweeper::add_preset(const std::string& id) {
  std::vector<std::string> wanted = presets_;
  wanted.push_back(id);
  const bool here = open_ && program_.desk.now().lab == lab_;
  const param::Values first = here ? before_ : program_.desk.now().values;
  std::vector<param::Values> stops = {first};
  for (const std::string& name : wanted) {
    for (const lab::Preset& preset : program_.desk.lab().presets) {
      if (preset.id != name) continue;
      const auto state = program_.desk.lab().make();
      param::assign(state->describe(), preset.values);
      stops.push_back(param::values(state->describe()));
    }
  }
  through(stops);
  if (open_) presets_ = std::move(wanted);
}

void Sweeper::through(const std::vector<param::Values>& stops) {
  const double seconds = sweep_.seconds;
  const sweep::Loop loop = sweep_.loop;
  begin();
  try {
    sweep::Sweep wanted = sweep::through(program_.desk.lab(), stops);
    wanted.loop = loop;
    // About as long from stop to stop as a single sweep takes.
    wanted.seconds = std::max(seconds, 2.0 * static_cast<double>(stops.size() - 1));
    open_ = changes(std::move(wanted));
  } catch (const core::InputError& e) {
    return program_.messages.say(words::translated(e, program_.words()), true);
  }
  playing_ = open_;
}

// Takes over another sweep unless it is refused: then all stays, and a message says why.
bool Sweeper::changes(sweep::Sweep wanted) {
  try {
    sweep::check(wanted, program_.desk.lab());
  } catch (const core::InputError& e) {
    program_.messages.say(words::translated(e, program_.words()), true);
    return false;
  }
  sweep_ = std::move(wanted);
  return true;
}

void Sweeper::play() {
  if (!open_) return;
  if (elapsed_ >= sweep::end_of(sweep_)) rewind();
  playing_ = true;
}

void Sweeper::scrub(double place) {
  if (!open_) return;
  playing_ = false;
  elapsed_ = std::clamp(place, 0.0, 1.0) * sweep_.seconds;
  // The end of what begins anew at once is its last frame.
  if (sweep_.loop == sweep::Loop::loop) elapsed_ = std::min(elapsed_, sweep_.seconds * (1 - 1e-9));
  apply();
}

bool Sweeper::set_key(const std::string& id, std::size_t key, const std::string& text) {
  sweep::Sweep wanted = sweep_;
  for (sweep::Track& track : wanted.tracks) {
    if (track.id == id && key < track.keys.size()) track.keys[key].value = text;
  }
  if (!changes(std::move(wanted))) return false;
  if (!playing_) apply();
  return true;
}

void Sweeper::set_seconds(double seconds) {
  if (!(seconds > 0)) return;
  const double now = std::clamp(seconds, sweep::kLeastSeconds, sweep::kMostSeconds);
  elapsed_ *= now / sweep_.seconds;
  sweep_.seconds = now;
}

void Sweeper::set_ease(sweep::Ease ease) {
  sweep_.ease = ease;
  if (open_ && !playing_) apply();
}

// Others may turn knobs that stand still, while this goes on.
bool Sweeper::take_over() {
  if (program_.desk.now().lab != lab_) return false;
  const param::Values& now = program_.desk.now().values;
  if (now == last_) return true;
  for (const auto& [id, value] : now) {
    const std::string* mine = value_of(last_, id);
    if (mine && *mine == value) continue;
    if (moved(id)) return false;
    for (auto& [name, base] : sweep_.base) {
      if (name == id) base = value;
    }
  }
  last_ = now;
  return true;
}

void Sweeper::apply() {
  try {
    const param::Values wanted = sweep::values_at(sweep_, program_.desk.lab(), place());
    program_.knobs.set_all(param::difference(wanted, program_.desk.now().values), kGesture);
    last_ = program_.desk.now().values;
  } catch (const core::InputError& e) {
    // Another knob has moved the range away from under the sweep.
    program_.messages.say(words::translated(e, program_.words()), true);
    end();
  }
}

void Sweeper::advance(double seconds) {
  if (!open_) return;
  if (!take_over()) return end();
  if (!playing_) return;
  elapsed_ += std::clamp(seconds, 0.0, kLongestFrame);
  // What goes on for ever loses no digits over it.
  if (std::isinf(sweep::end_of(sweep_))) elapsed_ = std::fmod(elapsed_, 2 * sweep_.seconds);
  const bool ended = elapsed_ >= sweep::end_of(sweep_);
  if (ended) elapsed_ = sweep_.seconds;
  if (program_.pages.busy() && !ended) return;
  if (ended) playing_ = false;
  apply();
}

// The page of the last setting wakes the window when it is made.
double Sweeper::next_change() const {
  if (!playing() || program_.pages.busy()) return std::numeric_limits<double>::infinity();
  return kFrame;
}

void Sweeper::end() {
  if (!open_) return;
  open_ = playing_ = false;
  program_.desk.end_gesture();
}

void Sweeper::give_up() {
  if (!open_) return;
  open_ = playing_ = false;
  const bool here = program_.desk.now().lab == lab_;
  if (!here || program_.desk.take_back(kGesture)) return;
  param::Values back;
  for (const sweep::Track& track : sweep_.tracks) {
    if (const std::string* value = value_of(before_, track.id)) back.emplace_back(track.id, *value);
  }
  program_.knobs.set_all(back);
  program_.desk.end_gesture();
}

}  // namespace state
