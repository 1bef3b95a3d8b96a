// Where a value stands on its slider, from 0 to 1, and back.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/param/stack.h"

namespace ui {

// A logarithmic scale whose least value is 0 goes by log(1 + value).
struct SliderScale {
  double min, max;
  param::Scale scale;

  double share(double value) const {
    const double whole = to_axis(max);
    return whole > 0 ? std::clamp(to_axis(value) / whole, 0.0, 1.0) : 0;  // more may be typed
  }
  // The ends are exact.
  double at(double share) const {
    if (share <= 0) return min;
    if (share >= 1) return max;
    return std::clamp(from_scale(share * to_axis(max)), min, max);
  }

 private:
  double to_axis(double value) const {
    if (scale == param::Scale::linear) return value - min;
    return min > 0 ? std::log(value / min) : std::log1p(value - min);
  }
  double from_scale(double x) const {
    if (scale == param::Scale::linear) return min + x;
    return min > 0 ? min * std::exp(x) : min + std::expm1(x);
  }
};

}  // namespace ui
