// A lecture: a lesson's stops, or the figures of a lab's page, one after the other in full screen.
// What is seen follows from where one is, what was switched on, and the pen's strokes there, which
// are the session's (session::Strokes).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/lesson/lesson.h"
#include "app/session/strokes.h"

namespace lesson {

// Figures of a page that stand side by side, by their ids, in the page's order.
using Row = std::vector<std::string>;
std::vector<Row> rows_of(const std::vector<figure::Figure>& figures);

// What of a page a stop shows in a lecture: the figure that it shows, those that its question and
// what it points at lie in, at most two; where it names none, the page's first row.
Row pictured(const Stop& stop, const lab::Page& page);
// The one that stands for a stop on paper; empty: it names none.
std::string figure_of(const Stop& stop, const lab::Page& page);

// The knobs that a stop points at, waits for or was set by its author, in this order.
std::vector<std::string> knobs_of(const Stop& stop);

// The place of a lesson's stop, for its strokes. A file is named without its folder: it is found
// again wherever it lies.
std::string stroke_place(const std::string& lesson, std::size_t stop);

class Lecture {
 public:
  enum class Blank { none, black, white };
  enum class Tool { none, spotlight, pen, eraser };
  static constexpr int kInks = session::kInks;

  bool on() const { return on_; }
  // `now` is in seconds.
  void begin(double now);
  void end() { on_ = false; }
  // The clock begins again: another class.
  void restart(double now) { began_ = now; }
  double seconds(double now) const { return on_ ? now - began_ : 0; }

  // Each of these switches off what is on.
  void blank(Blank to) { blank_ = blank_ == to ? Blank::none : to; }
  void take(Tool tool) { tool_ = tool_ == tool ? Tool::none : tool; }
  void switch_sentence() { sentence_ = !sentence_; }
  void switch_knobs() { knobs_ = !knobs_; }
  void switch_notes() { notes_ = !notes_; }
  void take_ink(int ink);  // and the pen with it

  Blank blank() const { return blank_; }
  Tool tool() const { return tool_; }
  int ink() const { return ink_; }
  bool sentence() const { return sentence_; }
  bool knobs() const { return knobs_; }
  bool notes() const { return notes_; }
  void set_sentence(bool on) { sentence_ = on; }

  // What stands under the figures.
  bool captions() const { return captions_; }
  void switch_captions() { captions_ = !captions_; }
  // Radius of the spotlight, in units; the wheel changes it by steps.
  float spot() const { return spot_; }
  void widen_spot(float steps) {
    spot_ = std::clamp(spot_ * std::pow(1.15f, steps), 24.0f, 600.0f);
  }

 private:
  bool on_ = false, sentence_ = true, knobs_ = false, notes_ = false;
  Blank blank_ = Blank::none;
  Tool tool_ = Tool::none;
  int ink_ = 0;
  double began_ = 0;
  bool captions_ = false;
  float spot_ = 84;
};

// The scenes that are computed ahead while a stop is shown: what its answer reveals, the next
// stop's, that of the one before, and that of the one after the next, which may take long; without
// those that are the same as it. `answered`: stops whose answers are shown.
std::vector<session::Session> scenes_ahead(const Lesson& lesson, std::size_t stop,
                                           const std::vector<bool>& answered);

}  // namespace lesson
