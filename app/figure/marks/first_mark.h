// The first mark of a kind in a plot.
#pragma once

#include "app/figure/figure.h"

namespace figure {

// Null: the plot has none. It lives as long as the plot's marks.
template <class M>
const M* first_mark(const Plot& plot) {
  for (const Mark& mark : plot.marks) {
    if (const auto* found = std::get_if<M>(&mark)) return found;
  }
  return nullptr;
}

}  // namespace figure
