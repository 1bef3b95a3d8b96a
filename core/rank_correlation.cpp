#include "core/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/refuse.h"

namespace core {

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> all(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double mean = (static_cast<double>(first) + 1 + static_cast<double>(last)) / 2;
    for (std::size_t k = first; k < last; ++k) all[order[k]] = mean;
  }
  return all;
}

std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto none = [](double x) { return std::isnan(x); };
  if (a.size() != b.size() || std::any_of(a.begin(), a.end(), none) ||
      std::any_of(b.begin(), b.end(), none)) {
    refuse("rank_correlation", "two lists of one length, without NaN",
           std::to_string(a.size()) + " and " + std::to_string(b.size()) + " numbers");
  }
  if (a.size() < 2) return {};
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean) * (x[k] - mean);
    yy += (y[k] - mean) * (y[k] - mean);
    xy += (x[k] - mean) * (y[k] - mean);
  }
  if (xx == 0 || yy == 0) return {};
  return xy / std::sqrt(xx * yy);
}

}  // namespace core
