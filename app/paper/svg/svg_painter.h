// Draws a laid-out figure as elements of an SVG, without Cairo.
#pragma once

#include <string>

#include "app/figure/drawing.h"
#include "app/paper/paper_text.h"

namespace paper {

// What painters put on paper as vectors, as the program's own SVG: text is <text>; up to
// kVectorCells by kVectorCells visible cells of a heatmap are rectangles, more of them an image of
// one pixel a cell, which viewers are told to enlarge without smoothing.
class SvgPainter {
 public:
  // `scale` SVG units a unit; `origin` stands at the top left. Names of clips begin with `prefix`,
  // so that several pictures can stand in one document.
  SvgPainter(const PaperMeasure& measure, double scale, figure::Point origin,
             std::string prefix = "");

  // Each call may be followed by others, whose elements lie over these.
  std::string elements(const figure::Drawing& drawing);

 private:
  const PaperMeasure& measure_;
  double scale_;
  figure::Point origin_;
  std::string prefix_;
  int clips_ = 0;
};

// A whole document of this size in SVG units, each one `unit` ("px" or "pt"). `inside` is what
// stands between <svg> and </svg>.
std::string svg_document(figure::Point size, const char* unit, const std::string& inside);

// `rect` in SVG units, filled.
std::string svg_rectangle(const figure::Rect& rect, figure::Rgba color);

}  // namespace paper
