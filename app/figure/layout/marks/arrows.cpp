// Arrows and handles.
#include <algorithm>
#include <set>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/segment.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kHead = 9, kHeadHalf = 0.42f;  // its length in pixels, half its width of that
constexpr float kHeadShare = 0.4f;             // of an arrow's length at most
constexpr float kNoLength = 0.5f;              // an arrow shorter than this is a dot
constexpr std::size_t kMost = 2000;            // arrows beyond which near ones stand for each other
constexpr float kPatch = 12;                   // how near that is at least

float length_of(const Segment& s) { return std::hypot(s.b.x - s.a.x, s.b.y - s.a.y); }

Rect grown(const Rect& r, float by) { return {r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by}; }

// The arrows that can be seen. Of very many, one for each patch of the plot, and always the last.
std::vector<Segment> visible(const Arrows& arrows, const Placed& p, const Pen& pen) {
  std::vector<Segment> seen;
  const Rect near = grown(p.area, pen.px(kHead));
  for (const Arrows::Arrow& arrow : arrows.arrows) {
    const Segment s = on_screen(arrow, p.frame);
    if (finite(s) && within(s, near)) seen.push_back(s);
  }
  if (seen.size() <= kMost) return seen;
  const float side =
      std::max(pen.px(kPatch), std::sqrt(p.area.w * p.area.h / static_cast<float>(kMost)));
  std::set<std::pair<int, int>> taken;
  std::vector<Segment> kept;
  for (const Segment& s : seen) {
    const Segment part = *within(s, near);
    const auto patch = [&](float a, float b) {
      return static_cast<int>(std::floor((a + b) / 2 / side));
    };
    const bool first = taken.emplace(patch(part.a.x, part.b.x), patch(part.a.y, part.b.y)).second;
    if (first || &s == &seen.back()) kept.push_back(s);
  }
  return kept;
}

// An arrow to a handle ends at its rim: under the disc its head could not be seen.
void keep_clear_of_handles(Segment& s, const Placed& p, const Pen& pen) {
  for (const Mark& mark : p.plot->marks) {
    const auto* handle = std::get_if<Handle>(&mark);
    if (!handle) continue;
    const float x = p.frame.px_at(handle->x), y = p.frame.py_at(handle->y);
    const float radius = pen.px(handle->radius + kHandleRing), length = length_of(s);
    if (!(std::hypot(s.b.x - x, s.b.y - y) < 1) || length < 2 * radius) continue;
    const float share = 1 - radius / length;
    s.b = {s.a.x + (s.b.x - s.a.x) * share, s.a.y + (s.b.y - s.a.y) * share};
    return;
  }
}

void draw_arrow(const Segment& s, float width, Rgba color, const Placed& p, const Pen& pen) {
  const float length = length_of(s);
  if (length < pen.px(kNoLength)) return pen.add(draw::Disc{s.a, width, color});
  const float head = std::min(std::max(pen.px(kHead), 3 * width), kHeadShare * length);
  const Point along{(s.b.x - s.a.x) / length, (s.b.y - s.a.y) / length};
  const Point neck{s.b.x - along.x * head, s.b.y - along.y * head};
  const Rect near = grown(p.area, pen.px(kHead) + 3 * width);
  if (const auto shaft = within({s.a, neck}, near)) pen.line(shaft->a, shaft->b, color, width);
  if (!inside(near, s.b, 0)) return;
  draw_arrow_head(s.b, along, head, color, pen);
}

}  // namespace

void draw_arrow_head(Point tip, Point along, float length, Rgba color, const Pen& pen) {
  const Point neck{tip.x - along.x * length, tip.y - along.y * length};
  const Point out{-along.y * length * kHeadHalf, along.x * length * kHeadHalf};
  pen.add(draw::Path{{tip, {neck.x + out.x, neck.y + out.y}, {neck.x - out.x, neck.y - out.y}},
                     color,
                     1,
                     false,
                     true,
                     true});
}

void draw_arrows(const Arrows& arrows, const Placed& p, const Pen& pen) {
  const Rgba color = resolve(arrows.color, pen.theme());
  const float width = pen.px(arrows.width);
  for (Segment& s : visible(arrows, p, pen)) {
    keep_clear_of_handles(s, p, pen);
    draw_arrow(s, width, color, p, pen);
  }
}

void draw_handle(const Handle& handle, const Placed& p, const Pen& pen) {
  const Point at{p.frame.px_at(handle.x), p.frame.py_at(handle.y)};
  if (!inside(p.area, at, 0.5f)) return;  // NaN is nowhere
  const float radius = pen.px(handle.radius), rim = radius + pen.px(kHandleRing);
  // On paper it is a place, nothing to be taken hold of.
  if (pen.paper()) {
    constexpr float kLargest = 4;
    if (bars_of(*p.plot)) return;  // the bar's end says it
    return pen.add(
        draw::Disc{at, std::min(radius, pen.px(kLargest)), resolve(handle.color, pen.theme())});
  }
  pen.add(draw::Disc{at, rim, pen.theme().card});
  pen.add(draw::Disc{at, radius, resolve(handle.color, pen.theme())});
  if (p.plot->thumbnail) return;
  const Rect zone = grip_zone(at, rim, pen);
  if (!handle.text_param.empty()) {
    Grip grip{.rect = zone, .plot = p.index, .at = at, .also = handle.also};
    grip.text_param = handle.text_param;
    grip.before = handle.before;
    grip.after = handle.after;
    pen.drawing().grips.push_back(std::move(grip));
  } else if (!handle.points_param.empty()) {
    pen.drawing().grips.push_back(
        {zone, p.index, at, "", "", handle.points_param, handle.point, handle.also});
  } else if (!handle.x_param.empty() || !handle.y_param.empty()) {
    pen.drawing().grips.push_back(
        {zone, p.index, at, handle.x_param, handle.y_param, "", 0, handle.also});
  } else if (!handle.also.empty()) {
    pen.drawing().hits.push_back({zone, p.index, handle.also, handle.label});
  }
}

}  // namespace figure::parts
