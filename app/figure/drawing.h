// What layout makes: primitives for painters, and what a pointer needs to know of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/layout/primitives.h"

namespace figure {

// Frame of a laid-out plot, to map between the pointer and data.
struct PlotFrame {
  std::string id;
  int index = 0;  // in Figure::plots
  Rect area;      // the data rectangle
  Rect whole;     // with its title, axes and colour bar
  View shown;     // data at the area's edges: x0 left, x1 right, y0 top, y1 bottom
  bool x_log = false, y_log = false;
  bool slanted = false;  // the names of its columns are
  Rect note = {};        // on a screen: the text of its note; empty: there is none

  double x_at(float px) const;
  double y_at(float py) const;
  float px_at(double x) const;
  float py_at(double y) const;
};

// A rectangle rotated by `angle`, in radians clockwise, about the middle of its left side, as a
// text that begins there.
struct Rotated {
  Rect rect;
  float angle = 0;
  bool contains(Point p) const;
};

// A target of the pointer: a bar, a point, a word, a whole plot that takes clicks. Later ones lie
// above earlier ones.
struct Hit {
  Rect rect;
  int plot = 0;
  Assignments click;
  std::string tooltip;
  Loss loss = {};                    // what the click takes away
  std::optional<Rotated> name = {};  // of a bar, where it is written: see meant_at
};

// A target of dragging: a handle, one point of a points parameter, or an interval. All lie above
// hits.
struct Grip {
  Rect rect;  // where it is taken hold of
  int plot = 0;
  Point at;  // what is dragged: the middle of the handle
  std::string x_param = {}, y_param = {};
  std::string points_param = {};
  std::size_t point = 0;
  Assignments also = {};
  // An interval: the number parameters that it moves, and where on the x axis they stand.
  std::vector<std::pair<std::string, double>> together = {};
  std::string tooltip = {};
  // A text parameter in which y is a number, between what stands before it and after it.
  std::string text_param = {}, before = {}, after = {};
};

// The note under a heatmap that says how many cells each of its squares stands for.
struct PoolNote {
  Rect rect;
  Index rows, cols;
  Pool pool;
};

// Border between what a heatmap shows now, at its left, and what is held; it can be dragged.
struct Divider {
  Rect grip;  // where it is taken hold of
  Rect area;  // of the plot: what lies at the left of it is live
  int plot = 0;
};

// Places in Drawing::primitives, from `begin` to before `end`.
struct Section {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

struct Drawing {
  std::vector<Primitive> primitives;
  std::vector<PlotFrame> frames;
  std::vector<Hit> hits;
  std::vector<Grip> grips;
  Rect bounds;
  std::vector<PoolNote> pool_notes = {};
  Rect footer = {};  // the texts under the plots, without what says how something is drawn
  std::vector<Divider> dividers = {};
  std::vector<Section> marks = {};  // what each mark is drawn with, layer by layer
  // The kinds of marks (places in the variant Mark) of which something held is in sight, but for
  // corners of cells and parts of heatmaps.
  std::set<std::size_t> ghosts = {};
  // Texts that were left out on paper, since they would have overlapped others.
  std::vector<std::string> left_out = {};
};

}  // namespace figure
