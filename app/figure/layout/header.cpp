// Titles, notes and colour bars: what is written over and under a plot.
#include <fmt/format.h>

#include <algorithm>

#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kBar = 96, kLeastBar = 36, kBarHeight = 6, kBarGap = 6;
constexpr float kHeaderLine = 18, kHeaderGap = 6;

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
void draw_bar(const Heatmap& map, const Placed& p, float y, float room, const Pen& pen) {
  const float wide = std::min(pen.px(kBar), room - ends_width(map, pen));
  if (wide < pen.px(kLeastBar)) return;
  const std::string lo = number_text(static_cast<double>(map.scale.lo), 3);
  const std::string hi = number_text(static_cast<double>(map.scale.hi), 3);
  const Rgba dim = pen.theme().dim;
  float x = std::max(p.area.right(), p.area.x + wide + ends_width(map, pen));
  pen.text({x, y}, hi, TextStyle::mono_small, dim, 1);
  x -= pen.size(hi, TextStyle::mono_small).x + pen.px(kBarGap) + wide;
  pen.add(draw::ColorBar{{x, y - pen.px(kBarHeight / 2), wide, pen.px(kBarHeight)},
                         colors_of(map, pen)});
  x -= pen.px(kBarGap);
  pen.text({x, y}, lo, TextStyle::mono_small, dim, 1);
  x -= pen.size(lo, TextStyle::mono_small).x + pen.px(10);
  if (!map.bar_label.empty() &&
      pen.size(map.bar_label, TextStyle::small).x <= x - (p.area.right() - room)) {
    pen.text({x, y}, map.bar_label, TextStyle::small, dim, 1);
  }
}

// A tick at the left end may need the place of a label that begins there.
float label_x(const Placed& p) { return p.plot->square ? p.area.x : std::max(p.slot.x, p.area.x); }

}  // namespace

float bar_width(const Heatmap& map, const Pen& pen) { return pen.px(kBar) + ends_width(map, pen); }

void draw_header(const Placed& p, const Pen& pen) {
  const Plot& plot = *p.plot;
  if (p.detail >= Detail::no_titles) return;
  const bool label = plot.y.visible && !plot.y.label.empty();
  const bool title = !plot.title.empty();
  const Heatmap* map = heatmap_of(plot);
  const bool bar = map && map->color_bar;
  const int lines = std::max((title ? 1 : 0) + (label ? 1 : 0), bar ? (p.bar_below ? 2 : 1) : 0);
  if (lines == 0) return;
  const bool numbers_above = bars_of(plot) != nullptr;
  const float bottom = numbers_above ? p.slot.y + pen.px(kHeaderLine * static_cast<float>(lines))
                                     : p.area.y - pen.px(kHeaderGap);
  const float first = bottom - pen.px(kHeaderLine * (static_cast<float>(lines) - 0.5f));
  const float second = first + pen.px(kHeaderLine);
  const float room = p.slot.right() - p.area.x;
  const Rgba dim = pen.theme().dim;
  if (title) {
    pen.text({p.area.x, first}, pen.fit(plot.title, TextStyle::label, room), TextStyle::label, dim);
  }
  if (label) {
    pen.text({label_x(p), title ? second : first}, pen.fit(plot.y.label, TextStyle::label, room),
             TextStyle::label, resolve(plot.y.color, pen.theme()));
  }
  if (!bar) return;
  const std::string& beside = p.bar_below ? (title && label ? plot.y.label : std::string())
                                          : (title   ? plot.title
                                             : label ? plot.y.label
                                                     : "");
  const float taken = beside.empty() ? 0 : pen.size(beside, TextStyle::label).x + pen.px(12);
  draw_bar(*map, p, p.bar_below ? second : first, std::max(p.area.w, room * 0.5f) - taken, pen);
}

std::string pooling_text(const Placed& p, const Pen& pen) {
  const Heatmap* map = heatmap_of(*p.plot);
  const int level = map ? pooling_level(*map, p, pen) : 0;
  if (level == 0) return {};
  const long cells = 1L << level;
  return fmt::format("{}×{} {}", cells, cells, map->pool == Pool::max ? "max" : "mean");
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
    if (pen.size(plot.note, TextStyle::small).x <= p.area.w - left) {
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
  pen.text({p.area.x, std::min(y, under)},
           pen.fit(text, TextStyle::small, p.slot.right() - p.area.x), TextStyle::small, dim, 0, 0);
}

}  // namespace figure::parts
