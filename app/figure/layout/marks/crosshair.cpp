// What follows the pointer, in every plot that shares an axis with it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure {
namespace {

using parts::Pen;

// The hovered cell of an axis, or the bare value where it has no cells.
struct Hovered {
  double from, to, middle;
  std::string name;
};

std::optional<Hovered> hovered_on(const Axis& axis, double a, double b,
                                  const std::map<std::string, double>& hovered) {
  const auto found = axis.link.empty() ? hovered.end() : hovered.find(axis.link);
  if (found == hovered.end()) return {};
  const double at = found->second, lo = std::min(a, b), hi = std::max(a, b);
  if (!(at >= lo && at < hi)) return {};
  if (!axis.cells) return Hovered{at, at, at, number_text(at)};
  const double cell = std::floor(at);
  const bool named = axis.labels && cell >= 0 && cell < static_cast<double>(axis.labels->size());
  return Hovered{cell, cell + 1, cell + 0.5,
                 named ? parts::short_name((*axis.labels)[static_cast<std::size_t>(cell)])
                       : number_text(cell)};
}

void name_tag(const Rect& at, const std::string& text, const Axis& axis, float align,
              const Pen& pen) {
  pen.fill(at, pen.theme().card, pen.px(3));
  pen.text({at.x + at.w * align, at.y + at.h / 2}, text, TextStyle::label_bold,
           resolve(axis.color, pen.theme()), align);
}

void row_band(const PlotFrame& f, const Axis& axis, const Hovered& row, const Pen& pen) {
  const Rgba color = pen.theme().text.with_alpha(0.45f);
  const float a = f.py_at(row.from), b = f.py_at(row.to);
  const float y0 = std::max(f.area.y, std::min(a, b)),
              y1 = std::min(f.area.bottom(), std::max(a, b));
  if (row.to > row.from) {
    pen.outline({f.area.x, y0, f.area.w, y1 - y0}, color, pen.px(1));
  } else {
    pen.line({f.area.x, a}, {f.area.right(), a}, color, pen.px(1));
  }
  const Point size = pen.size(row.name, TextStyle::label_bold);
  const float room = f.area.x - f.whole.x - pen.px(4);
  if (!axis.visible || room < pen.px(16)) return;
  const float w = std::max(size.x, std::min(room, size.x + pen.px(4)));
  name_tag({f.area.x - pen.px(8) - w, f.py_at(row.middle) - size.y / 2, w, size.y}, row.name, axis,
           1, pen);
}

void column_band(const PlotFrame& f, const Axis& axis, const Hovered& col, const Rect& bounds,
                 const Pen& pen) {
  const Rgba color = pen.theme().text.with_alpha(0.45f);
  const float a = f.px_at(col.from), b = f.px_at(col.to);
  const float x0 = std::max(f.area.x, std::min(a, b)),
              x1 = std::min(f.area.right(), std::max(a, b));
  if (col.to > col.from) {
    pen.outline({x0, f.area.y, x1 - x0, f.area.h}, color, pen.px(1));
  } else {
    pen.line({a, f.area.y}, {a, f.area.bottom()}, color, pen.px(1));
  }
  const Point size = pen.size(col.name, TextStyle::label_bold);
  // Over slanted names it would leave pieces of them.
  if (!axis.visible || f.slanted || f.area.bottom() + size.y + pen.px(4) > bounds.bottom()) return;
  const float w = size.x + pen.px(8);
  const float x =
      std::clamp(f.px_at(col.middle) - w / 2, bounds.x, std::max(bounds.x, bounds.right() - w));
  name_tag({x, f.area.bottom() + pen.px(4), w, size.y}, col.name, axis, 0.5f, pen);
}

}  // namespace

std::vector<Primitive> crosshair(const Figure& figure, const Drawing& drawing,
                                 const std::map<std::string, double>& hovered,
                                 const LayoutOptions& options) {
  Drawing over;
  const Pen pen(over, options);
  for (const PlotFrame& f : drawing.frames) {
    if (f.index < 0 || f.index >= static_cast<int>(figure.plots.size())) continue;
    if (!(f.area.w >= 1 && f.area.h >= 1)) continue;
    const Plot& plot = figure.plots[static_cast<std::size_t>(f.index)];
    if (parts::table_of(plot)) continue;
    Axis x = plot.x, y = plot.y;
    if (plot.thumbnail) x.visible = y.visible = false;
    if (const auto row = hovered_on(y, f.shown.y0, f.shown.y1, hovered)) row_band(f, y, *row, pen);
    if (const auto col = hovered_on(x, f.shown.x0, f.shown.x1, hovered)) {
      column_band(f, x, *col, drawing.bounds, pen);
    }
  }
  return over.primitives;
}

}  // namespace figure
