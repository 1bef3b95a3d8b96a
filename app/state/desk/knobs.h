// The knobs of the lab shown: what a person, a figure or a preset sets them to, and what is wrong
// with what was typed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/picking.h"
#include "app/state/desk/desk.h"
#include "app/state/messages.h"

namespace state {

class Knobs {
 public:
  // All outlive it.
  Knobs(Desk& desk, Messages& messages, const words::Words& words)
      : desk_(desk), messages_(messages), words_(words) {}

  // `gesture`: see Desk::take_values. False, and an error beside the knob, when the text is
  // refused.
  bool set(const std::string& id, const std::string& text, const std::string& gesture = "");
  // Several at once, all of the lab's: a step of undo, or a part of the gesture's.
  void set_all(const param::Values& values, const std::string& gesture = "");
  // What a click or a drag on a figure sets; all of a drag's, under one gesture, are one step.
  void pick(const figure::Pick& pick, const std::string& gesture = "");
  void apply(const figure::Assignments& pick) { this->pick({pick, {}}); }
  // Sets every parameter that says what un-pinning sets it back to. False when nothing was pinned.
  bool unpin();
  // Sets the preset's values over the defaults. Null, with a message, where the lab has none of
  // that name.
  const lab::Preset* apply_preset(std::string_view id);
  // The preset whose values are those of the knobs now, or null.
  const lab::Preset* preset() const;
  // Sets all knobs as they are before anybody touched the lab; one step of undo.
  void set_defaults();

  std::string value(std::string_view id) const;
  // Whether the knob differs from its value before anybody touched the lab, in the language of the
  // window.
  bool changed(std::string_view id) const;
  const std::string& error_of(const std::string& id) const;
  void clear_error(const std::string& id) { errors_.erase(id); }

  // Brings numbers into the ranges that a page found, with a message. True when one was brought.
  bool bring_into_range();
  // The numbers that were brought into a range last.
  const std::vector<param::Refusal>& brought() const { return brought_; }

  void follow(const Desk::Change& change);

 private:
  Desk& desk_;
  Messages& messages_;
  const words::Words& words_;
  std::map<std::string, std::string> errors_;
  std::vector<param::Refusal> brought_;
};

}  // namespace state
