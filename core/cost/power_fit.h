// The exponent with which a cost grows, from measurements.
#pragma once

#include <optional>
#include <span>

#include "core/types.h"

namespace core {

// y = factor x^exponent: the straight line of least squares through (ln x, ln y).
struct PowerFit {
  double exponent = 0, factor = 0;
  // Standard error of the exponent: sqrt(sum of squared residuals / (count - 2) / sxx); 0 for two
  // points, which a line meets.
  double error = 0;
  // Means of ln x and of ln y, and the sums of squares and products about them. exponent = sxy /
  // sxx, ln factor = mean_y - exponent mean_x.
  double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0;
  Index count = 0;

  double at(double x) const;
};

// Nothing when there are fewer than two different x. InputError when the lengths differ or a number
// is not positive and finite.
std::optional<PowerFit> fit_power(std::span<const double> x, std::span<const double> y);

}  // namespace core
