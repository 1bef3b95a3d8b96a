// The colours of the heatmaps of a figure, or of one plot of it, chosen beside it: map, scale and
// its ends.
#pragma once

#include <string>

#include "app/state/program.h"
#include "app/ui/controls/style_grid.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"

namespace ui {

class ColorPopup {
 public:
  ColorPopup(state::Program& program, Gui& gui, TextEdit& edit)
      : program_(program), gui_(gui), grid_(gui, edit) {}

  // With the next frame, below `at`. `id`: of a figure, or of a plot.
  void open(const std::string& id, const Rect& at);
  // Draws it where it was opened for this figure or a plot of it.
  void draw(const figure::Figure& figure);

 private:
  void buttons(const Rect& r, const figure::Figure& figure, paper::Style& style);

  state::Program& program_;
  Gui& gui_;
  StyleGrid grid_;
  std::string id_;  // that it was opened for
  Rect at_;
  bool opening_ = false, open_ = false;
};

}  // namespace ui
