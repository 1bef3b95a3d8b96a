// The one layout: ticks, labels, legends, colour bars and marks, for all painters.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/figure/drawing.h"
#include "app/figure/ghost.h"

namespace figure {

struct PaperLook;

// Measures texts in a painter's font. Screen and paper have one each.
class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  virtual Point size(const std::string& text, TextStyle style) const = 0;
};

// The zoomed plots by id; a plot that is not here shows all of its axes.
using Views = std::map<std::string, View>;

// All of a plot, as it is shown when it is not zoomed: x0 at the left, y0 at the top.
View whole_view(const Plot& plot);

struct LayoutOptions {
  const Theme* theme = nullptr;
  const TextMeasure* measure = nullptr;
  float scale = 1;        // 1 to 3; font sizes already carry it
  bool card = true;       // the card's surface and border
  float pixel_ratio = 1;  // device pixels a unit: decides the pooling level
  // What a pixel of many cells shows, in the reader's words: "64×1 max".
  std::string largest = "max", mean = "mean";
  std::string colon = ": ";  // between a name and its value
  // For paper: nothing that serves a pointer; texts are broken into lines instead of cut, legends
  // stand under the plots where they have no room beside them, and every heatmap whose colours are
  // numbers has a colour bar. Texts that would overlap others move or are left out.
  bool paper = false;
  float inside = 16;                // at 100 %: from the card's edge to what is in it
  float corner = 0;                 // at 100 %: left free for a button, at the right of the title
  const Ghost* ghost = nullptr;     // what is held, drawn with it; null: nothing
  const PaperLook* look = nullptr;  // of paper: what its author asks for; null: nothing
};

// Lays a figure out in `box`. Never throws for a small box: what has no room is left out.
Drawing layout(const Figure& figure, const Rect& box, const Views& views,
               const LayoutOptions& options);

// The crosshair and hovered names, drawn over a laid-out figure: for each frame whose axis has a
// link in `hovered`, the row or column band of that cell. `hovered` maps an axis link to a value
// in data units.
std::vector<Primitive> crosshair(const Figure& figure, const Drawing& drawing,
                                 const std::map<std::string, double>& hovered,
                                 const LayoutOptions& options);

// Height of a card of this width when its square heatmaps or thumbnails fill it and its tables show
// every row; for every other figure its own height. In pixels, the scale included.
float natural_height(const Figure& figure, float width, const LayoutOptions& options);

// Rectangles of a page's figures in a column `width` wide, row by row by their spans; below
// `narrow` pixels (at 100 %) every figure takes the whole width. `height` gives the k-th figure's
// height for its width; without it each has its own, times the scale.
using HeightOf = std::function<float(std::size_t k, float width)>;
std::vector<Rect> arrange(const std::vector<Figure>& figures, float width, float scale,
                          const HeightOf& height = {});

// A drawing as text, one primitive a line with two decimals: what golden tests compare.
std::string record(const Drawing& drawing);

// "nice" ticks of a range: at most `most`, at 1, 2 or 5 times a power of ten.
std::vector<double> nice_ticks(double lo, double hi, int most);
// Ticks of a logarithmic range.
std::vector<double> log_ticks(double lo, double hi, int most);
// A number for people: up to `digits` significant digits, no trailing zeros, 1e6 style when long.
std::string number_text(double value, int digits = 4);

}  // namespace figure
