// Knobs in motion: a sweep and its time, with no window. All that it sets is one gesture, so one
// step of undo.
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
  // The presets that the sweep goes through after the knobs as they were; empty: single knobs move.
  const std::vector<std::string>& presets() const { return presets_; }

  // Why this knob cannot be set in motion; empty: it can.
  std::string why_not(const std::string& id) const;
  // Starts with one knob, from the lower to the upper end of its slider, and plays.
  void start(const std::string& id);
  // Adds or removes one knob; removing the last ends the sweep.
  void add(const std::string& id);
  void remove(const std::string& id);
  // Adds one preset as a key frame: the sweep goes through whole settings instead.
  void add_preset(const std::string& id);
  // Goes through these settings, whatever they come from.
  void through(const std::vector<param::Values>& stops);

  void play();  // from the beginning where it has ended
  void pause() { playing_ = false; }
  void scrub(double place);
  // Sets a key's value as it was typed. False, with a message, where it is refused.
  bool set_key(const std::string& id, std::size_t key, const std::string& text);
  void set_seconds(double seconds);
  void set_loop(sweep::Loop loop) { sweep_.loop = loop; }
  void set_ease(sweep::Ease ease);

  // Call every frame: the knobs follow the time as soon as the page of the last setting is made;
  // what was due meanwhile is skipped. A knob set by anything else ends the sweep.
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
