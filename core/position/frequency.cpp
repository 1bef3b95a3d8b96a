#include "core/position/frequency.h"

#include <cmath>
#include <numbers>

#include "core/position/checks.h"

namespace core {

VectorD frequencies(Index d, double base, FrequencyRule rule) {
  position::require_even_width("frequencies", d);
  position::require_positive("frequencies", "base", base);
  const Index pairs = d / 2;
  // The exponents run from 0 to (pairs - 1) / intervals.
  const Index intervals = rule == FrequencyRule::paper ? pairs : std::max<Index>(pairs - 1, 1);
  VectorD theta(pairs);
  for (Index i = 0; i < pairs; ++i) {
    theta(i) = std::pow(base, -static_cast<double>(i) / static_cast<double>(intervals));
  }
  return theta;
}

VectorD wavelengths(const VectorD& theta) {
  for (const double t : theta) position::require_positive("wavelengths", "frequency", t);
  return 2 * std::numbers::pi * theta.cwiseInverse();
}

}  // namespace core
