// A figure that can be touched without the program: one page (.html) that needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "app/paper/export_figure.h"

namespace paper {

// What is shown while the slider stands somewhere.
struct TouchFrame {
  std::vector<figure::Figure> figures;
  PaperOptions options;    // its own line of parameters; size and language are those of the first
  std::string label = {};  // where the knob stands
};

struct TouchPage {
  std::vector<TouchFrame> frames;  // one, or as many as the slider has places
  std::size_t first = 0;           // which is shown at first
  figure::Views views = {};
  std::string knob = {};  // what the slider moves
};

// The page: the figures laid out as on paper, as SVG, with the values under the pointer, rows and
// columns that light up together, pins, parts that can be left out, the slider, both themes, the
// keyboard and a status for those who listen. Up to kTouchExact cells in all are read to three
// digits, more of them as what their color stands for; no more than kTouchCells are drawn of a
// frame: larger heatmaps are pooled. Carries the first frame's session. Throws as export_page does.
std::string touch_page(const TouchPage& page, const core::Cancel& cancel = {});

inline constexpr double kTouchExact = 2e5, kTouchCells = 1.5e5;

// The options of a page's paper with what is to be said of the page before its parameters, and with
// formulas where its captions have any.
PaperOptions with_notes(PaperOptions options, const lab::Page& page);

}  // namespace paper
