// Which part of a plot is shown after zooming, moving, or because a linked plot shows another part.
// Views keep their plot's orientation: y0 is at the top, whichever way the axis runs.
#pragma once

#include "app/figure/layout.h"

namespace state {

// The view of a frame scaled by `factor` about a place of its drawing, within the plot's axes; an
// axis that is not drawn stays as it is.
figure::View zoomed(const figure::Plot& plot, const figure::PlotFrame& frame, figure::Point about,
                    double factor);
// The view of a frame after a drag over so many pixels.
figure::View moved(const figure::Plot& plot, const figure::PlotFrame& frame, float dx, float dy);

// Plots that share an axis' link show the same part of it.
bool linked(const figure::Plot& a, const figure::Plot& b);
// What `other` shows once `plot` shows `view`, if it showed `now` before.
figure::View followed(const figure::Plot& plot, const figure::View& view, const figure::Plot& other,
                      const figure::View& now);

}  // namespace state
