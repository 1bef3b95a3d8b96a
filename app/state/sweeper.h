// Knobs in motion in the window: a sweep and where it stands in time, with no window. What it asks
// for goes to the model as one gesture, so that all of it is one step of undo.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/program.h"
#include "app/sweep/sweep.h"

namespace state {

class Sweeper {
 public:
  explicit Sweeper(Program& program) : program_(program) {}

  bool open() const { return open_; }
  bool playing() const { return open_ && playing_; }
  const sweep::Sweep& sweep() const { return sweep_; }
  double place() const;  // on the way, from 0 to 1
  // The presets that it goes through after the knobs as they were; empty: single knobs move.
  const std::vector<std::string>& presets() const { return presets_; }

  // Why this knob cannot be set in motion; empty: it can.
  std::string why_not(const std::string& id) const;
  // Begins anew with one knob, from the lower to the upper end of its slider, and plays.
  void start(const std::string& id);
  // One knob more, or one less; the last one ends it.
  void add(const std::string& id);
  void remove(const std::string& id);
  // Goes through whole settings instead: one preset more as a key frame.
  void add_preset(const std::string& id);
  // Through these, whatever they come from.
  void through(const std::vector<param::Values>& stops);

  void play();  // from the beginning where it has ended
  void pause() { playing_ = false; }
  void scrub(double place);
  // A key's value as it was typed. False, and a message, where it is refused.
  bool set_key(const std::string& id, std::size_t key, const std::string& text);
  void set_seconds(double seconds);
  void set_loop(sweep::Loop loop) { sweep_.loop = loop; }
  void set_ease(sweep::Ease ease);

  // Every frame: time passes, and the knobs follow it as soon as the page of the last setting is
  // made; what was due meanwhile is skipped. A knob that somebody else has turned ends it.
  void advance(double seconds);
  double next_change() const;  // infinity when it rests or waits for the page
  void end();                  // the knobs stay
  void give_up();              // they go back to where they were

 private:
  void begin();
  void rewind() { elapsed_ = 0; }
  void apply();
  bool take_over();  // what others have set; false when that was a knob of the sweep
  bool changes(sweep::Sweep wanted);
  bool moved(const std::string& id) const;

  Program& program_;
  sweep::Sweep sweep_;
  bool open_ = false, playing_ = false;
  double elapsed_ = 0;
  std::string lab_;
  param::Values before_, last_;  // the knobs when it began, and as it set them last
  std::vector<std::string> presets_;
};

}  // namespace state
