// What layout makes and painters draw: a flat list of primitives in pixels. Painters know lines,
// fills, text, cells and clips; they never learn what an axis is.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/figure/figure.h"

namespace figure {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  bool overlaps(const Rect& other) const {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }
  bool operator==(const Rect&) const = default;
};

namespace draw {

struct Fill {
  Rect rect;
  Rgba color;
  float radius = 0;
  bool operator==(const Fill&) const = default;
};
struct Outline {
  Rect rect;
  Rgba color;
  float width = 1, radius = 0;
  bool operator==(const Outline&) const = default;
};
// A filled path may be concave only as a band is: n points from left to right, then n back, of
// which the k-th and the k-th last stand above each other.
struct Path {
  std::vector<Point> points;
  Rgba color;
  float width = 1;
  bool dashed = false, closed = false, filled = false;
  bool operator==(const Path&) const = default;
};
struct Curve {  // a cubic Bezier
  Point a, b, c, d;
  Rgba color;
  float width = 1;
  bool operator==(const Curve&) const = default;
};
struct Disc {
  Point center;
  float radius;
  Rgba color;
  bool filled = true;
  float width = 1;
  bool operator==(const Disc&) const = default;
};
// `at` is the anchor: align_x 0 left, 0.5 centre, 1 right; align_y the same from the top of the
// line; `angle` in radians turns clockwise about the anchor.
struct Text {
  Point at;
  std::string text;
  TextStyle style;
  Rgba color;
  float align_x = 0, align_y = 0.5f;
  float angle = 0;
  bool operator==(const Text&) const = default;
};
// The cells [x0, x1) x [y0, y1) of a source fill `rect`; cell edges may lie outside of it and are
// clipped. Masked cells are hatched.
struct Cells {
  Rect rect;
  View shown;
  std::shared_ptr<const TileSource> source;
  std::shared_ptr<const ValueColors> colors;
  Pool pool = Pool::max;
  int level = 0;  // the pooling level that the layout chose: one drawn cell is 2^level cells
  // Levels of one drawn cell in the figure's own source, of which `source` may be a repetition.
  int row_level = 0, col_level = 0;
  bool operator==(const Cells&) const = default;
};
// The colours of a bar from left (lo) to right (hi).
struct ColorBar {
  Rect rect;
  std::shared_ptr<const ValueColors> colors;
  bool operator==(const ColorBar&) const = default;
};
struct Clip {
  Rect rect;
  bool operator==(const Clip&) const = default;
};
struct Unclip {
  bool operator==(const Unclip&) const = default;
};

}  // namespace draw

using Primitive = std::variant<draw::Fill, draw::Outline, draw::Path, draw::Curve, draw::Disc,
                               draw::Text, draw::Cells, draw::ColorBar, draw::Clip, draw::Unclip>;

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
