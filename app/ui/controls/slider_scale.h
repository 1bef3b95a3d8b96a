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
  // The roundest of the values that stand at most `reach` from a place: where a logarithmic scale
  // ends in a power of two, a power of two, else a multiple of the largest 10^k or 10^k / 2.
  double round_at(double share, double reach) const {
    const double lo = at(share - reach), middle = at(share), hi = at(share + reach);
    if (share <= 0 || share >= 1 || !(hi > lo)) return middle;
    if (ends_in_power_of_two() && lo > 0) {
      const double power = std::exp2(std::ceil(std::log2(lo)));
      if (power <= hi) return power;
    }
    const double largest = std::max(std::abs(lo), std::abs(hi));
    for (double ten = std::pow(10, std::ceil(std::log10(largest))); ten > 0; ten /= 10) {
      for (const double unit : {ten, ten / 2}) {
        const double first = std::ceil(lo / unit), last = std::floor(hi / unit);
        if (first <= last) return std::clamp(std::round(middle / unit), first, last) * unit;
      }
    }
    return middle;
  }

 private:
  bool ends_in_power_of_two() const {
    return scale == param::Scale::log && max >= 16 && std::exp2(std::round(std::log2(max))) == max;
  }
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
