#include "app/ui/page/values_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "app/figure/layout.h"
#include "app/figure/picking.h"

namespace ui {

namespace {

using figure::number_text;
using figure::Point;

// The place on an axis as its ticks have it: a cell by its number and name, or by the name alone
// where that says all; else the coordinate.
std::string place_name(const figure::Axis& axis, double at) {
  if (!axis.cells) return number_text(at, 6);
  const auto i = static_cast<core::Index>(std::floor(at));
  const bool named = axis.labels && i >= 0 && i < static_cast<core::Index>(axis.labels->size());
  if (!named) return fmt::format("{}", i);
  const std::string& name = (*axis.labels)[static_cast<std::size_t>(i)];
  return axis.named ? name : fmt::format("{} “{}”", i - std::lround(axis.origin), name);
}

// The cells of the plot's heatmap as they are drawn; null when there is none.
const figure::draw::Cells* cells_in(const figure::Drawing& drawing,
                                    const figure::PlotFrame& frame) {
  for (const figure::Primitive& p : drawing.primitives) {
    const auto* cells = std::get_if<figure::draw::Cells>(&p);
    if (cells && frame.area.contains(
                     {cells->rect.x + cells->rect.w / 2, cells->rect.y + cells->rect.h / 2})) {
      return cells;
    }
  }
  return nullptr;
}

std::vector<std::string> cell_lines(const figure::Plot& plot, const figure::Heatmap& map,
                                    const figure::draw::Cells* cells, double x, double y,
                                    float value, const words::Words& w) {
  std::vector<std::string> lines;
  // The numbers of named groups only tell their colours apart; the caption says what these mean.
  if (map.scale.map != figure::MapName::groups) {
    const std::string masked = map.masked.empty() ? w("masked") : map.masked;
    lines.push_back(core::is_masked(value) ? masked : number_text(static_cast<double>(value), 6));
  }
  const auto label = [](const figure::Axis& axis, const std::string& of_cells,
                        const char* of_plane) {
    return !axis.label.empty() ? axis.label : axis.cells ? of_cells : of_plane;
  };
  const std::string row_label = label(plot.y, w("row"), "y");
  const std::string col_label = label(plot.x, w("column"), "x");
  lines.push_back(fmt::format("{} {}", row_label, place_name(plot.y, y)));
  lines.push_back(fmt::format("{} {}", col_label, place_name(plot.x, x)));
  if (cells && cells->level > 0) {
    const auto high = core::Index{1} << cells->row_level;
    const auto wide = core::Index{1} << cells->col_level;
    lines.push_back(map.pool == figure::Pool::max
                        ? w.format(N_("shown: the largest of {0} × {1} cells"), high, wide)
                        : w.format(N_("shown: the mean of {0} × {1} cells"), high, wide));
  }
  return lines;
}

// The nearest of what stands at places of its own.
class Nearest {
 public:
  Nearest(const figure::Plot& plot, const figure::PlotFrame& frame, Point at)
      : plot_(plot), frame_(frame), at_(at) {}

  void operator()(const figure::Handle& handle) {
    offer(distance({handle.x, handle.y, handle.x, handle.y}) - handle.radius,
          [&] { return named(handle.label, place(handle.x, handle.y)); });
  }
  void operator()(const figure::Points& points) {
    for (std::size_t k = 0; k < std::min(points.x.size(), points.y.size()); ++k) {
      const double x = points.x[k], y = points.y[k];
      offer(distance({x, y, x, y}) - points.radius, [&] { return place(x, y); });
    }
  }
  void operator()(const figure::Arrows& arrows) {
    for (const figure::Arrows::Arrow& a : arrows.arrows) {
      offer(distance(a),
            [&] { return named(arrows.label, place(a.x0, a.y0) + " → " + place(a.x1, a.y1)); });
    }
  }
  // Heatmaps and lines answer for every place; others say what they are by themselves.
  void operator()(const figure::Heatmap&) {}
  void operator()(const figure::Line&) {}
  void operator()(const figure::Band&) {}
  void operator()(const figure::Bars&) {}
  void operator()(const figure::Rule&) {}
  void operator()(const figure::Note&) {}
  void operator()(const figure::Links&) {}
  void operator()(const figure::Table&) {}
  void operator()(const figure::Boxes&) {}
  void operator()(const figure::Interval&) {}
  void operator()(const figure::Diagram&) {}

  const std::string& text() const { return text_; }

 private:
  template <class Text>
  void offer(float distance, const Text& text) {
    if (!(distance < best_)) return;  // NaN is not near
    best_ = distance;
    text_ = text();
  }
  // In pixels, to the nearest place of an arrow.
  float distance(const figure::Arrows::Arrow& a) const {
    const float x0 = frame_.px_at(a.x0), y0 = frame_.py_at(a.y0);
    const float dx = frame_.px_at(a.x1) - x0, dy = frame_.py_at(a.y1) - y0;
    const float along = (at_.x - x0) * dx + (at_.y - y0) * dy, length = dx * dx + dy * dy;
    const float share = length > 0 ? std::clamp(along / length, 0.0f, 1.0f) : 0;
    return std::hypot(at_.x - x0 - share * dx, at_.y - y0 - share * dy);
  }
  std::string place(double x, double y) const {
    return fmt::format("({}, {})", place_name(plot_.x, x), place_name(plot_.y, y));
  }
  static std::string named(const std::string& name, const std::string& text) {
    return name.empty() ? text : name + " " + text;
  }

  const figure::Plot& plot_;
  const figure::PlotFrame& frame_;
  Point at_;
  float best_ = kNear;
  std::string text_;
};

// The cell of a diagram's picture that is pointed at.
std::vector<std::string> picture_lines(const figure::Diagram& diagram,
                                       const figure::Drawing& drawing, Point at,
                                       const words::Words& w) {
  for (const figure::Primitive& p : drawing.primitives) {
    const auto* cells = std::get_if<figure::draw::Cells>(&p);
    if (!cells || !cells->rect.contains(at)) continue;
    for (const figure::Diagram::Node& node : diagram.nodes) {
      if (node.picture != cells->source) continue;
      const auto [row, col] = cell_in(*cells, at);
      const float value = node.picture->value(row, col);
      return {node.tooltip.empty() ? node.title : node.tooltip,
              core::is_masked(value) ? w("masked") : number_text(static_cast<double>(value), 6),
              w.format(N_("row {}, column {}"), row, col)};
    }
  }
  return {};
}

std::vector<std::string> line_values(const figure::Plot& plot, double x) {
  std::vector<std::string> lines;
  for (const figure::Mark& mark : plot.marks) {
    const auto* line = std::get_if<figure::Line>(&mark);
    if (!line || line->x.empty() || line->y.size() < line->x.size()) continue;
    const auto nearest = std::min_element(line->x.begin(), line->x.end(), [&](double a, double b) {
      return std::abs(a - x) < std::abs(b - x);
    });
    const auto i = static_cast<std::size_t>(nearest - line->x.begin());
    if (lines.empty()) {
      lines.push_back(
          fmt::format("{} {}", plot.x.label,
                      plot.x.cells ? place_name(plot.x, *nearest) : number_text(*nearest)));
    }
    if (lines.size() < kMostLines) {
      lines.push_back(fmt::format("{} {}", line->label, number_text(line->y[i], 6)));
    }
  }
  return lines;
}

}  // namespace

std::pair<core::Index, core::Index> cell_in(const figure::draw::Cells& cells, Point at) {
  const auto place = [](double from, double to, float share, core::Index count) {
    const double cell = std::floor(from + (to - from) * static_cast<double>(share));
    return std::clamp(static_cast<core::Index>(cell), core::Index{0}, count - 1);
  };
  const figure::Rect& r = cells.rect;
  const figure::View& shown = cells.shown;
  return {place(shown.y0, shown.y1, (at.y - r.y) / r.h, cells.source->rows()),
          place(shown.x0, shown.x1, (at.x - r.x) / r.w, cells.source->cols())};
}

std::vector<std::string> values_at(const figure::Plot& plot, const figure::Drawing& drawing,
                                   const figure::PlotFrame& frame, Point at,
                                   const words::Words& words) {
  const double x = frame.x_at(at.x), y = frame.y_at(at.y);
  for (const figure::Mark& mark : plot.marks) {
    const auto* map = std::get_if<figure::Heatmap>(&mark);
    if (!map) continue;
    const auto cell = figure::cell_at(plot, x, y);
    if (!cell) return {};
    const auto [row, col] = *cell;
    const auto middle = figure::middle_of(plot, *map, row, col);
    return cell_lines(plot, *map, cells_in(drawing, frame), middle.first, middle.second,
                      map->source->value(row, col), words);
  }
  for (const figure::Mark& mark : plot.marks) {
    const auto* diagram = std::get_if<figure::Diagram>(&mark);
    auto lines = diagram ? picture_lines(*diagram, drawing, at, words) : std::vector<std::string>();
    if (!lines.empty()) return lines;
  }
  Nearest nearest(plot, frame, at);
  for (const figure::Mark& mark : plot.marks) std::visit(nearest, mark);
  if (!nearest.text().empty()) return {nearest.text()};
  return line_values(plot, x);
}

std::vector<std::string> about_pooling(const figure::PoolNote& note, const words::Words& w) {
  const bool largest = note.pool == figure::Pool::max;
  return {w.format(largest ? N_("Each drawn square is the largest of {0} × {1} cells.")
                           : N_("Each drawn square is the mean of {0} × {1} cells."),
                   note.rows, note.cols),
          w("There are more cells than pixels; Ctrl and the wheel zoom in.")};
}

}  // namespace ui
