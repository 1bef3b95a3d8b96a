// Where a curve over the distances 0, 1, 2, ... rises, and where it is smallest.
#pragma once

#include <optional>

#include "core/types.h"

namespace core {

struct CurveFacts {
  std::optional<Index>
      first_rise;    // the first t >= 1 with y(t) > y(t - 1); none when it only falls
  Index rises = 0;   // how many such t there are
  Index argmin = 0;  // the first t where y is smallest
  double minimum = 0;
  double largest_rebound = 0;  // the largest y(b) - y(a) with a < b; 0 when it never rises
};

// y: at least one value, all finite, else InputError.
CurveFacts curve_facts(const VectorD& y);

}  // namespace core
