#include "app/param/between.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace param {
namespace {

// Four digits of a number that is about `size`.
double tidy(double value, double size) {
  if (!(std::abs(size) > 0)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(size))) - 3);
  const double units = std::round(value / unit);
  return unit < 1 ? units / std::round(1 / unit) : units * unit;
}

}  // namespace

double between(const Parameter& parameter, double from, double to, double share) {
  if (share <= 0) return from;
  if (share >= 1) return to;
  double at = from + (to - from) * share;
  double size = to - from;
  if (parameter.info.scale == Scale::log) {
    const double least = parameter.info.min;
    if (from > 0 && to > 0) {
      at = from * std::pow(to / from, share);
      size = at;
    } else if (from >= least && to >= least) {
      const double begin = std::log1p(from - least), end = std::log1p(to - least);
      at = least + std::expm1(begin + (end - begin) * share);
      size = at - least;
    }
  }
  // What was rounded does not leave the way.
  return std::clamp(tidy(at, size), std::min(from, to), std::max(from, to));
}

std::string nearest_text(const Parameter& parameter, double wanted) {
  const double fit = nearest(parameter, wanted);
  if (std::holds_alternative<Integer>(parameter.kind)) return fmt::format("{}", std::llround(fit));
  return fmt::format("{}", fit);
}

}  // namespace param
