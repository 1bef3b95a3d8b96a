#include "app/sweep/sweep.h"

#include <set>

#include "app/paper/export_figure.h"
#include "app/param/between.h"
#include "app/param/match.h"
#include "app/param/reading.h"
#include "app/words/sentence.h"

namespace sweep {
namespace {

using core::InputError;
using words::Sentence;

double eased(Ease ease, double share) {
  return ease == Ease::linear ? share : share * share * (3 - 2 * share);
}

// The number that a value of a switch or a choice is, for going through them; none for others.
std::optional<int> option_of(const param::Parameter& p, std::string_view value) {
  if (std::holds_alternative<param::Flag>(p.kind)) return value == "true" ? 1 : 0;
  const auto* choice = std::get_if<param::Choice>(&p.kind);
  if (!choice) return std::nullopt;
  for (std::size_t k = 0; k < choice->options.size(); ++k) {
    if (choice->options[k].id == value) return static_cast<int>(k);
  }
  return std::nullopt;
}

std::string option_text(const param::Parameter& p, int option) {
  const auto* choice = std::get_if<param::Choice>(&p.kind);
  if (!choice) return option > 0 ? "true" : "false";
  return std::string(choice->options[static_cast<std::size_t>(option)].id);
}

// Each of the options from one to the other as long as the others.
int option_between(int from, int to, double share) {
  const int count = std::abs(to - from) + 1;
  const int steps = std::min(static_cast<int>(share * count), count - 1);
  return from + (to > from ? steps : -steps);
}

// What the track asks of its knob at a place of the way.
std::string asked(const Track& track, const param::Parameter& p, double place, Ease ease) {
  std::size_t k = 0;
  while (k + 2 < track.keys.size() && place > track.keys[k + 1].at) ++k;
  const Key &from = track.keys[k], &to = track.keys[k + 1];
  if (place <= from.at) return from.value;
  if (place >= to.at) return to.value;
  const double share = eased(ease, (place - from.at) / (to.at - from.at));
  const auto begin = param::whole<double>(from.value), end = param::whole<double>(to.value);
  if (param::number(p) && begin && end) {
    return param::nearest_text(p, param::between(p, *begin, *end, share));
  }
  const auto first = option_of(p, from.value), last = option_of(p, to.value);
  if (!track.at_once && first && last) return option_text(p, option_between(*first, *last, share));
  return to.value;
}

// A key's value where others moved the range with it: numbers give way, all else must fit.
void set_near(const param::Parameter& p, const std::string& value) {
  const auto number = param::number(p) ? param::whole<double>(value) : std::nullopt;
  param::parse(p, number ? param::nearest_text(p, *number) : value);
}

const Track* find_track(const Sweep& sweep, std::string_view id) {
  for (const Track& track : sweep.tracks) {
    if (track.id == id) return &track;
  }
  return nullptr;
}

// Sets each track's knob in the order of description, by set(parameter, track): a range may depend
// on what was described before.
template <class Set>
void set_tracks(const Sweep& sweep, lab::State& state, const Set& set) {
  param::List list = state.list();
  for (std::size_t k = 0; k < list.items().size(); ++k) {
    const Track* track = find_track(sweep, list.items()[k].info.id);
    if (!track) continue;
    set(list.items()[k], *track);
    list = state.list();
  }
}

void check_names(const Sweep& sweep, lab::State& state) {
  param::List list = state.list();
  std::set<std::string> seen;
  for (const Track& track : sweep.tracks) {
    const param::Parameter* p = list.find(track.id);
    if (!p) {
      std::vector<std::string> known;
      for (const param::Parameter& one : list.items()) {
        if (why_not(one).empty()) known.emplace_back(one.info.id);
      }
      words::refuse<InputError>(N_("expected a knob to sweep, one of {}, got {}"),
                                words::listed(known), param::shown(track.id));
    }
    if (!seen.insert(track.id).second) {
      words::refuse<InputError>(N_("{}: expected each knob once, got it twice"), track.id);
    }
    if (const Sentence why = why_not(*p); !why.empty() && !track.at_once) {
      throw InputError(why);
    }
  }
}

// Every key's value fits where the other tracks stand then, and each knob has an effect somewhere.
void check_values(const Sweep& sweep, lab::State& state) {
  std::size_t keys = 0;
  for (const Track& track : sweep.tracks) keys = std::max(keys, track.keys.size());
  std::set<std::string, std::less<>> idle;
  for (const Track& track : sweep.tracks) {
    if (!track.at_once) idle.insert(track.id);
  }
  for (std::size_t k = 0; k < keys; ++k) {
    param::assign(state.describe(), sweep.base);
    set_tracks(sweep, state, [&](const param::Parameter& p, const Track& track) {
      param::parse(p, track.keys[std::min(k, track.keys.size() - 1)].value);
    });
    const param::List list = state.list();
    for (const param::Parameter& p : list.items()) {
      const auto found = idle.find(p.info.id);
      if (p.info.active && found != idle.end()) idle.erase(found);
    }
  }
  if (idle.empty()) return;
  words::refuse<InputError>(
      N_("{}: expected a knob that has an effect at the current settings, got one that has none"),
      *idle.begin());
}

}  // namespace

Sentence why_not(const param::Parameter& p) {
  const bool scalar = param::number(p) || std::holds_alternative<param::Flag>(p.kind) ||
                      std::holds_alternative<param::Choice>(p.kind);
  if (!scalar) {
    return Sentence(N_("{}: expected a number, a switch or a choice to sweep, got a {}"), p.info.id,
                    param::kind_name(p));
  }
  if (p.info.measures) {
    return Sentence(N_("{}: expected a knob to sweep, got one that starts a measurement"),
                    p.info.id);
  }
  return {};
}

Track track_of(const std::string& id, const std::vector<std::string>& values) {
  if (values.size() < 2) {
    words::refuse<InputError>(N_("{}: expected at least two values, from:to, got {}"), id,
                              values.size());
  }
  Track track{id, {}};
  for (std::size_t k = 0; k < values.size(); ++k) {
    track.keys.push_back(
        {static_cast<double>(k) / static_cast<double>(values.size() - 1), values[k]});
  }
  return track;
}

Track parse_track(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 ||
      text.find(':', equals) == std::string_view::npos) {
    words::refuse<InputError>(N_("--param: expected id=from:to such as d_k=16:256, got {}"),
                              param::shown(text));
  }
  std::vector<std::string> values;
  std::string_view rest = text.substr(equals + 1);
  for (bool more = true; more;) {
    more = rest.find(':') != std::string_view::npos;
    values.emplace_back(param::trimmed(param::taken_to(':', rest)));
  }
  return track_of(std::string(text.substr(0, equals)), values);
}

Sweep through(const lab::Lab& lab, const std::vector<param::Values>& stops) {
  if (stops.size() < 2) {
    words::refuse<InputError>(N_("expected at least two key frames, got {}"), stops.size());
  }
  Sweep sweep;
  sweep.base = stops.front();
  std::set<std::string, std::less<>> active;
  for (const param::Values& stop : stops) {
    const auto state = lab.make();
    param::assign(state->describe(), stop);
    const param::List list = state->list();
    for (const param::Parameter& p : list.items()) {
      if (p.info.active) active.emplace(p.info.id);
    }
  }
  for (std::size_t k = 0; k < sweep.base.size(); ++k) {
    std::vector<std::string> values;
    for (const param::Values& stop : stops) values.push_back(stop.at(k).second);
    const bool same = std::all_of(values.begin(), values.end(),
                                  [&](const std::string& v) { return v == values.front(); });
    if (same || !active.contains(sweep.base[k].first)) continue;
    Track track = track_of(sweep.base[k].first, values);
    track.at_once = true;
    sweep.tracks.push_back(std::move(track));
  }
  return sweep;
}

void check(const Sweep& sweep, const lab::Lab& lab) {
  if (sweep.tracks.empty()) {
    words::refuse<InputError>(N_("expected a knob to sweep, got none"));
  }
  if (!(sweep.seconds > 0 && sweep.seconds <= kMostSeconds)) {
    words::refuse<InputError>(N_("expected a duration above 0 and of at most {} seconds, got {}"),
                              kMostSeconds, sweep.seconds);
  }
  const auto state = lab.make();
  check_names(sweep, *state);
  check_values(sweep, *state);
}

double position(const Sweep& sweep, double seconds) {
  const double passed = std::max(0.0, seconds) / sweep.seconds;
  switch (sweep.loop) {
    case Loop::once: return std::min(passed, 1.0);
    case Loop::loop: return passed - std::floor(passed);
    case Loop::back: {
      const double both = std::fmod(passed, 2.0);
      return both <= 1 ? both : 2 - both;
    }
  }
  return 0;
}

double end_of(const Sweep& sweep) {
  return sweep.loop == Loop::once ? sweep.seconds : std::numeric_limits<double>::infinity();
}

param::Values values_at(const Sweep& sweep, const lab::Lab& lab, double place) {
  const auto state = lab.make();
  const param::Describe describe = state->describe();
  param::assign(describe, sweep.base);
  set_tracks(sweep, *state, [&](const param::Parameter& p, const Track& track) {
    set_near(p, asked(track, p, place, sweep.ease));
  });
  param::settle(describe);
  return param::values(describe);
}

std::vector<double> frame_positions(Loop loop, int count) {
  std::vector<double> all;
  const int last = std::max(count, 2) - 1;
  for (int k = 0; k <= last; ++k) all.push_back(static_cast<double>(k) / last);
  for (int k = last - 1; loop == Loop::back && k > 0; --k) {
    all.push_back(static_cast<double>(k) / last);
  }
  return all;
}

Ease parse_ease(std::string_view text) {
  if (text == "linear") return Ease::linear;
  if (text == "in-out") return Ease::in_out;
  words::refuse<InputError>(N_("--ease: expected linear or in-out, got {}"), param::shown(text));
}

Loop parse_loop(std::string_view text) {
  if (text == "once") return Loop::once;
  if (text == "loop") return Loop::loop;
  if (text == "back") return Loop::back;
  words::refuse<InputError>(N_("--loop: expected once, loop or back, got {}"), param::shown(text));
}

std::string caption(const Sweep& sweep, const lab::Lab& lab, const param::Values& values,
                    const words::Words& w) {
  const auto state = lab.make();
  param::assign(state->describe(), values);
  const param::List list = state->list();
  std::string all;
  for (const param::Parameter& p : list.items()) {
    if (!find_track(sweep, p.info.id) || !p.info.active) continue;
    if (!why_not(p).empty()) continue;  // a whole text is not told in a line
    all += (all.empty() ? "" : " · ") + paper::knob_text(p, w);
  }
  return all;
}

}  // namespace sweep
