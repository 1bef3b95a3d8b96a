// Drawings between two drawings of one figure, for the moment after a knob was changed.
#pragma once

#include <vector>

#include "app/figure/drawing.h"

namespace figure {

// The drawing `to`, with its marks on their way from `from`: at 0 where they stood there, at 1
// where `to` has them, on straight lines between. A mark moves that both draw with the same things:
// as many bars, a curve through as many points. All else is as in `to`: axes, words beside the
// plots, the cells of heatmaps.
std::vector<Primitive> between(const Drawing& from, const Drawing& to, float share);

// Whether any mark would move.
bool moves(const Drawing& from, const Drawing& to);

}  // namespace figure
