#include "app/figure/layout/marks/strokes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace figure::parts {
namespace {

constexpr int kFirstRepeated = 12;  // colours repeat from the 13th head on
constexpr std::size_t kFew = 16;    // points that have a marker each
constexpr float kApart = 56, kStagger = 11;

// Lengths at 100 %, drawn and left out in turn.
const std::array<std::vector<float>, 5> kPatterns = {
    {{}, {1.5f, 2}, {9, 2.5f, 1.5f, 2.5f}, {10, 4}, {9, 2.5f, 1.5f, 2.5f, 1.5f, 2.5f}}};

bool same_kind(const Line& a, const Line& b) {
  if (!a.label.empty() || !b.label.empty()) return a.label == b.label;
  return a.color.head == b.color.head && (a.color.head >= 0 || a.color.role == b.color.role);
}

// The kinds of lines that stand before this one's, of those that `counts`.
template <class Counts>
int number_of(const Line& line, const Plot& plot, const Counts& counts) {
  std::vector<const Line*> kinds;
  for (const Mark& mark : plot.marks) {
    const Line* other = std::get_if<Line>(&mark);
    if (!other || !counts(*other)) continue;
    if (same_kind(*other, line)) break;
    const bool known = std::any_of(kinds.begin(), kinds.end(),
                                   [&](const Line* one) { return same_kind(*one, *other); });
    if (!known) kinds.push_back(other);
  }
  return static_cast<int>(kinds.size());
}

Point between(Point a, Point b, float share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

// Calls visit(point, is_bend) at distances along the line: at each bend and wherever next() ends.
template <class Next, class Visit>
void walk(const std::vector<Point>& points, Next&& next, Visit&& visit) {
  float left = next();
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    Point at = points[k];
    for (;;) {
      const float length = std::hypot(points[k + 1].x - at.x, points[k + 1].y - at.y);
      if (!(length > left)) {
        left -= std::isfinite(length) ? length : 0;
        break;
      }
      at = between(at, points[k + 1], left / length);
      visit(at, false);
      left = next();
    }
    visit(points[k + 1], true);
  }
}

// The drawn pieces, with a point without a place between them.
std::vector<Point> dashed(const std::vector<Point>& points, const std::vector<float>& pattern,
                          const Pen& pen) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<Point> out = {points.front()};
  std::size_t part = 0;
  walk(
      points, [&] { return std::max(0.5f, pen.px(pattern[part++ % pattern.size()])); },
      [&](Point at, bool bend) {
        // `part` is one further than the piece that is walked along.
        const bool drawn = (part - 1) % 2 == 0;
        if (drawn) out.push_back(at);
        if (bend) return;
        out.push_back(drawn ? Point{kNone, kNone} : at);
      });
  return out;
}

std::vector<Point> marked(const std::vector<Point>& points, int marker, const Pen& pen) {
  if (points.size() <= kFew) return points;
  std::vector<Point> at;
  const float first = kApart / 4 + kStagger * static_cast<float>(marker % 5);
  bool begun = false;
  walk(
      points, [&] { return pen.px(std::exchange(begun, true) ? kApart : first); },
      [&](Point p, bool bend) {
        if (!bend) at.push_back(p);
      });
  return at;
}

void draw_marker(Point c, int marker, Rgba color, float width, const Pen& pen) {
  const float r = std::max(pen.px(2.6f), 1.5f * width);
  const Rect square{c.x - 0.9f * r, c.y - 0.9f * r, 1.8f * r, 1.8f * r};
  const auto filled = [&](std::vector<Point> corners) {
    pen.add(draw::Path{std::move(corners), color, 1, false, true, true});
  };
  switch (marker % 6) {
    case 0: return pen.add(draw::Disc{c, r, color});
    case 1: return pen.fill(square, color);
    case 2:
      return filled({{c.x, c.y - 1.2f * r}, {c.x + 1.1f * r, c.y + r}, {c.x - 1.1f * r, c.y + r}});
    case 3:
      return filled({{c.x, c.y - 1.3f * r},
                     {c.x + 1.3f * r, c.y},
                     {c.x, c.y + 1.3f * r},
                     {c.x - 1.3f * r, c.y}});
    case 4:
      pen.add(draw::Disc{c, r, pen.theme().card});
      return pen.add(draw::Disc{c, r, color, false, std::max(pen.px(1), 0.7f * width)});
    default:
      pen.fill(square, pen.theme().card);
      return pen.outline(square, color, std::max(pen.px(1), 0.7f * width));
  }
}

}  // namespace

Stroke stroke_of(const Line& line, const Plot& plot, const Pen& pen) {
  Stroke stroke{.dashed = line.dashed || line.color.head >= kFirstRepeated};
  const PaperLook& look = pen.look();
  if (look.dashes && !line.dashed) {
    stroke.dashed = false;
    const int number = number_of(line, plot, [](const Line& other) { return !other.dashed; });
    stroke.pattern = number % static_cast<int>(kPatterns.size());
  }
  if (look.markers) stroke.marker = number_of(line, plot, [](const Line&) { return true; });
  return stroke;
}

int wire_dashes(const Diagram& diagram, const Color& color) {
  const auto plain = [](const Diagram::Wire& wire) {
    const Role role = wire.color.role;
    const bool bare = wire.color.head < 0 && (role == Role::dim || role == Role::line);
    return !wire.arrow && !wire.dashed && !bare;
  };
  const auto same = [](const Color& a, const Color& b) {
    return a.head == b.head && (a.head >= 0 || a.role == b.role);
  };
  std::vector<Color> found;
  for (const Diagram::Wire& wire : diagram.wires) {
    if (!plain(wire)) continue;
    const auto at =
        std::ranges::find_if(found, [&](const Color& c) { return same(c, wire.color); });
    if (at == found.end()) found.push_back(wire.color);
  }
  const auto at = std::ranges::find_if(found, [&](const Color& c) { return same(c, color); });
  return at == found.end() ? -1 : static_cast<int>((at - found.begin()) % std::ssize(kPatterns));
}

void draw_stroke(std::vector<Point> points, const Stroke& stroke, Rgba color, float width,
                 const Pen& pen) {
  const auto& pattern = kPatterns[static_cast<std::size_t>(stroke.pattern)];
  if (!pattern.empty()) points = dashed(points, pattern, pen);
  pen.add(draw::Path{std::move(points), color, width, stroke.dashed, false, false});
}

void draw_markers(const std::vector<Point>& points, const Stroke& stroke, Rgba color, float width,
                  const Rect& area, const Pen& pen) {
  for (const Point at : marked(points, stroke.marker, pen)) {
    const bool inside = at.x >= area.x - 0.5f && at.x <= area.right() + 0.5f &&
                        at.y >= area.y - 0.5f && at.y <= area.bottom() + 0.5f;
    if (inside) draw_marker(at, stroke.marker, color, width, pen);
  }
}

void draw_sample(Point left, float length, const Stroke& stroke, Rgba color, float width,
                 const Pen& pen) {
  draw_stroke({left, {left.x + length, left.y}}, stroke, color, width, pen);
  if (stroke.marker < 0) return;
  draw_marker({left.x + length / 2, left.y}, stroke.marker, color, width, pen);
}

}  // namespace figure::parts
