// Painting cells on a heatmap: from the press of a button to its release is one stroke, and one
// step of undo. What a stroke paints is figure::brushed; here is only how it comes about.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/figure/picking.h"
#include "app/state/program.h"
#include "app/ui/draw/gui.h"

namespace ui {

class Brush {
 public:
  Brush(state::Program& program, Gui& gui) : program_(program), gui_(gui) {}

  // A button went down over a plot that takes paint, in a card whose corner lies at `corner`.
  void begin(std::shared_ptr<const state::Computed> page, const figure::Plot& plot,
             const figure::PlotFrame& frame, figure::Point corner, int button);
  bool painting() const { return stroke_.has_value(); }
  // Once a frame: paints on to where the pointer is, until the button is up or Escape gives up.
  void go_on();
  // Frames the cells that a press at the pointer would paint.
  void outline(const figure::Plot& plot, const figure::PlotFrame& frame,
               figure::Point corner) const;

 private:
  struct Stroke {
    std::shared_ptr<const state::Computed>
        page;  // keeps `plot` alive: the page is made anew all the while
    const figure::Plot* plot;
    figure::PlotFrame frame;
    figure::Point corner, last;
    int button;
    bool erase;
    std::string parameter, gesture;
  };

  void paint(figure::Point to);

  state::Program& program_;
  Gui& gui_;
  std::optional<Stroke> stroke_;
};

}  // namespace ui
