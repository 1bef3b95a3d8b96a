// What the tests of labs that learn from pairs read off the scores by length.
#pragma once

#include <doctest/doctest.h>

#include "app/labs/shared/model/written.h"

namespace lab::trying {

// The share of texts of this length that are right.
inline double share_at(const LengthScores& scores, Index length) {
  for (std::size_t k = 0; k < scores.lengths.size(); ++k) {
    if (scores.lengths[k] == length) {
      return static_cast<double>(scores.right[k]) / static_cast<double>(scores.pairs[k]);
    }
  }
  FAIL("no length " << length);
  return 0;
}

}  // namespace lab::trying
