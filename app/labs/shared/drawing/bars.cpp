#include "app/labs/shared/drawing/bars.h"

namespace lab {

Plot bar_plot(BarPlot bars) {
  Plot plot{.id = std::move(bars.id), .title = std::move(bars.title)};
  plot.x = bars.x ? std::move(*bars.x) : counted_axis("", to_index(bars.values.size()));
  double lo = 0, hi = 0;
  for (const double value : bars.values) {
    if (!std::isfinite(value)) continue;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  if (!(hi > lo)) hi = 1;
  plot.y.lo = lo < 0 ? lo - 0.18 * (hi - lo) : 0;
  plot.y.hi = bars.top > 0 ? bars.top : hi > 0 ? hi + 0.18 * (hi - lo) : 0;
  if (bars.top > 1) plot.y.end = 1;
  plot.add(Bars{.values = std::move(bars.values),
                .color = bars.color,
                .picks = std::move(bars.picks),
                .marked = to_int(bars.marked)});
  return plot;
}

}  // namespace lab
