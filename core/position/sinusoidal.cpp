#include "core/position/sinusoidal.h"

#include <cmath>
#include <string>

namespace core {

MatrixD sinusoidal_table(Index n, Index d, double base, Index first) {
  if (n < 0 || first < 0 || d < 1 || !(base > 0) || !std::isfinite(base)) {
    throw InputError(
        "expected n and first of at least 0, d of at least 1 and a positive base, got " +
        std::to_string(n) + ", " + std::to_string(first) + ", " + std::to_string(d) + " and " +
        std::to_string(base));
  }
  MatrixD table(n, d);
  for (Index c = 0; c < d; ++c) {
    const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(d);
    const double frequency = std::pow(base, -exponent);
    for (Index p = 0; p < n; ++p) {
      const double angle = static_cast<double>(first + p) * frequency;
      table(p, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return table;
}

}  // namespace core
