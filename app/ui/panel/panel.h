// The right panel: knobs, and below them what is read.
#pragma once

#include <string>
#include <utility>

#include "app/ui/panel/knob_column.h"
#include "app/ui/panel/read_column.h"

namespace ui {

class Panel {
 public:
  // What is referred to outlives it.
  Panel(state::Program& program, Gui& gui, KnobColumn knobs, ReadColumn read,
        Statements& statements, SweepBar& sweeps)
      : program_(program),
        gui_(gui),
        knobs_(std::move(knobs)),
        read_(std::move(read)),
        statements_(statements),
        sweep_bar_(sweeps) {}

  // With `focus` only what a stop of a lesson means.
  void draw(const Rect& r, const lesson::Focus* focus = nullptr);
  KnobColumn& knobs() { return knobs_; }
  ReadColumn& read() { return read_; }

 private:
  void to_statements(float right, float middle);

  state::Program& program_;
  Gui& gui_;
  KnobColumn knobs_;
  ReadColumn read_;
  Statements& statements_;
  SweepBar& sweep_bar_;
  float knobs_height_ = 1e6f;
  std::string panel_lab_, read_lab_;  // whose knobs and texts are scrolled
};

}  // namespace ui
