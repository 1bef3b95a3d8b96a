// What is held at the place that the pointer is at, as lines of the tip.
#pragma once

#include <string>
#include <vector>

#include "app/figure/drawing.h"
#include "app/words/words.h"

namespace ui {

// The value of a held line over x: that of the point there, else of the straight piece between two,
// which is then said to be about so much. NaN where it does not reach.
struct OnLine {
  double value = 0;
  bool between = false;
};
OnLine on_line(const figure::Line& line, double x);

// The line of the held plot that the k-th line of the live one was: by its name, or where that does
// not tell, by its place among as many. Null: none.
const figure::Line* partner(const figure::Plot& live, const figure::Plot& held, std::size_t k);

// Adds to the lines of a tip what is held there; `lines` may be empty, of bars and boxes, whose own
// tips say the live value. The plots can be compared.
std::vector<std::string> with_held(std::vector<std::string> lines, const figure::Plot& live,
                                   const figure::Plot& held, const figure::Drawing& drawing,
                                   const figure::PlotFrame& frame, figure::Point at,
                                   const words::Words& words);

}  // namespace ui
