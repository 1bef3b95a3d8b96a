// A rectangle of whole pixels, y down, without its last column and row.
#pragma once

#include <algorithm>

namespace gl {

struct Box {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  bool operator==(const Box&) const = default;
};

inline Box common(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

inline long area(const Box& b) { return static_cast<long>(b.width()) * b.height(); }

// The first pixel whose centre does not lie before an edge, between `low` and `high`: a pixel
// belongs to an area when its centre does. An edge that is not a number counts as `low`.
inline int first_pixel(double edge, int low, int high) {
  const double center = edge - 0.5;
  if (!(center > low)) return low;
  if (!(center < high)) return high;
  const int whole = static_cast<int>(center);
  return whole + (center > whole ? 1 : 0);
}

}  // namespace gl
