// Points, straight rules across the plot, and notes in it.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/figure/layout/parts.h"
#include "app/figure/layout/segment.h"

namespace figure::parts {
namespace {

constexpr std::size_t kMany = 2000;  // points beyond which equal pixels are drawn once
constexpr float kLeastHit = 12;      // a target is at least this wide
constexpr float kGrip = 20;          // what is dragged is taken hold of in a square this wide

void grip_point(const Points& points, std::size_t k, Point at, const Placed& p, const Pen& pen) {
  const Assignments also = k < points.picks.size() ? points.picks[k] : Assignments{};
  pen.drawing().grips.push_back({grip_zone(at, pen.px(points.radius), pen), p.index, at, "", "",
                                 points.points_param, k, also});
}

}  // namespace

Rect grip_zone(Point at, float radius, const Pen& pen) {
  const float half = std::max(radius, pen.px(kGrip) / 2);
  return {at.x - half, at.y - half, 2 * half, 2 * half};
}

void draw_points(const Points& points, const Placed& p, const Pen& pen) {
  const Rgba color = resolve(points.color, pen.theme());
  const float radius = pen.px(points.radius);
  const std::size_t count = std::min(points.x.size(), points.y.size());
  const bool once = count > kMany;
  std::set<std::pair<int, int>> drawn;
  for (std::size_t k = 0; k < count; ++k) {
    const Point at{p.frame.px_at(points.x[k]), p.frame.py_at(points.y[k])};
    if (!inside(p.area, at, 0.5f)) continue;  // NaN is nowhere
    if (once && !drawn.emplace(static_cast<int>(at.x), static_cast<int>(at.y)).second) continue;
    pen.add(draw::Disc{at, radius, color});
    if (!points.points_param.empty() && !p.plot->thumbnail) {
      grip_point(points, k, at, p, pen);
      continue;
    }
    if (k >= points.picks.size() || points.picks[k].empty()) continue;
    const float half = std::max(radius, pen.px(kLeastHit) / 2);
    const std::string tip = number_text(points.x[k], 6) + ", " + number_text(points.y[k], 6);
    pen.drawing().hits.push_back(
        {{at.x - half, at.y - half, 2 * half, 2 * half}, p.index, points.picks[k], tip});
  }
}

namespace {

// Paper: in as many lines as the plot's width makes of it.
void draw_rule_lines(const Rule& rule, float at, const Placed& p, Rgba color, const Pen& pen) {
  const Rect& a = p.area;
  const float line = pen.line_height(TextStyle::label), gap = pen.px(6);
  const float right_room = a.right() - at - gap, left_room = at - gap - a.x;
  const float all = pen.size(rule.label, TextStyle::label).x;
  if (!rule.vertical) {
    const auto lines = pen.wrap(rule.label, TextStyle::label, a.w - gap);
    const float height = line * static_cast<float>(lines.size());
    const bool above = at - height >= a.y;
    const float first = above ? at - height + line / 2 - pen.px(1) : at + line / 2 + pen.px(1);
    return pen.lines({a.right() - gap, first}, lines, TextStyle::label, color, 1);
  }
  const bool right = all <= right_room || right_room >= left_room;
  const auto lines =
      pen.wrap(rule.label, TextStyle::label, std::max(right ? right_room : left_room, pen.px(40)));
  pen.lines({right ? at + gap : at - gap, a.y + line / 2}, lines, TextStyle::label, color,
            right ? 0.0f : 1.0f);
}

}  // namespace

void draw_rule(const Rule& rule, const Placed& p, const Pen& pen) {
  const Rgba color = resolve(rule.color, pen.theme());
  const Rect& a = p.area;
  const float at = rule.vertical ? p.frame.px_at(rule.at) : p.frame.py_at(rule.at);
  const float lo = rule.vertical ? a.x : a.y, hi = rule.vertical ? a.right() : a.bottom();
  if (!(at >= lo - 0.5f && at <= hi + 0.5f)) return;
  if (rule.vertical) {
    pen.line({at, a.y}, {at, a.bottom()}, color, pen.px(1), rule.dashed);
  } else {
    pen.line({a.x, at}, {a.right(), at}, color, pen.px(1), rule.dashed);
  }
  if (rule.label.empty() || p.plot->thumbnail || p.detail >= Detail::no_notes) return;
  const float line = pen.line_height(TextStyle::label);
  if (pen.paper()) return draw_rule_lines(rule, at, p, color, pen);
  const float width = pen.size(rule.label, TextStyle::label).x, gap = pen.px(6);
  if (rule.vertical) {
    const bool right = at + gap + width <= a.right() || at - gap - width < a.x;
    pen.text({right ? at + gap : at - gap, a.y + line / 2}, rule.label, TextStyle::label, color,
             right ? 0 : 1);
  } else {
    const bool above = at - line >= a.y;
    pen.text({a.right() - gap, above ? at - line / 2 - pen.px(1) : at + line / 2 + pen.px(1)},
             rule.label, TextStyle::label, color, 1);
  }
}

void draw_note(const Note& note, const Placed& p, const Pen& pen) {
  const Point at{p.frame.px_at(note.x), p.frame.py_at(note.y)};
  if (!inside(p.area, at, 0.5f) || p.detail >= Detail::no_notes) return;
  const float align = note.align < 0 ? 0.0f : note.align == 0 ? 0.5f : 1.0f;
  if (pen.paper() && pen.size(note.text, note.style).x > p.area.w) {
    return pen.lines({p.area.x + align * p.area.w, at.y}, pen.wrap(note.text, note.style, p.area.w),
                     note.style, resolve(note.color, pen.theme()), align);
  }
  pen.text(at, note.text, note.style, resolve(note.color, pen.theme()), align);
}

}  // namespace figure::parts
