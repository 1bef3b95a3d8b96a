// Grid lines, hairlines, ticks and the names of axes.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

bool has_grid(const Plot& plot) { return !plot.thumbnail && !heatmap_of(plot) && has_axes(plot); }

TextStyle tick_style(const Ticks& ticks, const Tick& tick, TextStyle names, const Pen& pen) {
  if (!ticks.names) return tick.marked ? TextStyle::mono_bold : TextStyle::mono_small;
  return tick.marked ? marked_name_style(pen) : name_style(names, pen);
}

Rgba tick_color(const Axis& axis, const Tick& tick, const Pen& pen) {
  return tick.marked ? resolve(axis.color, pen.theme()) : pen.theme().dim;
}

// The lower corner of a rotated name lies left of its tick, but not left of the axis.
Point rotated_name_at(const Placed& p, const Tick& tick, const Pen& pen) {
  const TextStyle style = tick_style(p.x_ticks, tick, TextStyle::small, pen);
  const float corner = pen.line_height(style) / 2 * static_cast<float>(std::sin(kSlant));
  return {std::max(p.frame.px_at(tick.at) - pen.px(2), p.area.x + corner),
          p.area.bottom() + p.numbers_below + pen.px(kTickGap)};
}

// Pixels to the nearest other tick.
float room_of(const Placed& p, const Tick& tick) {
  float room = p.area.w;
  for (const Tick& other : p.x_ticks.ticks) {
    const float apart = std::abs(p.frame.px_at(other.at) - p.frame.px_at(tick.at));
    if (apart > 0) room = std::min(room, apart);
  }
  return room;
}

Rotated place_of_name(const Placed& p, const Tick& tick, const Pen& pen) {
  const Point size = pen.size(tick.text, tick_style(p.x_ticks, tick, TextStyle::small, pen));
  const float room = room_of(p, tick);
  if (p.x_ticks.rotated) {
    const Point at = rotated_name_at(p, tick, pen);
    const float high = std::min(size.y, room * static_cast<float>(std::sin(kSlant)));
    return {{at.x, at.y - high / 2, size.x, high}, static_cast<float>(kSlant)};
  }
  const float wide = std::min(size.x + pen.px(4), room), top = p.area.bottom();
  return {
      {p.frame.px_at(tick.at) - wide / 2, top, wide, p.numbers_below + pen.px(kTickGap) + size.y}};
}

void draw_x_ticks(const Placed& p, const Pen& pen) {
  const bool marks = p.x_ticks.thinned || (!p.plot->x.cells && has_grid(*p.plot));
  float written = -1e9f;
  // Numbers are left out where they would touch the one before; ticks come from left to right.
  for (const Tick& tick : p.x_ticks.ticks) {
    const float x = p.frame.px_at(tick.at), y = p.area.bottom() + p.numbers_below;
    if (marks) pen.line({x, y}, {x, y + pen.px(4)}, pen.theme().faint, pen.px(1));
    const TextStyle style = tick_style(p.x_ticks, tick, TextStyle::small, pen);
    const Rgba color = tick_color(p.plot->x, tick, pen);
    if (p.x_ticks.rotated) {
      pen.text(rotated_name_at(p, tick, pen), tick.text, style, color, 0, 0.5f,
               static_cast<float>(kSlant));
      continue;
    }
    const float half = pen.size(tick.text, style).x / 2;
    if (!p.x_ticks.names && x - half < written + pen.px(4)) continue;
    pen.text({x, y + pen.px(kTickGap)}, tick.text, style, color, 0.5f, 0);
    written = x + half;
  }
}

void draw_y_ticks(const Placed& p, const Pen& pen) {
  if (!p.row_names) return;
  for (const Tick& tick : p.y_ticks.ticks) {
    const float at = p.frame.py_at(tick.at);
    if (p.y_ticks.thinned)
      pen.line({p.area.x - pen.px(5), at}, {p.area.x - pen.px(1), at}, pen.theme().faint,
               pen.px(1));
    pen.text({p.area.x - pen.px(8), p.frame.py_at(tick.at)}, tick.text,
             tick_style(p.y_ticks, tick, TextStyle::label, pen), tick_color(p.plot->y, tick, pen),
             1, 0.5f);
  }
}

}  // namespace

void draw_x_label(const Placed& p, const Pen& pen) {
  const Axis& axis = p.plot->x;
  if (!labelled_below(p) || p.detail >= Detail::no_titles) return;
  const float y = p.area.bottom() + p.numbers_below + reach(p.x_ticks, pen).y + pen.px(4);
  const Rgba color = resolve(axis.color, pen.theme());
  if (p.x_label_lines.size() > 1) {
    return pen.lines({p.slot.x, y + pen.line_height(TextStyle::label) / 2}, p.x_label_lines,
                     TextStyle::label, color);
  }
  const std::string text = pen.fit(axis.label, TextStyle::label, p.slot.w);
  // Under the right end of the axis, unless it is too long for that.
  const float width = pen.size(text, TextStyle::label).x;
  const float right = std::max(p.area.right(), p.slot.x + width);
  pen.text({right, y}, text, TextStyle::label, color, 1, 0);
}

std::vector<std::optional<Rotated>> column_names(const Placed& p, std::size_t cells,
                                                 const Pen& pen) {
  std::vector<std::optional<Rotated>> names(cells);
  if (!p.plot->x.cells || p.plot->thumbnail || p.detail >= Detail::no_ticks) return names;
  const double first = std::min(p.plot->x.lo, p.plot->x.hi);
  for (const Tick& tick : p.x_ticks.ticks) {
    const double cell = std::floor(tick.at - first);
    if (cell < 0 || cell >= static_cast<double>(cells)) continue;
    names[static_cast<std::size_t>(cell)] = place_of_name(p, tick, pen);
  }
  return names;
}

void draw_grid(const Placed& p, const Pen& pen) {
  if (!has_grid(*p.plot)) return;
  const Rgba line = pen.theme().line;
  for (const Tick& tick : p.y_ticks.ticks) {
    if (p.plot->y.cells) break;
    const float y = p.frame.py_at(tick.at);
    pen.line({p.area.x, y}, {p.area.right(), y}, line.with_alpha(0.6f), pen.px(1));
  }
  if (p.plot->x.visible && !bars_of(*p.plot)) {
    pen.line({p.area.x, p.area.bottom()}, {p.area.right(), p.area.bottom()}, pen.theme().faint,
             pen.px(1));
  }
}

void draw_ticks(const Placed& p, const Pen& pen) {
  if (p.detail >= Detail::no_ticks) return;
  draw_x_ticks(p, pen);
  draw_y_ticks(p, pen);
}

}  // namespace figure::parts
