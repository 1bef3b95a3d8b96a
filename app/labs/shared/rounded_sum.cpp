#include "app/labs/shared/rounded_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab {

std::vector<long long> rounded_parts(const std::vector<double>& values, int digits) {
  const double unit = std::pow(10.0, digits);
  std::vector<long long> parts(values.size());
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto lost = [&](std::size_t k) { return values[k] * unit - std::floor(values[k] * unit); };
  double sum = 0;
  long long given = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    sum += values[k];
    parts[k] = static_cast<long long>(std::floor(values[k] * unit));
    given += parts[k];
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lost(a) > lost(b); });
  const auto missing = static_cast<std::size_t>(
      std::clamp(std::llround(sum * unit) - given, 0LL, static_cast<long long>(values.size())));
  for (std::size_t k = 0; k < missing; ++k) ++parts[order[k]];
  return parts;
}

std::string units_text(long long units, int digits) {
  // Through the magnitude, so that -0.4 keeps its sign.
  const long long unit = std::llround(std::pow(10.0, digits));
  const long long size = units < 0 ? -units : units;
  if (digits == 0) return fmt::format("{}", units);
  return fmt::format("{}{}.{:0{}}", units < 0 ? "-" : "", size / unit, size % unit, digits);
}

}  // namespace lab
