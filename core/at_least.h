// Sums against thresholds that a person typed.
#pragma once

#include <limits>

#include "core/types.h"

namespace core {

// Whether value >= threshold but for rounding, both of at least 0. Decimals such as 0.7 and 0.1 are
// not exact, and a sum of `terms` rounded numbers may miss its exact value by terms * epsilon of
// it; a boundary that is met on paper (0.7 + 0.1 against 0.8) is met here. `epsilon` is that of the
// type that the numbers came in.
inline bool at_least(double value, double threshold, Index terms,
                     double epsilon = std::numeric_limits<double>::epsilon()) {
  return value >= threshold * (1 - static_cast<double>(terms) * epsilon);
}

}  // namespace core
