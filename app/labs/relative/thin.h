// Curves of many points thinned to what a screen can show, with their true extremes.
#pragma once

#include <functional>

#include "app/figure/figure.h"
#include "core/types.h"

namespace lab::relative {

inline constexpr core::Index kMostPoints = 2048;

// y of whole x from first to last. When there are more than kMostPoints, each stretch of them gives
// its smallest and its largest value at their own places. `log` makes stretches equally wide on a
// logarithmic axis; then first >= 1.
figure::Line thin_line(core::Index first, core::Index last, bool log,
                       const std::function<double(core::Index)>& y);

}  // namespace lab::relative
