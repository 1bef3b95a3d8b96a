// Initial values that follow from where they stand, which torch_training.py has as well.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/model/learning/layout.h"

namespace bench {

// Matrices by a sine of row and column, numbered in the order of the layout; gains 1, biases 0.
inline std::vector<float> made_start(const core::model::Layout& layout) {
  using core::Index;
  std::vector<float> values(static_cast<std::size_t>(layout.size()), 0.F);
  int made = 0;
  for (const core::model::Parameter& p : layout.parameters()) {
    float* to = values.data() + p.slot.offset;
    if (p.start.kind == core::model::Start::Kind::ones) std::fill_n(to, p.slot.size(), 1.F);
    if (p.start.kind != core::model::Start::Kind::normal) continue;
    const auto scale = p.start.scale * std::sqrt(2.0);
    for (Index i = 0; i < p.slot.rows; ++i) {
      for (Index j = 0; j < p.slot.cols; ++j) {
        const auto place = static_cast<double>((i * 7919 + j * 104729 + i * j * 31) % 1000003);
        *to++ = static_cast<float>(scale * std::sin(place + static_cast<double>(made)));
      }
    }
    ++made;
  }
  return values;
}

}  // namespace bench
