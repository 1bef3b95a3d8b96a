// Points, and notes in a plot.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/segment.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr std::size_t kMany = 2000;  // points beyond which equal pixels are drawn once
constexpr float kLeastHit = 12;      // a target is at least this wide
constexpr float kNoteAir = 4;        // between the names of two stretches
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

void draw_note(const Note& note, const Placed& p, const Pen& pen) {
  const Point at{p.frame.px_at(note.x), p.frame.py_at(note.y)};
  if (!inside(p.area, at, 0.5f) || p.detail >= Detail::no_notes) return;
  const float room = std::abs(p.frame.px_at(note.x1) - p.frame.px_at(note.x0));
  const bool named = note.x0 != note.x1;
  if (named && pen.size(note.text, note.style).x + pen.px(kNoteAir) > room) return;
  const float align = note.align < 0 ? 0.0f : note.align == 0 ? 0.5f : 1.0f;
  if (pen.paper() && pen.size(note.text, note.style).x > p.area.w) {
    return pen.lines({p.area.x + align * p.area.w, at.y}, pen.wrap(note.text, note.style, p.area.w),
                     note.style, resolve(note.color, pen.theme()), align);
  }
  pen.text(at, note.text, note.style, resolve(note.color, pen.theme()), align);
}

}  // namespace figure::parts
