#include "app/lesson/text/elements.h"

#include "app/figure/layout.h"
#include "app/figure/marks/first_mark.h"
#include "core/types.h"

namespace lesson {
namespace {

using figure::Bars, figure::Boxes, figure::Heatmap, figure::Line, figure::Plot, figure::Points;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kNear = 16;  // pixels from a point

// The first mark of its kind that can be picked, or the first where none can.
template <class Mark>
const Mark* first_to_pick(const Plot& plot) {
  for (const figure::Mark& mark : plot.marks) {
    const auto* found = std::get_if<Mark>(&mark);
    if (found && !found->picks.empty()) return found;
  }
  return figure::first_mark<Mark>(plot);
}

std::vector<const Boxes::Box*> boxes_of(const Plot& plot) {
  std::vector<const Boxes::Box*> all;
  for (const figure::Mark& mark : plot.marks) {
    const auto* found = std::get_if<Boxes>(&mark);
    if (!found) continue;
    for (const Boxes::Box& box : found->boxes) all.push_back(&box);
  }
  return all;
}

const Heatmap* cells_of(const Plot& plot) {
  const Heatmap* map = figure::first_mark<Heatmap>(plot);
  return map && map->source ? map : nullptr;
}

figure::Rect between(const figure::PlotFrame& frame, double x0, double y0, double x1, double y1) {
  const float left = std::min(frame.px_at(x0), frame.px_at(x1));
  const float top = std::min(frame.py_at(y0), frame.py_at(y1));
  return {left, top, std::abs(frame.px_at(x1) - frame.px_at(x0)),
          std::abs(frame.py_at(y1) - frame.py_at(y0))};
}

// A cell's edges in data units. Row 0 is at the top, whichever way the axis runs.
struct CellEdges {
  double x0, y0, x1, y1;
  CellEdges(const Plot& plot, const Heatmap& map, core::Index row, core::Index col) {
    const double wide = (plot.x.hi - plot.x.lo) / static_cast<double>(map.source->cols());
    const double high = (plot.y.hi - plot.y.lo) / static_cast<double>(map.source->rows());
    const auto r = static_cast<double>(row), c = static_cast<double>(col);
    x0 = plot.x.lo + c * wide, x1 = x0 + wide;
    const figure::View whole = figure::whole_view(plot);
    y0 = whole.y0 <= whole.y1 ? plot.y.lo + r * high : plot.y.hi - (r + 1) * high;
    y1 = y0 + high;
  }
  double x() const { return (x0 + x1) / 2; }
  double y() const { return (y0 + y1) / 2; }
};

}  // namespace

const figure::Figure* find_figure(const lab::Page& page, std::string_view id) {
  for (const figure::Figure& one : page.figures) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

const Plot* find_plot(const lab::Page& page, std::string_view id) {
  for (const figure::Figure& one : page.figures) {
    for (const Plot& plot : one.plots) {
      if (plot.id == id) return &plot;
    }
  }
  const figure::Figure* whole = find_figure(page, id);
  return whole && !whole->plots.empty() ? &whole->plots.front() : nullptr;
}

const figure::Figure* holder(const lab::Page& page, std::string_view id) {
  for (const figure::Figure& one : page.figures) {
    for (const Plot& plot : one.plots) {
      if (plot.id == id) return &one;
    }
  }
  return find_figure(page, id);
}

std::optional<std::array<core::Index, 2>> extent(const Plot& plot, Kind kind) {
  const auto row = [](std::size_t count) {
    return std::array<core::Index, 2>{static_cast<core::Index>(count), 1};
  };
  if (kind == Kind::cell) {
    const Heatmap* map = cells_of(plot);
    if (!map) return {};
    return std::array<core::Index, 2>{static_cast<core::Index>(map->source->rows()),
                                      static_cast<core::Index>(map->source->cols())};
  }
  if (kind == Kind::bar) {
    const Bars* bars = first_to_pick<Bars>(plot);
    if (!bars) return {};
    return row(bars->values.size());
  }
  if (kind == Kind::point) {
    const Points* points = first_to_pick<Points>(plot);
    if (!points) return {};
    return row(std::min(points->x.size(), points->y.size()));
  }
  if (kind == Kind::box) {
    const auto boxes = boxes_of(plot);
    if (boxes.empty()) return {};
    return row(boxes.size());
  }
  return {};
}

std::array<core::Index, 2> first_index(const Plot& plot, Kind kind) {
  using figure::first_cell;
  if (kind == Kind::cell) return {first_cell(plot.y), first_cell(plot.x)};
  return {kind == Kind::bar ? first_cell(plot.x) : core::Index{0}, core::Index{0}};
}

std::optional<Element> element(const Plot& plot, Kind kind, core::Index row, core::Index col) {
  const auto range = extent(plot, kind);
  const bool cell = kind == Kind::cell;
  if (!range || row < 0 || row >= (*range)[0] || (cell && (col < 0 || col >= (*range)[1]))) {
    return {};
  }
  const auto k = static_cast<std::size_t>(row);
  switch (kind) {
    case Kind::cell: {
      const float value = cells_of(plot)->source->value(row, col);
      return Element{row, col, core::is_masked(value) ? kNaN : static_cast<double>(value)};
    }
    case Kind::bar: return Element{row, -1, first_to_pick<Bars>(plot)->values[k]};
    case Kind::point: return Element{row, -1, first_to_pick<Points>(plot)->y[k]};
    default: return Element{row, -1, kNaN};
  }
}

std::vector<const Line*> lines_of(const Plot& plot) {
  std::vector<const Line*> all;
  for (const figure::Mark& mark : plot.marks) {
    if (const auto* found = std::get_if<Line>(&mark)) all.push_back(found);
  }
  return all;
}

const Line* line_of(const Plot& plot, core::Index index) {
  const auto all = lines_of(plot);
  const bool there = index >= 0 && index < static_cast<core::Index>(all.size());
  return there ? all[static_cast<std::size_t>(index)] : nullptr;
}

double value_at(const Line& line, double x) {
  const std::size_t n = std::min(line.x.size(), line.y.size());
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double a = line.x[k], b = line.x[k + 1];
    if (x < std::min(a, b) || x > std::max(a, b)) continue;
    if (a == b) return line.y[k];
    return line.y[k] + (line.y[k + 1] - line.y[k]) * (x - a) / (b - a);
  }
  return n == 1 && line.x[0] == x ? line.y[0] : kNaN;
}

figure::Rect place_of(const Plot& plot, const figure::PlotFrame& frame, Kind kind,
                      const Element& element) {
  const auto k = static_cast<std::size_t>(element.row);
  if (kind == Kind::cell) {
    const CellEdges e(plot, *cells_of(plot), element.row, element.col);
    return between(frame, e.x0, e.y0, e.x1, e.y1);
  }
  if (kind == Kind::bar) {
    const auto at = static_cast<double>(element.row + first_index(plot, kind)[0]);
    const bool finite = std::isfinite(element.value);
    figure::Rect bar = between(frame, at + 0.08, 0, at + 0.92, finite ? element.value : 0);
    constexpr float kLeast = 6;  // so that a bar of nothing can be seen to be meant
    if (bar.h < kLeast && !(element.value < 0)) bar.y -= kLeast - bar.h;
    bar.h = std::max(bar.h, kLeast);
    return bar;
  }
  if (kind == Kind::point) {
    const Points& points = *first_to_pick<Points>(plot);
    const float r = points.radius + 4;
    return {frame.px_at(points.x[k]) - r, frame.py_at(points.y[k]) - r, 2 * r, 2 * r};
  }
  const Boxes::Box& box = *boxes_of(plot)[k];
  return between(frame, box.x0, box.y0, box.x1, box.y1);
}

std::optional<Element> element_at(const Plot& plot, const figure::PlotFrame& frame, Kind kind,
                                  figure::Point at) {
  if (!frame.area.contains(at)) return {};
  const double x = frame.x_at(at.x), y = frame.y_at(at.y);
  if (kind == Kind::cell) {
    const auto cell = figure::cell_at(plot, x, y);
    if (!cell) return {};
    return element(plot, kind, static_cast<core::Index>(cell->first),
                   static_cast<core::Index>(cell->second));
  }
  if (kind == Kind::bar) {
    return element(plot, kind, static_cast<core::Index>(std::floor(x)) - first_index(plot, kind)[0],
                   -1);
  }
  const auto range = extent(plot, kind);
  std::optional<Element> nearest;
  float least = kNear;
  for (core::Index k = 0; range && k < (*range)[0]; ++k) {
    const Element one = *element(plot, kind, k, -1);
    const figure::Rect r = place_of(plot, frame, kind, one);
    const float far = kind == Kind::box ? (r.contains(at) ? 0.0f : 2 * kNear)
                                        : std::hypot(r.x + r.w / 2 - at.x, r.y + r.h / 2 - at.y);
    if (far < least) least = far, nearest = one;
  }
  return nearest;
}

figure::Pick pick_of(const Plot& plot, Kind kind, const Element& element) {
  const auto k = static_cast<std::size_t>(element.row);
  if (kind == Kind::cell) {
    const CellEdges e(plot, *cells_of(plot), element.row, element.col);
    return figure::pick_in(plot, e.x(), e.y());
  }
  const auto of = [k](const auto* mark) {
    return mark && k < mark->picks.size() ? figure::Pick{mark->picks[k]} : figure::Pick();
  };
  if (kind == Kind::bar) return of(first_to_pick<Bars>(plot));
  if (kind == Kind::point) return of(first_to_pick<Points>(plot));
  if (kind == Kind::box) return {boxes_of(plot)[k]->pick};
  return {};
}

figure::Pick any_pick(const Plot& plot) {
  for (const Kind kind : {Kind::cell, Kind::bar, Kind::point, Kind::box}) {
    const auto range = extent(plot, kind);
    if (!range) continue;
    const auto& [rows, cols] = *range;
    for (const core::Index row : {rows / 2, rows / 3, core::Index{0}}) {
      const auto one = element(plot, kind, row, kind == Kind::cell ? cols / 3 : -1);
      if (!one) continue;
      figure::Pick pick = pick_of(plot, kind, *one);
      if (!pick.empty()) return pick;
    }
  }
  if (!plot.click.empty()) return {plot.click};
  const auto middle = [](const figure::Axis& axis) { return axis.lo + (axis.hi - axis.lo) / 3; };
  return figure::pick_in(plot, middle(plot.x), middle(plot.y));
}

}  // namespace lesson
