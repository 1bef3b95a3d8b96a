// What is held of bars and points beside the live ones: bars as outlines that leave room for
// numbers, and signs at the border of the plot where something lies beyond it.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kBarClear = 0.85f;
constexpr float kNarrow = 5;               // bars that are thinner show their ends alone, as a line
constexpr float kSign = 8, kSignHigh = 6;  // what says that something goes on beyond the border

// Over bars in the colour of text another one is seen.
Rgba bar_ink(Rgba bar, const Pen& pen) {
  constexpr double kDistinctContrast = 2;
  const Theme& theme = pen.theme();
  const bool apart = contrast(theme.text, bar) >= kDistinctContrast;
  return (apart ? theme.text : theme.accent).with_alpha(kBarClear);
}

// The ends of thin bars as one line of steps.
draw::Path steps_of(const Bars& bars, const Placed& p, const Pen& pen) {
  const Rgba color = bar_ink(resolve(bars.color, pen.theme()), pen);
  draw::Path steps{{}, color, pen.px(1), false, false, false};
  const double first = std::min(p.plot->x.lo, p.plot->x.hi);
  for (std::size_t k = 0; k < bars.values.size(); ++k) {
    const double at = first + static_cast<double>(k);
    const float x0 = p.frame.px_at(at), x1 = p.frame.px_at(at + 1);
    const float y = p.frame.py_at(bars.values[k]);
    if (!std::isfinite(y) || std::max(x0, x1) < p.area.x || std::min(x0, x1) > p.area.right()) {
      continue;
    }
    const float kept = std::clamp(y, p.area.y, p.area.bottom());
    steps.points.push_back({x0, kept});
    steps.points.push_back({x1, kept});
  }
  return steps;
}

// A hollow triangle at the border that points to where it goes on.
draw::Path goes_on(float x, bool up, const Placed& p, Rgba color, const Pen& pen) {
  const float half = pen.px(kSign) / 2, high = pen.px(kSignHigh), gap = pen.px(2);
  const float tip = up ? p.area.y + gap : p.area.bottom() - gap,
              base = up ? tip + high : tip - high;
  return {{{x - half, base}, {x, tip}, {x + half, base}}, color, pen.px(1), false, true, false};
}

// The part of a line from a to b that lies in a rectangle, as shares of its length; empty: none.
std::optional<std::pair<float, float>> part_in(Point a, Point b, const Rect& r) {
  float from = 0, to = 1;
  const auto clip = [&](float start, float step, float lo, float hi) {
    if (step == 0) return start > lo && start < hi;
    const float one = (lo - start) / step, other = (hi - start) / step;
    from = std::max(from, std::min(one, other));
    to = std::min(to, std::max(one, other));
    return from < to;
  };
  if (!clip(a.x, b.x - a.x, r.x, r.right()) || !clip(a.y, b.y - a.y, r.y, r.bottom())) return {};
  return std::pair{from, to};
}

// The pieces of a path that lie in none of the rectangles.
std::vector<draw::Path> without(const draw::Path& path, const std::vector<Rect>& kept_free) {
  std::vector<Point> points = path.points;
  if (path.closed && !points.empty()) points.push_back(points.front());
  draw::Path piece = path;
  piece.points.clear(), piece.closed = false;
  std::vector<draw::Path> all;
  const auto end_piece = [&] {
    if (piece.points.size() > 1) all.push_back(piece);
    piece.points.clear();
  };
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Point a = points[k - 1], b = points[k];
    const auto on = [&](float share) {
      return Point{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    };
    std::vector<std::pair<float, float>> gaps;
    for (const Rect& r : kept_free) {
      if (const auto gap = part_in(a, b, r)) gaps.push_back(*gap);
    }
    std::sort(gaps.begin(), gaps.end());
    float at = 0;
    if (piece.points.empty()) piece.points.push_back(a);
    for (const auto& [from, to] : gaps) {
      if (from > at) piece.points.push_back(on(from));
      end_piece();
      at = std::max(at, to);
      piece.points = {on(at)};
    }
    if (at < 1) piece.points.push_back(b);
  }
  end_piece();
  return all;
}

}  // namespace

// The outlines of the bars that were others; one that goes on beyond the axis is left open there.
void add_held_bars(const Bars& bars, const Bars* now, const Placed& p, const Pen& pen,
                   std::vector<Primitive>& over) {
  // Ends less than a pixel apart look the same.
  const auto same = [&](std::size_t k) {
    if (!now || k >= now->values.size()) return false;
    const double then = bars.values[k], is = now->values[k];
    return then == is || std::abs(p.frame.py_at(then) - p.frame.py_at(is)) < 1;
  };
  for (std::size_t k = 0; k < bars.values.size(); ++k) {
    if (same(k)) continue;
    const auto bar = bar_of(p, k, bars.values[k], pen);
    if (!bar) continue;
    if (bar->w < pen.px(kNarrow)) {
      over.emplace_back(steps_of(bars, p, pen));
      return;
    }
    const Rect& r = *bar;
    const float end = p.frame.py_at(bars.values[k]);
    const bool marked = now && static_cast<int>(k) == now->marked;
    const Rgba live = marked ? pen.theme().accent : resolve(bars.color, pen.theme());
    draw::Path outline{{}, bar_ink(live, pen), pen.px(1), false, true, false};
    if (end < p.area.y - 0.5f) {
      outline.points = {{r.x, r.y}, {r.x, r.bottom()}, {r.right(), r.bottom()}, {r.right(), r.y}};
      outline.closed = false;
    } else if (end > p.area.bottom() + 0.5f) {
      outline.points = {{r.x, r.bottom()}, {r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}};
      outline.closed = false;
    } else {
      outline.points = {{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}};
    }
    const Rgba ink = outline.color;
    const bool beyond = !outline.closed;
    over.emplace_back(std::move(outline));
    if (beyond) over.emplace_back(goes_on(r.x + r.w / 2, end < p.area.y, p, ink, pen));
  }
}

void add_beyond(const Points& points, const Placed& p, const Pen& pen,
                std::vector<Primitive>& over) {
  const Rgba color = resolve(points.color, pen.theme()).with_alpha(kBarClear);
  float last = -1e9f;
  for (std::size_t k = 0; k < std::min(points.x.size(), points.y.size()); ++k) {
    const float x = p.frame.px_at(points.x[k]), y = p.frame.py_at(points.y[k]);
    const bool above = y<p.area.y - 0.5f, below = y> p.area.bottom() + 0.5f;
    const bool beside = !(x >= p.area.x && x <= p.area.right());
    if (beside || !(above || below) || std::abs(x - last) < pen.px(kSign)) continue;
    last = x;
    over.emplace_back(goes_on(x, above, p, color, pen));
  }
}

void leave_numbers(const Placed& p, const Pen& pen, std::vector<Primitive>& over) {
  std::vector<Rect> numbers;
  for (const Primitive& one : pen.drawing().primitives) {
    const auto* text = std::get_if<draw::Text>(&one);
    if (!text || text->text.empty() || text->angle != 0) continue;
    const Point size = pen.size(text->text, text->style);
    const Rect r{text->at.x - text->align_x * size.x - pen.px(1),
                 text->at.y - text->align_y * size.y, size.x + pen.px(2), size.y};
    if (r.overlaps(p.area)) numbers.push_back(r);
  }
  if (numbers.empty()) return;
  std::vector<Primitive> left;
  for (Primitive& one : over) {
    const auto* path = std::get_if<draw::Path>(&one);
    const bool crosses =
        path && !path->filled && std::any_of(numbers.begin(), numbers.end(), [&](const Rect& r) {
          for (std::size_t k = 0; k < path->points.size(); ++k) {
            const std::size_t next = (k + 1) % path->points.size();
            if (next == 0 && !path->closed) break;
            if (part_in(path->points[k], path->points[next], r)) return true;
          }
          return false;
        });
    if (!crosses) {
      left.push_back(std::move(one));
      continue;
    }
    for (draw::Path& piece : without(*path, numbers)) left.emplace_back(std::move(piece));
  }
  over = std::move(left);
}

}  // namespace figure::parts
