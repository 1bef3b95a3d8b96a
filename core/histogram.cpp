#include "core/histogram.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/refuse.h"

namespace core {

Histogram histogram(const MatrixD& numbers, Index bins) {
  if (bins < 1) refuse("histogram", "at least one bin", std::to_string(bins));
  std::vector<double> finite;
  std::copy_if(numbers.data(), numbers.data() + numbers.size(), std::back_inserter(finite),
               [](double one) { return std::isfinite(one); });
  if (finite.empty()) refuse("histogram", "a finite number", "none");
  const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
  const double room = *most > *least ? 0 : 0.5;
  const double lo = *least - room, hi = *most + room;
  Histogram all{.lo = lo,
                .hi = hi,
                .step = (hi - lo) / static_cast<double>(bins),
                .counts = std::vector<double>(static_cast<std::size_t>(bins), 0),
                .size = static_cast<Index>(finite.size())};
  double sum = 0, squares = 0;
  for (const double one : finite) {
    const double share = (one - lo) / (hi - lo);
    const auto bin = static_cast<Index>(share * static_cast<double>(bins));
    ++all.counts[static_cast<std::size_t>(std::min(bins - 1, bin))];
    sum += one;
    squares += one * one;
  }
  const auto count = static_cast<double>(finite.size());
  all.mean = sum / count;
  all.deviation = std::sqrt(std::max(0.0, squares / count - all.mean * all.mean));
  return all;
}

}  // namespace core
