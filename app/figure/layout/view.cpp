// Which part of its axes a plot shows, and between data and pixels.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"
#include "app/figure/marks/first_mark.h"

namespace figure {
namespace {

double share_of(double value, double from, double to, bool log) {
  if (log) {
    value = std::log(value), from = std::log(from), to = std::log(to);
  }
  return to == from ? 0.5 : (value - from) / (to - from);
}

double value_at(double share, double from, double to, bool log) {
  if (!log) return from + (to - from) * share;
  return std::exp(std::log(from) + (std::log(to) - std::log(from)) * share);
}

}  // namespace

bool Rotated::contains(Point p) const {
  const float dx = p.x - rect.x, dy = p.y - (rect.y + rect.h / 2);
  const float cosine = std::cos(angle), sine = std::sin(angle);
  const float along = dx * cosine + dy * sine, across = dy * cosine - dx * sine;
  return along >= 0 && along < rect.w && std::abs(across) < rect.h / 2;
}

double PlotFrame::x_at(float px) const {
  const double share = area.w > 0 ? static_cast<double>((px - area.x) / area.w) : 0.5;
  return value_at(share, shown.x0, shown.x1, x_log);
}

double PlotFrame::y_at(float py) const {
  const double share = area.h > 0 ? static_cast<double>((py - area.y) / area.h) : 0.5;
  return value_at(share, shown.y0, shown.y1, y_log);
}

float PlotFrame::px_at(double x) const {
  return area.x + area.w * static_cast<float>(share_of(x, shown.x0, shown.x1, x_log));
}

float PlotFrame::py_at(double y) const {
  return area.y + area.h * static_cast<float>(share_of(y, shown.y0, shown.y1, y_log));
}

namespace parts {
namespace {

// An axis with no extent, or none that can be shown, gets one.
std::pair<double, double> extent(const Axis& axis) {
  double lo = axis.lo, hi = axis.hi;
  const bool log = axis.scale == AxisScale::log;
  if (!std::isfinite(lo) || !std::isfinite(hi) || (log && (lo <= 0 || hi <= 0))) {
    return log ? std::pair{1.0, 10.0} : std::pair{0.0, 1.0};
  }
  if (lo > hi) std::swap(lo, hi);
  if (lo == hi) {
    const double around = std::max(0.5, std::abs(lo) * 1e-6);
    return log ? std::pair{lo / 2, hi * 2} : std::pair{lo - around, hi + around};
  }
  return {lo, hi};
}

bool can_show(double from, double to, bool log) {
  return std::isfinite(from) && std::isfinite(to) && from != to && (!log || (from > 0 && to > 0));
}

}  // namespace

const Heatmap* heatmap_of(const Plot& plot) { return first_mark<Heatmap>(plot); }
const Links* links_of(const Plot& plot) { return first_mark<Links>(plot); }
const Bars* bars_of(const Plot& plot) { return first_mark<Bars>(plot); }
const Table* table_of(const Plot& plot) { return first_mark<Table>(plot); }

bool has_axes(const Plot& plot) { return !links_of(plot) && !table_of(plot); }

bool rows_downwards(const Plot& plot) {
  return plot.y.cells || (heatmap_of(plot) && !plot.upright) || !has_axes(plot);
}

View full_view(const Plot& plot) {
  if (const Links* links = links_of(plot)) {
    const auto count = [](const Labels& words) { return words ? words->size() : 0; };
    const auto most = std::max({count(links->left), count(links->right), std::size_t{1}});
    return {0, 1, 0, static_cast<double>(most)};
  }
  if (table_of(plot)) return {0, 1, 0, 1};
  const auto [x0, x1] = extent(plot.x);
  const auto [y0, y1] = extent(plot.y);
  return rows_downwards(plot) ? View{x0, x1, y0, y1} : View{x0, x1, y1, y0};
}

View shown_view(const Plot& plot, const Views& views) {
  const auto found = views.find(plot.id);
  if (found == views.end() || plot.thumbnail || table_of(plot)) return full_view(plot);
  const View& v = found->second;
  const bool good = can_show(v.x0, v.x1, plot.x.scale == AxisScale::log) &&
                    can_show(v.y0, v.y1, plot.y.scale == AxisScale::log);
  return good ? v : full_view(plot);
}

bool labelled_above(const Placed& p) {
  return p.y_label && p.plot->y.visible && !p.plot->y.label.empty() && !table_of(*p.plot);
}

bool labelled_below(const Placed& p) {
  return p.x_label && p.plot->x.visible && !p.plot->x.label.empty() && !table_of(*p.plot);
}

bool shares_axes(const Plot& plot, const Pen& pen) {
  const Heatmap* map = heatmap_of(plot);
  return pen.look().shared_axes && !plot.thumbnail && plot.square && map && !map->color_bar;
}

bool note_in_header(const Plot& plot, const Pen& pen) {
  return shares_axes(plot, pen) && !plot.note.empty();
}

Rect data_area(const Plot& plot, const Rect& room) {
  const float w = std::max(0.0f, room.w), h = std::max(0.0f, room.h);
  if (!plot.square || !has_axes(plot)) return {room.x, room.y, w, h};
  const View full = full_view(plot);
  const auto columns = static_cast<float>(std::abs(full.x1 - full.x0));
  const auto rows = static_cast<float>(std::abs(full.y1 - full.y0));
  const float unit = std::min(w / columns, h / rows);
  // A very oblong matrix would become a hairline: it gives up equal sides before it gets that thin.
  const float least = 24;
  return {room.x, room.y, std::min(w, std::max(unit * columns, least)),
          std::min(h, std::max(unit * rows, least))};
}

}  // namespace parts

View whole_view(const Plot& plot) { return parts::full_view(plot); }

}  // namespace figure
