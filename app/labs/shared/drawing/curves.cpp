#include "app/labs/shared/drawing/curves.h"

namespace lab {

Line arc(double from, double to, double radius, Line line, int steps) {
  constexpr double kWhole = 2 * std::numbers::pi;
  const int count = 2 + to_int(std::ceil(std::abs(to - from) / kWhole * steps));
  for (int k = 0; k <= count; ++k) {
    const double angle = from + (to - from) * k / count;
    line.add(radius * std::cos(angle), radius * std::sin(angle));
  }
  return line;
}

}  // namespace lab
