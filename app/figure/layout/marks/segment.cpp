#include "app/figure/layout/marks/segment.h"

#include <algorithm>

namespace figure::parts {

// Liang and Barsky's clipping: the range of the segment's parameter that each side leaves.
std::optional<Segment> within(const Segment& s, const Rect& r) {
  const auto wide = [](float v) { return static_cast<double>(v); };
  const double dx = wide(s.b.x) - wide(s.a.x), dy = wide(s.b.y) - wide(s.a.y);
  double from = 0, to = 1;
  const auto cut = [&](double towards, double room) {
    if (towards == 0) return room >= 0;
    const double t = room / towards;
    if (towards < 0) {
      from = std::max(from, t);
    } else {
      to = std::min(to, t);
    }
    return from <= to;
  };
  if (!cut(-dx, wide(s.a.x) - wide(r.x)) || !cut(dx, wide(r.right()) - wide(s.a.x)) ||
      !cut(-dy, wide(s.a.y) - wide(r.y)) || !cut(dy, wide(r.bottom()) - wide(s.a.y))) {
    return {};
  }
  const auto at = [&](double t) {
    return Point{static_cast<float>(wide(s.a.x) + t * dx),
                 static_cast<float>(wide(s.a.y) + t * dy)};
  };
  return Segment{at(from), at(to)};
}

}  // namespace figure::parts
