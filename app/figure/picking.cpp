#include "app/figure/picking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure {
namespace {

struct Place {
  double x, y;
};

// In the parameter's own units; of cells by the index, at most the last one's.
double coordinate(const Axis& axis, double at) {
  if (axis.cells) {
    const double last = std::max(axis.lo, axis.hi) - 1;
    at = std::max(std::floor(std::min(at, last)), std::min(axis.lo, axis.hi));
  }
  return (at - axis.origin) / axis.unit;
}

void add_place(const Plot& plot, Place at, Pick& pick) {
  if (!scrubs(plot)) return;
  if (!plot.x_param.empty()) pick.near.emplace_back(plot.x_param, coordinate(plot.x, at.x));
  if (!plot.y_param.empty()) pick.near.emplace_back(plot.y_param, coordinate(plot.y, at.y));
}

// A pointer lies on whole pixels: digits beyond these would be noise in a value that people read.
double tidy(double value, double a_pixel_on) {
  const double pixel = std::abs(a_pixel_on - value);
  if (!(pixel > 0) || !std::isfinite(pixel)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(pixel)));
  const double units = std::round(value / unit);
  return unit < 1 ? units / std::round(1 / unit) : units * unit;
}

Place place_at(const PlotFrame& frame, const Plot& plot, Point at) {
  const Rect& a = frame.area;
  const float px = std::clamp(at.x, a.x, std::max(a.x, a.right()));
  const float py = std::clamp(at.y, a.y, std::max(a.y, a.bottom()));
  const double x = frame.x_at(px), y = frame.y_at(py);
  return {plot.x.cells ? x : tidy(x, frame.x_at(px + 1)),
          plot.y.cells ? y : tidy(y, frame.y_at(py + 1))};
}

const Plot& plot_of(const Figure& figure, const PlotFrame& frame) {
  return figure.plots[static_cast<std::size_t>(frame.index)];
}

// An interval that reached over an end of the axis is not moved farther over it.
Shift shift_of(const Grip& grip, const PlotFrame& frame, const Axis& axis, Point to) {
  Shift shift;
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const auto& [param, at] : grip.together) {
    shift.from.emplace_back(param, coordinate(axis, at));
    first = std::min(first, at), last = std::max(last, at);
  }
  const double start = frame.x_at(grip.at.x), by = frame.x_at(to.x) - start;
  const double lo = std::min(axis.lo, axis.hi), hi = std::max(axis.lo, axis.hi);
  shift.by = std::clamp(tidy(by, frame.x_at(to.x + 1) - start), std::min(0.0, lo - first),
                        std::max(0.0, hi - last)) /
             axis.unit;
  return shift;
}

// A plot that takes clicks anywhere is itself such a hit; what lies in it comes first.
bool is_plot_itself(const Hit& hit, const Figure& figure, const Drawing& drawing) {
  return std::any_of(drawing.frames.begin(), drawing.frames.end(), [&](const PlotFrame& frame) {
    return frame.index == hit.plot && frame.whole == hit.rect &&
           plot_of(figure, frame).click == hit.click;
  });
}

// One axis of a brush over cells, in units of 2^level of them.
struct BrushAxis {
  double lo, hi;  // what is shown
  Index unit;     // cells
  Index count;    // cells of the table
  int width;      // units
  double a, b;    // in units: where the stroke comes from and goes to

  BrushAxis(double shown0, double shown1, float pixels, Index cells, int brush, double from,
            double to)
      : lo(std::min(shown0, shown1)),
        hi(std::max(shown0, shown1)),
        unit(Index{1} << level_for(hi - lo, static_cast<double>(std::max(pixels, 1.0f)))),
        count(cells),
        width(brush),
        a(std::floor(from / static_cast<double>(unit))),
        b(std::floor(to / static_cast<double>(unit))) {}

  // The cells under the brush after a share of the way.
  std::pair<Index, Index> covered(double share) const {
    const auto middle = static_cast<Index>(std::lround(a + share * (b - a)));
    const Index first = (middle - (width - 1) / 2) * unit;
    const auto least = std::max(Index{0}, static_cast<Index>(std::floor(lo)));
    const auto most = std::min(count, static_cast<Index>(std::ceil(hi)));
    return {std::max(least, first), std::min(most, first + width * unit)};
  }
};

}  // namespace

Index first_cell(const Axis& axis) {
  return axis.cells ? static_cast<Index>(std::lround(std::min(axis.lo, axis.hi))) : 0;
}

std::optional<std::pair<Index, Index>> cell_at(const Plot& plot, double x, double y) {
  const Heatmap* heatmap = parts::heatmap_of(plot);
  if (!heatmap || !heatmap->source) return {};
  const auto cell = [](double at, const Axis& axis, Index count) {
    const double lo = std::min(axis.lo, axis.hi), hi = std::max(axis.lo, axis.hi);
    return std::floor((at - lo) / (hi - lo) * static_cast<double>(count));
  };
  const Index rows = heatmap->source->rows(), cols = heatmap->source->cols();
  const double from_top = parts::rows_downwards(plot) ? y : plot.y.lo + plot.y.hi - y;
  const double row = cell(from_top, plot.y, rows), col = cell(x, plot.x, cols);
  const bool there =
      row >= 0 && col >= 0 && row < static_cast<double>(rows) && col < static_cast<double>(cols);
  if (!there) return {};
  return std::pair{static_cast<Index>(row), static_cast<Index>(col)};
}

std::pair<double, double> middle_of(const Plot& plot, const Heatmap& map, Index row, Index col) {
  const auto middle = [](const Axis& axis, Index cell, Index count) {
    const double lo = std::min(axis.lo, axis.hi), hi = std::max(axis.lo, axis.hi);
    return lo + (static_cast<double>(cell) + 0.5) / static_cast<double>(count) * (hi - lo);
  };
  const double from_top = middle(plot.y, row, map.source->rows());
  return {middle(plot.x, col, map.source->cols()),
          parts::rows_downwards(plot) ? from_top : plot.y.lo + plot.y.hi - from_top};
}

Pick pick_in(const Plot& plot, double x, double y) {
  Pick pick{plot.click};
  if (plot.thumbnail && !plot.click.empty()) return pick;  // it is chosen as a whole
  if (const auto cell = cell_at(plot, x, y)) {
    const Heatmap& map = *parts::heatmap_of(plot);
    if (!map.row_param.empty()) pick.exact.emplace_back(map.row_param, std::to_string(cell->first));
    if (!map.col_param.empty())
      pick.exact.emplace_back(map.col_param, std::to_string(cell->second));
    pick.exact.insert(pick.exact.end(), map.also.begin(), map.also.end());
  }
  if (takes_places(plot) && !plot.points_param.empty()) {
    pick.point = PointEdit{PointEdit::Kind::add, plot.points_param, 0, x, y};
  } else {
    add_place(plot, {x, y}, pick);
  }
  return pick;
}

Point meant_at(const Drawing& drawing, Point at) {
  for (const Hit& hit : drawing.hits) {
    if (!hit.name || !hit.name->contains(at)) continue;
    return {hit.rect.x + hit.rect.w / 2, hit.rect.y + hit.rect.h / 2};
  }
  return at;
}

Pick pick_at(const Figure& figure, const Drawing& drawing, Point at) {
  if (const Grip* grip = grip_at(drawing, at)) return {grip->also};
  at = meant_at(drawing, at);
  const Hit* hit = nullptr;
  for (const Hit& each : drawing.hits) {
    const bool counts = each.rect.contains(at) && !each.click.empty();
    if (counts && !is_plot_itself(each, figure, drawing)) hit = &each;
  }
  if (hit) return {.exact = hit->click, .said = hit->loss.said};
  for (const PlotFrame& frame : drawing.frames) {
    if (!frame.area.contains(at)) continue;
    const Plot& plot = plot_of(figure, frame);
    const Place place = place_at(frame, plot, at);
    return pick_in(plot, place.x, place.y);
  }
  for (const PlotFrame& frame : drawing.frames) {
    if (frame.whole.contains(at)) return {plot_of(figure, frame).click};
  }
  return {};
}

bool takes_places(const Plot& plot) {
  return scrubs(plot) || (!plot.thumbnail && !plot.points_param.empty());
}

bool scrubs(const Plot& plot) {
  return !plot.thumbnail && !(plot.x_param.empty() && plot.y_param.empty());
}

bool can_zoom(const Plot& plot) {
  return !plot.thumbnail && parts::has_axes(plot) && (plot.x.visible || plot.y.visible);
}

const Grip* grip_at(const Drawing& drawing, Point at) {
  const Grip* found = nullptr;
  constexpr float kFarthest = std::numeric_limits<float>::max();
  float nearest = std::numeric_limits<float>::infinity();
  for (const Grip& grip : drawing.grips) {
    if (!grip.rect.contains(at)) continue;
    const float distance =
        grip.together.empty() ? std::hypot(grip.at.x - at.x, grip.at.y - at.y) : kFarthest;
    if (distance > nearest) continue;
    nearest = distance;
    found = &grip;
  }
  return found;
}

Pick removal_at(const Drawing& drawing, Point at) {
  const Grip* grip = grip_at(drawing, at);
  if (!grip || grip->points_param.empty()) return {};
  return {{}, {}, PointEdit{PointEdit::Kind::remove, grip->points_param, grip->point}};
}

Pick dragged(const Grip& grip, const PlotFrame& frame, const Plot& plot, Point to) {
  Pick pick{grip.also};
  if (!grip.together.empty()) {
    pick.shift = shift_of(grip, frame, plot.x, to);
    return pick;
  }
  const Place place = place_at(frame, plot, to);
  if (!grip.text_param.empty()) {
    pick.exact.emplace_back(grip.text_param, fmt::format("{}{}{}", grip.before,
                                                         coordinate(plot.y, place.y), grip.after));
    return pick;
  }
  if (!grip.points_param.empty()) {
    pick.point = PointEdit{PointEdit::Kind::move, grip.points_param, grip.point, place.x, place.y};
    return pick;
  }
  if (!grip.x_param.empty()) pick.near.emplace_back(grip.x_param, coordinate(plot.x, place.x));
  if (!grip.y_param.empty()) pick.near.emplace_back(grip.y_param, coordinate(plot.y, place.y));
  return pick;
}

Pick scrubbed(const PlotFrame& frame, const Plot& plot, Point to) {
  Pick pick{plot.click};
  add_place(plot, place_at(frame, plot, to), pick);
  return pick;
}

bool takes_paint(const Plot& plot) {
  const Heatmap* map = parts::heatmap_of(plot);
  return map && map->source && !map->paint_param.empty() && !plot.thumbnail;
}

std::vector<CellRect> brushed(const PlotFrame& frame, const Plot& plot, Point from, Point to) {
  if (!takes_paint(plot)) return {};
  const Heatmap& map = *parts::heatmap_of(plot);
  const View& v = frame.shown;
  const BrushAxis x(v.x0, v.x1, frame.area.w, map.source->cols(), map.brush, frame.x_at(from.x),
                    frame.x_at(to.x));
  const BrushAxis y(v.y0, v.y1, frame.area.h, map.source->rows(), map.brush, frame.y_at(from.y),
                    frame.y_at(to.y));
  // A pointer that leaps from far outside of the plot may skip cells there.
  constexpr double kMostSteps = 65536;
  const double steps =
      std::min(kMostSteps, std::max({1.0, std::abs(x.b - x.a), std::abs(y.b - y.a)}));
  std::vector<CellRect> rects;
  for (double k = 0; k <= steps; ++k) {
    const auto [row0, row1] = y.covered(k / steps);
    const auto [col0, col1] = x.covered(k / steps);
    const CellRect rect{row0, row1, col0, col1};
    if (row0 >= row1 || col0 >= col1 || (!rects.empty() && rects.back() == rect)) continue;
    rects.push_back(rect);
  }
  return rects;
}

}  // namespace figure
