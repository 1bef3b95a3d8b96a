// Beside the question where to export a sweep: how wide the film is, how fast and how long.
#pragma once

#include <string>

#include "app/state/program.h"
#include "app/sweep/sweep.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"

namespace ui {

class FilmPanel {
 public:
  FilmPanel(Gui& gui, state::Program& program, TextEdit& edit)
      : gui_(gui), program_(program), edit_(edit) {}

  void open(const sweep::Sweep& sweep);
  void draw(const Rect& r);
  // Why no film can be made as it stands, in one sentence; empty: it can.
  std::string problem() const;

 private:
  struct Field {
    const char* id;
    std::string label, unit, hint, help;
    double least, most;
    bool whole;
    double shown;  // 0: stands empty
  };
  // What was typed; none: nothing new, or it is refused. Empty counts as 0.
  std::optional<double> field(const Rect& r, const Field& field);

  Gui& gui_;
  state::Program& program_;
  TextEdit& edit_;
  sweep::Sweep sweep_;
  std::string wrong_, said_;  // the box whose text is refused, and why
};

}  // namespace ui
