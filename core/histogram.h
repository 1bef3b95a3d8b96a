// How numbers are spread.
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

// Bins of one width from the smallest to the largest of the finite numbers, each of which is in
// one: bin k has those from lo + k step on, the last one also the largest. Numbers that are all the
// same stand in the middle of bins that are 1 wide together.
struct Histogram {
  double lo = 0, hi = 0, step = 0;
  std::vector<double> counts;
  Index size = 0;                  // finite numbers
  double mean = 0, deviation = 0;  // of these; the deviation is sqrt(mean square - mean^2)
};
// Order and shape of the numbers do not matter. InputError for no finite number and for less than
// one bin.
Histogram histogram(const MatrixD& numbers, Index bins);

}  // namespace core
