// The line under the page: what it says of itself, how long it took, what goes on meanwhile and how
// that is stopped, a training's buttons, memory.
#pragma once

#include <optional>

#include "app/state/program.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/screen_painter.h"
#include "app/ui/lesson/lesson_view.h"

namespace ui {

class StatusBar {
 public:
  // All outlive it.
  StatusBar(state::Program& program, Gui& gui, const ScreenPainter& painter,
            const LessonView& lesson)
      : program_(program), gui_(gui), painter_(painter), lesson_(lesson) {}

  void draw(const Rect& r);
  // A line over the page with a light that wanders along it while pages or cells are made.
  void working_sign(const Rect& page);
  void set_frame_ms(double ms) { frame_ms_ = ms; }

 private:
  std::optional<worker::RunStatus> shown_training();
  float training_buttons(const worker::RunStatus& run, const Rect& line);
  void memory(const Rect& line, float x);

  state::Program& program_;
  Gui& gui_;
  const ScreenPainter& painter_;
  const LessonView& lesson_;
  std::size_t held_ = 0;  // bytes
  long held_of_ = -1;     // the page at which it was asked
  std::optional<double> training_since_;
  std::optional<double> working_since_;  // pages or cells are made, one after the other
  double frame_ms_ = 0;
};

}  // namespace ui
