#include "core/position/curve.h"

#include <algorithm>

#include "core/position/checks.h"

namespace core {

CurveFacts curve_facts(const VectorD& y) {
  position::require_at_least("curve_facts", "a number of values", 1, y.size());
  if (!y.allFinite()) refuse("curve_facts", "finite values", "others");
  CurveFacts facts;
  facts.minimum = y(0);
  for (Index t = 1; t < y.size(); ++t) {
    if (y(t) > y(t - 1)) {
      if (!facts.first_rise) facts.first_rise = t;
      ++facts.rises;
    }
    facts.largest_rebound = std::max(facts.largest_rebound, y(t) - facts.minimum);
    if (y(t) < facts.minimum) {
      facts.minimum = y(t);
      facts.argmin = t;
    }
  }
  return facts;
}

}  // namespace core
