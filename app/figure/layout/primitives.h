// What painters draw: a flat list of primitives in pixels. Painters know lines, fills, text, cells
// and clips; they never learn what an axis is.
#pragma once

#include <memory>
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

}  // namespace figure
