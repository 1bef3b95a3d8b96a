// A sweep: knobs set in motion. It is a value; where its knobs stand is a function of the place on
// the way, so that it can be scrubbed, shown backwards and made again. No window, no clock.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"

namespace sweep {

enum class Ease { linear, in_out };
enum class Loop { once, loop, back };  // back: there and back again

// Where a knob stands at a place of the way, from 0 to 1: a value as text that its parameter takes.
struct Key {
  double at = 0;
  std::string value;
  bool operator==(const Key&) const = default;
};

// One knob's key frames, the first at 0 and the last at 1, in order. Numbers go from one to the
// next on their slider's scale. A switch or a choice goes through its options, each as long as the
// others; with `at_once`, and for every other kind, it has the next key's value as soon as it
// leaves one.
struct Track {
  std::string id;
  std::vector<Key> keys;
  bool at_once = false;
  bool operator==(const Track&) const = default;
};

struct Sweep {
  param::Values base;  // every parameter of the lab: those of no track stand so
  std::vector<Track> tracks;
  double seconds = 4;  // from the beginning to the end; back takes as long again
  Ease ease = Ease::in_out;
  Loop loop = Loop::back;
  bool operator==(const Sweep&) const = default;
};

inline constexpr double kLeastSeconds = 0.1, kMostSeconds = 600;

// Why this parameter cannot be swept; empty: it can. Numbers, switches and choices can.
words::Sentence why_not(const param::Parameter& parameter);

// A track over `values`, evenly in time. Throws core::InputError, as `check` does.
Track track_of(const std::string& id, const std::vector<std::string>& values);

// "id=16:256", "kind=softmax:entmax", "x=0:1:0.5". Throws core::InputError in one sentence.
Track parse_track(std::string_view text);

// Key frames from whole settings (presets, a lesson's stops), evenly in time, two at least: a track
// for each knob in which they differ and which has an effect in one of them.
Sweep through(const lab::Lab& lab, const std::vector<param::Values>& stops);

// Throws core::InputError in one sentence: an unknown knob, one that cannot be swept, has no effect
// or is named twice, a refused value, a duration out of range, no track.
void check(const Sweep& sweep, const lab::Lab& lab);

// The place on the way, from 0 to 1, after so many seconds, not eased.
double position(const Sweep& sweep, double seconds);
// Time after which nothing moves any more; infinity for what goes on for ever.
double end_of(const Sweep& sweep);

// Values of all parameters at that place, within range and on their steps. The sweep was checked.
param::Values values_at(const Sweep& sweep, const lab::Lab& lab, double position);

// The places of a film's frames: `count` of them from 0 to 1, at least 2, and the way back without
// the ends.
std::vector<double> frame_positions(Loop loop, int count);

Ease parse_ease(std::string_view text);  // "linear", "in-out"
Loop parse_loop(std::string_view text);  // "once", "loop", "back"

// The knobs of the tracks, "Temperature = 0.5 · Heads = 4", as the reader calls them.
std::string caption(const Sweep& sweep, const lab::Lab& lab, const param::Values& values,
                    const words::Words& w);

}  // namespace sweep
