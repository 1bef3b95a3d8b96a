// Arrows, handles, and the labels beside them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <variant>

#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kHead = 9, kHeadHalf = 0.42f;  // its length in pixels, half its width of that
constexpr float kHeadShare = 0.4f;             // of an arrow's length at most
constexpr float kNoLength = 0.5f;              // an arrow shorter than this is a dot
constexpr std::size_t kMost = 2000;            // arrows beyond which near ones stand for each other
constexpr float kRing = 2, kGrip = 20;         // around a handle's disc; a grip is this wide
constexpr float kLabelGap = 6;

struct Segment {
  Point a, b;
};

bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

bool inside(const Rect& r, Point p, float slack) {
  return p.x >= r.x - slack && p.x <= r.right() + slack && p.y >= r.y - slack &&
         p.y <= r.bottom() + slack;
}

Segment on_screen(const Arrows::Arrow& arrow, const PlotFrame& frame) {
  return {{frame.px_at(arrow.x0), frame.py_at(arrow.y0)},
          {frame.px_at(arrow.x1), frame.py_at(arrow.y1)}};
}

float length_of(const Segment& s) { return std::hypot(s.b.x - s.a.x, s.b.y - s.a.y); }

// The part of a segment inside of a rectangle (Liang and Barsky): painters cannot take ends that
// are millions of pixels away.
std::optional<Segment> within(const Segment& s, const Rect& r) {
  const double dx = static_cast<double>(s.b.x) - s.a.x, dy = static_cast<double>(s.b.y) - s.a.y;
  double from = 0, to = 1;
  const auto cut = [&](double towards, double room) {
    if (towards == 0) return room >= 0;
    const double t = room / towards;
    (towards < 0 ? from : to) = towards < 0 ? std::max(from, t) : std::min(to, t);
    return from <= to;
  };
  if (!cut(-dx, s.a.x - r.x) || !cut(dx, r.right() - s.a.x) || !cut(-dy, s.a.y - r.y) ||
      !cut(dy, r.bottom() - s.a.y)) {
    return {};
  }
  const auto at = [&](double t) {
    return Point{static_cast<float>(s.a.x + t * dx), static_cast<float>(s.a.y + t * dy)};
  };
  return Segment{at(from), at(to)};
}

Rect grown(const Rect& r, float by) { return {r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by}; }

// The arrows that can be seen. Of very many, one for each patch of the plot, and always the last.
std::vector<Segment> visible(const Arrows& arrows, const Placed& p, const Pen& pen) {
  std::vector<Segment> seen;
  const Rect near = grown(p.area, pen.px(kHead));
  for (const Arrows::Arrow& arrow : arrows.arrows) {
    const Segment s = on_screen(arrow, p.frame);
    if (finite(s.a) && finite(s.b) && within(s, near)) seen.push_back(s);
  }
  if (seen.size() <= kMost) return seen;
  const float side = std::sqrt(p.area.w * p.area.h / static_cast<float>(kMost));
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

void draw_arrow(const Segment& s, float width, Rgba color, const Placed& p, const Pen& pen) {
  const float length = length_of(s);
  if (length < pen.px(kNoLength)) return pen.add(draw::Disc{s.a, width, color});
  const float head = std::min(std::max(pen.px(kHead), 3 * width), kHeadShare * length);
  const Point along{(s.b.x - s.a.x) / length, (s.b.y - s.a.y) / length};
  const Point neck{s.b.x - along.x * head, s.b.y - along.y * head};
  const Rect near = grown(p.area, pen.px(kHead) + 3 * width);
  if (const auto shaft = within({s.a, neck}, near)) pen.line(shaft->a, shaft->b, color, width);
  if (!inside(near, s.b, 0)) return;
  const Point out{-along.y * head * kHeadHalf, along.x * head * kHeadHalf};
  pen.add(draw::Path{{s.b, {neck.x + out.x, neck.y + out.y}, {neck.x - out.x, neck.y - out.y}},
                     color,
                     1,
                     false,
                     true,
                     true});
}

// Where the last arrow that can be seen ends inside of the plot.
std::optional<Segment> last_seen(const Arrows& arrows, const Placed& p) {
  for (auto arrow = arrows.arrows.rbegin(); arrow != arrows.arrows.rend(); ++arrow) {
    const Segment s = on_screen(*arrow, p.frame);
    if (!finite(s.a) || !finite(s.b)) continue;
    if (const auto part = within(s, p.area)) return part;
  }
  return {};
}

// Labels -----------------------------------------------------------------------------------------

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

struct Label {
  Point at;
  float away;  // from `at`
  bool left;   // rather at the left of it
  const std::string* text;
  Rgba color;
};

// What a label must not cover: texts that are there already, and handles.
std::vector<Rect> taken_in(const Placed& p, const Pen& pen) {
  std::vector<Rect> taken;
  for (const Primitive& primitive : pen.drawing().primitives) {
    const auto* t = std::get_if<draw::Text>(&primitive);
    if (!t || t->angle != 0) continue;
    const Point size = pen.size(t->text, t->style);
    const Rect r{t->at.x - t->align_x * size.x, t->at.y - t->align_y * size.y, size.x, size.y};
    if (overlap(r, p.area)) taken.push_back(r);
  }
  for (const Mark& mark : p.plot->marks) {
    const auto* handle = std::get_if<Handle>(&mark);
    if (!handle) continue;
    const float r = pen.px(handle->radius + kRing);
    const Point at{p.frame.px_at(handle->x), p.frame.py_at(handle->y)};
    if (inside(p.area, at, 0.5f)) taken.push_back({at.x - r, at.y - r, 2 * r, 2 * r});
  }
  return taken;
}

// Beside its point, above or below it; inside of the plot and over nothing that is written. Without
// such a place it is left out.
void draw_label(const Label& label, const Placed& p, std::vector<Rect>& taken, const Pen& pen) {
  const std::string text = pen.fit(*label.text, TextStyle::label, p.area.w);
  if (text.empty()) return;
  const Point size = pen.size(text, TextStyle::label);
  const float side = label.left ? -1 : 1, d = label.away;
  const Point steps[] = {{side, 0},   {side, -1}, {side, 1}, {-side, 0},
                         {-side, -1}, {-side, 1}, {0, -1},   {0, 1}};
  const Rect& a = p.area;
  for (const Point step : steps) {
    const float across = step.y == 0 ? d : d * 0.7f;
    const float x = label.at.x + step.x * (across + size.x / 2) - size.x / 2;
    const float y = label.at.y + step.y * (d * 0.7f + size.y / 2) - size.y / 2;
    const Rect r{std::clamp(x, a.x, std::max(a.x, a.right() - size.x)),
                 std::clamp(y, a.y, std::max(a.y, a.bottom() - size.y)), size.x, size.y};
    const bool on_point = overlap(r, {label.at.x - 1, label.at.y - 1, 2, 2});
    if (r.bottom() > a.bottom() + 0.5f || on_point) continue;
    if (std::any_of(taken.begin(), taken.end(), [&](const Rect& t) { return overlap(r, t); })) {
      continue;
    }
    pen.text({r.x, r.y + r.h / 2}, text, TextStyle::label, label.color);
    return taken.push_back(r);
  }
}

std::vector<Label> labels_of(const Placed& p, const Pen& pen) {
  std::vector<Label> labels;
  for (const Mark& mark : p.plot->marks) {
    if (const auto* arrows = std::get_if<Arrows>(&mark); arrows && !arrows->label.empty()) {
      if (const auto last = last_seen(*arrows, p)) {
        labels.push_back({last->b, pen.px(kLabelGap), last->b.x < last->a.x, &arrows->label,
                          resolve(arrows->color, pen.theme())});
      }
    }
    if (const auto* handle = std::get_if<Handle>(&mark); handle && !handle->label.empty()) {
      const Point at{p.frame.px_at(handle->x), p.frame.py_at(handle->y)};
      if (!inside(p.area, at, 0.5f)) continue;
      labels.push_back({at, pen.px(handle->radius + kRing + kLabelGap), false, &handle->label,
                        resolve(handle->color, pen.theme())});
    }
  }
  return labels;
}

}  // namespace

void draw_arrows(const Arrows& arrows, const Placed& p, const Pen& pen) {
  const Rgba color = resolve(arrows.color, pen.theme());
  const float width = pen.px(arrows.width);
  for (const Segment& s : visible(arrows, p, pen)) draw_arrow(s, width, color, p, pen);
}

void draw_handle(const Handle& handle, const Placed& p, const Pen& pen) {
  const Point at{p.frame.px_at(handle.x), p.frame.py_at(handle.y)};
  if (!inside(p.area, at, 0.5f)) return;  // NaN is nowhere
  const float radius = pen.px(handle.radius);
  pen.add(draw::Disc{at, radius + pen.px(kRing), pen.theme().card});
  pen.add(draw::Disc{at, radius, resolve(handle.color, pen.theme())});
  if (p.plot->thumbnail) return;
  const float half = std::max(radius + pen.px(kRing), pen.px(kGrip) / 2);
  const Rect zone{at.x - half, at.y - half, 2 * half, 2 * half};
  if (!handle.x_param.empty() || !handle.y_param.empty()) {
    pen.drawing().grips.push_back({zone, p.index, at, handle.x_param, handle.y_param, handle.also});
  } else if (!handle.also.empty()) {
    pen.drawing().hits.push_back({zone, p.index, handle.also, handle.label});
  }
}

void draw_labels_beside(const Placed& p, const Pen& pen) {
  if (p.plot->thumbnail || p.detail >= Detail::no_notes) return;
  const std::vector<Label> labels = labels_of(p, pen);
  if (labels.empty()) return;
  std::vector<Rect> taken = taken_in(p, pen);
  for (const Label& label : labels) draw_label(label, p, taken, pen);
}

}  // namespace figure::parts
