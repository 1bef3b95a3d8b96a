// Intervals: a bar between two places, and over its middle what is said of it.
#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/segment.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kTagHeight = 22, kTagRise = 14;             // over the middle of the bar
constexpr float kTagPad = 9, kDotsWidth = 13, kDot = 1.1f;  // six dots say: take hold here
constexpr float kBarGrip = 8;                               // to either side of the bar

}  // namespace

std::optional<IntervalShape> shape_of(const Interval& interval, const Placed& p, const Pen& pen) {
  const float y = p.frame.py_at(interval.y), half = pen.px(interval.width) / 2;
  const auto part = within({{p.frame.px_at(interval.from), y}, {p.frame.px_at(interval.to), y}},
                           {p.area.x, p.area.y, p.area.w, p.area.h});
  if (!part || !finite(*part)) return {};
  const auto [x0, x1] = std::minmax(part->a.x, part->b.x);
  IntervalShape shape{{(x0 + x1) / 2, y}, {x0, y - half, x1 - x0, 2 * half}, {}};
  if (interval.label.empty()) return shape;
  const float dots = pen.paper() ? 0 : kDotsWidth;
  const float wide =
      std::min(p.area.w, pen.size(interval.label, TextStyle::mono).x + pen.px(2 * kTagPad + dots));
  const float left =
      std::clamp(shape.middle.x - wide / 2, p.area.x, std::max(p.area.x, p.area.right() - wide));
  shape.tag = {left, y - pen.px(kTagRise + kTagHeight), wide, pen.px(kTagHeight)};
  return shape;
}

void draw_interval(const Interval& interval, const Placed& p, const Pen& pen) {
  const auto shape = shape_of(interval, p, pen);
  if (!shape) return;
  const Rgba color = resolve(interval.color, pen.theme());
  pen.fill(shape->bar, color, shape->bar.h / 2);
  const Rect& tag = shape->tag;
  if (tag.w <= 0) return;
  pen.line({shape->middle.x, tag.bottom()}, {shape->middle.x, shape->bar.y}, color, pen.px(1));
  pen.fill(tag, pen.theme().panel, pen.px(5));
  pen.outline(tag, color, pen.px(1), pen.px(5));
  const float dots = pen.paper() ? 0 : kDotsWidth;
  for (int k = 0; k < 6 && !pen.paper(); ++k) {
    const int line = k / 2;
    const auto column = static_cast<float>(k % 2), row = static_cast<float>(line);
    pen.add(draw::Disc{
        {tag.x + pen.px(kTagPad + 4 * column), tag.y + tag.h / 2 + pen.px(4 * (row - 1))},
        pen.px(kDot),
        pen.theme().dim});
  }
  const float at = tag.x + pen.px(kTagPad + dots);
  const std::string label =
      pen.fit(interval.label, TextStyle::mono, tag.right() - pen.px(kTagPad) - at + 0.5f);
  pen.text({at, tag.y + tag.h / 2}, label, TextStyle::mono, pen.theme().text);
}

void hold_interval(const Interval& interval, const Placed& p, const Pen& pen) {
  const auto shape = shape_of(interval, p, pen);
  if (!shape || p.plot->thumbnail) return;
  const Rect& bar = shape->bar;
  const float room = pen.px(kBarGrip);
  for (const Rect& zone : {Rect{bar.x, bar.y - room, bar.w, bar.h + 2 * room}, shape->tag}) {
    if (zone.w <= 0) continue;
    Grip grip{.rect = zone, .plot = p.index, .at = shape->middle};
    grip.together = {{interval.from_param, interval.from}, {interval.to_param, interval.to}};
    grip.tooltip = interval.tooltip;
    pen.drawing().grips.push_back(std::move(grip));
  }
}

}  // namespace figure::parts
