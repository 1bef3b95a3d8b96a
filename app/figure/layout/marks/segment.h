// Straight segments on screen, clipped to rectangles.
#pragma once

#include <cmath>
#include <optional>

#include "app/figure/drawing.h"

namespace figure::parts {

struct Segment {
  Point a, b;
};

inline Segment on_screen(const Arrows::Arrow& arrow, const PlotFrame& frame) {
  return {{frame.px_at(arrow.x0), frame.py_at(arrow.y0)},
          {frame.px_at(arrow.x1), frame.py_at(arrow.y1)}};
}

inline bool finite(const Segment& s) {
  return std::isfinite(s.a.x) && std::isfinite(s.a.y) && std::isfinite(s.b.x) &&
         std::isfinite(s.b.y);
}

// The part of a segment inside of a rectangle; painters cannot take ends that are millions of
// pixels away.
std::optional<Segment> within(const Segment& s, const Rect& rect);

// Handles and points stand inside when their middle does, borders included.
inline bool inside(const Rect& r, Point p, float slack) {
  return p.x >= r.x - slack && p.x <= r.right() + slack && p.y >= r.y - slack &&
         p.y <= r.bottom() + slack;
}

inline constexpr float kHandleRing = 2;  // around a handle's disc, at 100 %

}  // namespace figure::parts
