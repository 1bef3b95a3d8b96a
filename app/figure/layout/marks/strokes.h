// How lines are told apart where colours do not tell: by dashes and markers.
#pragma once

#include <vector>

#include "app/figure/layout/parts.h"

namespace figure::parts {

struct Stroke {
  bool dashed = false;  // as paths are by themselves
  int pattern = 0;      // 0: drawn through
  int marker = -1;      // its shape; -1: none
};

// Lines of one name have one stroke, nameless ones those of their colour.
Stroke stroke_of(const Line& line, const Plot& plot, const Pen& pen);

// The dashes of a diagram's wires of this colour, without arrows and drawn through by themselves;
// -1: it has none such.
int wire_dashes(const Diagram& diagram, const Color& color);

// `width` in pixels.
void draw_stroke(std::vector<Point> points, const Stroke& stroke, Rgba color, float width,
                 const Pen& pen);

// Inside of `area`: at the points, or where these are many at equal distances.
void draw_markers(const std::vector<Point>& points, const Stroke& stroke, Rgba color, float width,
                  const Rect& area, const Pen& pen);

// For a legend: a level piece from `left` on, with one marker in its middle.
void draw_sample(Point left, float length, const Stroke& stroke, Rgba color, float width,
                 const Pen& pen);

}  // namespace figure::parts
