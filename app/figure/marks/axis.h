// Axes of a plot, and what a click on them sets.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/color.h"
#include "app/figure/theme.h"

namespace figure {

// Names of rows or columns (tokens); shared because many plots show the same ones.
using Labels = std::shared_ptr<const std::vector<std::string>>;

// A pick is data: the ids of the parameters a click sets, and to what.
using Assignments = std::vector<std::pair<std::string, std::string>>;

// What a click takes away besides what it sets, in words: its tip says so, and the window once it
// is done. Empty: nothing.
struct Loss {
  std::string tip = {}, said = {};
};

// A coloured piece of text.
struct Span {
  std::string text = {};
  Color color = {};
  TextStyle style = TextStyle::mono;
};

enum class AxisScale { linear, log };

struct Axis {
  std::string label = {};  // already translated, with its unit: "distance (tokens)"
  double lo = 0, hi = 1;   // for cells: within 0 to their number, cell i being [i, i + 1)
  AxisScale scale = AxisScale::linear;
  bool cells = false;       // ticks stand at the middle of cells and are whole numbers
  Labels labels = nullptr;  // names of cells; null: their indices
  std::string link = {};    // axes with one link share crosshair, zoom and pan
  Color color = Role::dim;  // of the label and of the hovered or picked name
  bool visible = true;
  // A click or a drag at `place` of this axis, or at that cell, sets a parameter to
  // (place - origin) / unit: with -1 named cells are counted from 1.
  double origin = 0, unit = 1;
  int marked = -1;  // a cell whose name is shown in `color` (the query's word)
  // Names identify cells without their indices: heads, layers, formats; not tokens, whose positions
  // count.
  bool named = false;
  // What it measures ends here (1 of a weight), and so do its ticks: above is room for what stands
  // on bars.
  double end = std::numeric_limits<double>::infinity();
  // Places of ticks instead of the layout's own, as an author asks for them on paper; those that
  // are not shown are left out. Empty: its own.
  std::vector<double> ticks = {};
};

}  // namespace figure
