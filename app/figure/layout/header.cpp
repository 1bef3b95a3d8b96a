// Titles, notes and colour bars: what is written over and under a plot.
#include <fmt/format.h>

#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kBar = 96, kShortBar = 64, kLeastBar = 36, kBarHeight = 6, kBarGap = 6;

std::shared_ptr<const ValueColors> colors_of(const Heatmap& map, const Pen& pen) {
  return std::make_shared<const ValueColors>(map.scale, pen.theme());
}

// From right to left: upper end, bar, lower end, name; what does not fit is left out from the left.
void draw_bar(const Heatmap& map, const Placed& p, float y, float taken, const Pen& pen) {
  const float room = std::max(p.area.w, p.slot.right() - p.area.x) - taken;
  const float ends = color_ends_width(map, pen);
  const float fits = p.area.w - taken - ends;  // the data's own width, when it is enough
  const float wide = std::min({pen.px(kBar), room - ends, std::max(fits, pen.px(kShortBar))});
  if (wide < pen.px(kLeastBar)) return;
  const std::string lo = number_text(static_cast<double>(map.scale.lo), 3);
  const std::string hi = number_text(static_cast<double>(map.scale.hi), 3);
  const Rgba dim = pen.theme().dim;
  float x = std::max(p.area.right(), p.area.x + taken + wide + ends);
  pen.text({x, y}, hi, TextStyle::mono_small, dim, 1);
  x -= pen.size(hi, TextStyle::mono_small).x + pen.px(kBarGap) + wide;
  pen.add(draw::ColorBar{{x, y - pen.px(kBarHeight / 2), wide, pen.px(kBarHeight)},
                         colors_of(map, pen)});
  x -= pen.px(kBarGap);
  pen.text({x, y}, lo, TextStyle::mono_small, dim, 1);
  x -= pen.size(lo, TextStyle::mono_small).x + pen.px(10);
  if (!map.bar_label.empty() &&
      pen.size(map.bar_label, TextStyle::small).x <= x - p.area.x - taken) {
    pen.text({x, y}, map.bar_label, TextStyle::small, dim, 1);
  }
}

}  // namespace

float color_ends_width(const Heatmap& map, const Pen& pen) {
  const auto width = [&](float v) {
    return pen.size(number_text(static_cast<double>(v), 3), TextStyle::mono_small).x;
  };
  return width(map.scale.lo) + width(map.scale.hi) + pen.px(2 * kBarGap);
}

float least_bar_width(const Heatmap& map, const Pen& pen) {
  return pen.px(kShortBar) + color_ends_width(map, pen);
}

// Its lower end, the bar `width` wide, its upper end.
void draw_color_bar(const Heatmap& map, Point left, float width, const Pen& pen) {
  if (width < pen.px(kLeastBar)) return;
  const std::string lo = number_text(static_cast<double>(map.scale.lo), 3);
  const std::string hi = number_text(static_cast<double>(map.scale.hi), 3);
  pen.text(left, lo, TextStyle::mono_small, pen.theme().dim);
  left.x += pen.size(lo, TextStyle::mono_small).x + pen.px(kBarGap);
  pen.add(draw::ColorBar{{left.x, left.y - pen.px(kBarHeight / 2), width, pen.px(kBarHeight)},
                         colors_of(map, pen)});
  pen.text({left.x + width + pen.px(kBarGap), left.y}, hi, TextStyle::mono_small, pen.theme().dim);
}

namespace {

// All lines of the title from the top, those of the label down to the data, the bar last.
void draw_lines_over(const Placed& p, float first, float last, const Pen& pen) {
  const Plot& plot = *p.plot;
  const float line = header_line(pen);
  const auto write = [&](const std::vector<std::string>& lines, float y, Rgba color) {
    for (const std::string& text : lines) {
      pen.text({p.area.x, y}, text, TextStyle::label, color);
      y += line;
    }
  };
  write(p.title_lines, first, pen.theme().dim);
  const auto labels = static_cast<float>(p.label_lines.size());
  const float label_end = p.bar_alone ? last - line : last;
  write(p.label_lines, label_end - (labels - 1) * line, resolve(plot.y.color, pen.theme()));
  if (!p.bar) return;
  const std::vector<std::string>& beside = p.label_lines.empty() ? p.title_lines : p.label_lines;
  const bool same_line =
      !p.bar_alone && !beside.empty() &&
      (p.label_lines.empty() ? first + (static_cast<float>(beside.size()) - 1) * line >= last - 1
                             : true);
  const float taken = same_line ? pen.size(beside.back(), TextStyle::label).x + pen.px(12) : 0;
  draw_bar(*heatmap_of(plot), p, last, taken, pen);
}

}  // namespace

void draw_header(const Placed& p, const Pen& pen) {
  if (p.header_lines == 0 || p.detail >= Detail::no_titles) return;
  const Plot& plot = *p.plot;
  const bool label = labelled_above(p);
  const bool title = !plot.title.empty();
  const Heatmap* map = heatmap_of(plot);
  const bool bar = map && p.bar;
  // Over the numbers of bars a header keeps to the top of its slot.
  const float bottom = bars_of(plot)
                           ? p.slot.y + header_line(pen) * static_cast<float>(p.header_lines)
                           : p.area.y - pen.px(kHeaderGap);
  const float last = bottom - header_line(pen) / 2;
  const float first = last - header_line(pen) * static_cast<float>(p.header_lines - 1);
  if (p.lines_over) return draw_lines_over(p, first, last, pen);
  const float room = p.slot.right() - p.area.x;
  const float label_y = !title && bar && p.bar_below ? first : last;
  const float bar_y = p.bar_below ? last : first;
  if (title) {
    pen.text({p.area.x, first}, pen.fit(plot.title, TextStyle::label, room), TextStyle::label,
             pen.theme().dim);
  }
  if (label) {
    pen.text({p.area.x, label_y}, pen.fit(plot.y.label, TextStyle::label, room), TextStyle::label,
             resolve(plot.y.color, pen.theme()));
  }
  if (!bar) return;
  float taken = 0;
  const auto beside = [&](bool there, float y, const std::string& text) {
    if (there && y == bar_y) taken = pen.size(text, TextStyle::label).x + pen.px(12);
  };
  beside(title, first, plot.title);
  beside(label, label_y, plot.y.label);
  draw_bar(*map, p, bar_y, taken, pen);
}

std::string pooling_text(const Placed& p, const Pen& pen) {
  const Heatmap* map = heatmap_of(*p.plot);
  const Pooling pooling = map ? pooling_of(*map, p, pen) : Pooling{};
  if (pooling.level() == 0) return {};
  return fmt::format("{}×{} {}", 1L << pooling.row_level, 1L << pooling.col_level,
                     map->pool == Pool::max ? pen.options().largest : pen.options().mean);
}

std::string note_text(const Placed& p, const Pen& pen) {
  std::string text = note_in_header(*p.plot, pen) ? std::string() : p.plot->note;
  const auto add = [&](const std::string& more) {
    text += text.empty() || more.empty() ? more : " · " + more;
  };
  if (!pen.paper()) add(p.plot->pointer_note);
  add(pooling_text(p, pen));
  return text;
}

namespace {

// Where the plot that is being drawn has its note.
Rect& note_place(const Pen& pen) { return pen.drawing().frames.back().note; }

void draw_note_lines(const Placed& p, const Pen& pen) {
  const float line = pen.line_height(TextStyle::small);
  const auto lines = pen.wrap(note_text(p, pen), TextStyle::small, p.slot.right() - p.area.x);
  const float height = line * static_cast<float>(lines.size());
  const float y =
      std::min(p.slot.bottom() - height, p.area.bottom() + p.sides.bottom - height) + line / 2;
  pen.lines({p.area.x, y}, lines, TextStyle::small, pen.theme().dim);
}

}  // namespace

void draw_caption(const Placed& p, const Pen& pen) {
  const Plot& plot = *p.plot;
  const Rgba dim = pen.theme().dim;
  if (plot.thumbnail) {
    if (p.sides.bottom <= 0) return;
    const float y = p.area.bottom() + pen.px(5) + pen.line_height(TextStyle::label_bold) / 2;
    const Rgba color = plot.selected ? pen.theme().accent : pen.theme().text;
    if (p.note_below) {
      const float line = pen.line_height(TextStyle::small);
      pen.text({p.area.x, p.area.bottom() + p.sides.bottom - line / 2}, plot.note, TextStyle::small,
               dim);
    }
    if (pen.paper() && p.title_lines.size() > 1) {
      return pen.lines({p.area.x, y}, pen.wrap(plot.title, TextStyle::label_bold, p.area.w),
                       TextStyle::label_bold, color);
    }
    const std::string title = pen.fit(plot.title, TextStyle::label_bold, p.area.w);
    pen.text({p.area.x, y}, title, TextStyle::label_bold, color);
    const float left = pen.size(title, TextStyle::label_bold).x + pen.px(6);
    const Point size = pen.size(plot.note, TextStyle::small);
    if (p.note_beside && size.x <= p.area.w - left) {
      pen.text({p.area.right(), y}, plot.note, TextStyle::small, dim, 1);
      note_place(pen) = {p.area.right() - size.x, y - size.y / 2, size.x, size.y};
    }
    return;
  }
  if (!p.note_below) return;
  if (pen.paper()) return draw_note_lines(p, pen);
  const std::string pooled = pooling_text(p, pen);
  const std::string text = note_text(p, pen);
  const float y = p.slot.bottom() - pen.line_height(TextStyle::small);
  // Under the data, not at the foot of the slot, when equal sides left some of it empty.
  const float under = p.area.bottom() + p.sides.bottom - pen.line_height(TextStyle::small);
  const std::string fit = pen.fit(text, TextStyle::small, p.slot.right() - p.area.x);
  const Point at{p.area.x, std::min(y, under)};
  const Point size = pen.size(fit, TextStyle::small);
  pen.text(at, fit, TextStyle::small, dim, 0, 0);
  note_place(pen) = {at.x, at.y, size.x, size.y};
  if (pooled.empty()) return;
  const Heatmap& map = *heatmap_of(plot);
  const Pooling pooling = pooling_of(map, p, pen);
  pen.drawing().pool_notes.push_back(
      {note_place(pen), Index{1} << pooling.row_level, Index{1} << pooling.col_level, map.pool});
}

}  // namespace figure::parts
