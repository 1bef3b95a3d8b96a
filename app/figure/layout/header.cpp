// Titles, notes and colour bars: what is written over and under a plot.
#include <fmt/format.h>

#include <algorithm>

#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kBar = 96, kShortBar = 64, kLeastBar = 36, kBarHeight = 6, kBarGap = 6;

std::shared_ptr<const ValueColors> colors_of(const Heatmap& map, const Pen& pen) {
  return std::make_shared<const ValueColors>(map.scale, pen.theme());
}

float ends_width(const Heatmap& map, const Pen& pen) {
  const auto width = [&](float v) {
    return pen.size(number_text(static_cast<double>(v), 3), TextStyle::mono_small).x;
  };
  return width(map.scale.lo) + width(map.scale.hi) + pen.px(2 * kBarGap);
}

// From right to left: upper end, bar, lower end, name; what does not fit is left out from the left.
void draw_bar(const Heatmap& map, const Placed& p, float y, float taken, const Pen& pen) {
  const float room = std::max(p.area.w, p.slot.right() - p.area.x) - taken;
  const float ends = ends_width(map, pen);
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

float least_bar_width(const Heatmap& map, const Pen& pen) {
  return pen.px(kShortBar) + ends_width(map, pen);
}

void draw_header(const Placed& p, const Pen& pen) {
  if (p.header_lines == 0 || p.detail >= Detail::no_titles) return;
  const Plot& plot = *p.plot;
  const bool label = plot.y.visible && !plot.y.label.empty() && !table_of(plot);
  const bool title = !plot.title.empty();
  const Heatmap* map = heatmap_of(plot);
  const bool bar = map && p.bar;
  // Over the numbers of bars a header keeps to the top of its slot.
  const float bottom = bars_of(plot)
                           ? p.slot.y + pen.px(kHeaderLine * static_cast<float>(p.header_lines))
                           : p.area.y - pen.px(kHeaderGap);
  const float last = bottom - pen.px(kHeaderLine / 2);
  const float first = last - pen.px(kHeaderLine * static_cast<float>(p.header_lines - 1));
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

void draw_caption(const Placed& p, const Pen& pen) {
  const Plot& plot = *p.plot;
  const Rgba dim = pen.theme().dim;
  if (plot.thumbnail) {
    if (p.sides.bottom <= 0) return;
    const float y = p.area.bottom() + pen.px(5) + pen.line_height(TextStyle::label_bold) / 2;
    const Rgba color = plot.selected ? pen.theme().accent : pen.theme().text;
    const std::string title = pen.fit(plot.title, TextStyle::label_bold, p.area.w);
    pen.text({p.area.x, y}, title, TextStyle::label_bold, color);
    const float left = pen.size(title, TextStyle::label_bold).x + pen.px(6);
    if (p.note_beside && pen.size(plot.note, TextStyle::small).x <= p.area.w - left) {
      pen.text({p.area.right(), y}, plot.note, TextStyle::small, dim, 1);
    }
    return;
  }
  if (!p.note_below) return;
  const std::string pooled = pooling_text(p, pen);
  const std::string text =
      plot.note.empty() || pooled.empty() ? plot.note + pooled : plot.note + " · " + pooled;
  const float y = p.slot.bottom() - pen.line_height(TextStyle::small);
  // Under the data, not at the foot of the slot, when equal sides left some of it empty.
  const float under = p.area.bottom() + p.sides.bottom - pen.line_height(TextStyle::small);
  const std::string fit = pen.fit(text, TextStyle::small, p.slot.right() - p.area.x);
  const Point at{p.area.x, std::min(y, under)};
  pen.text(at, fit, TextStyle::small, dim, 0, 0);
  if (pooled.empty()) return;
  const Heatmap& map = *heatmap_of(plot);
  const Pooling pooling = pooling_of(map, p, pen);
  const Point size = pen.size(fit, TextStyle::small);
  pen.drawing().pool_notes.push_back({{at.x, at.y, size.x, size.y},
                                      Index{1} << pooling.row_level,
                                      Index{1} << pooling.col_level,
                                      map.pool});
}

}  // namespace figure::parts
