// Paper: no text over another, and none beyond the edge.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kInk = 0.8f;    // of a line's height, what letters cover
constexpr float kTouch = 0.5f;  // texts this near do not overlap yet

// What a text covers, turned as it is.
struct Quad {
  std::array<Point, 4> corners;
};

Quad quad_of(const draw::Text& text, const Pen& pen) {
  const Point size = pen.size(text.text, text.style);
  const float spare = size.y * (1 - kInk) / 2;
  const float x0 = -text.align_x * size.x + kTouch, x1 = x0 + size.x - 2 * kTouch;
  const float y0 = -text.align_y * size.y + spare, y1 = y0 + size.y - 2 * spare;
  const float c = std::cos(text.angle), s = std::sin(text.angle);
  const auto rotated = [&](float x, float y) {
    return Point{text.at.x + x * c - y * s, text.at.y + x * s + y * c};
  };
  return {{rotated(x0, y0), rotated(x1, y0), rotated(x1, y1), rotated(x0, y1)}};
}

Rect box_of(const Quad& quad) {
  float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
  for (const Point p : quad.corners) {
    x0 = std::min(x0, p.x), y0 = std::min(y0, p.y), x1 = std::max(x1, p.x), y1 = std::max(y1, p.y);
  }
  return {x0, y0, x1 - x0, y1 - y0};
}

// Two convex quads overlap unless a side of one of them parts them.
bool parted_by_sides_of(const Quad& a, const Quad& b) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Point from = a.corners[k], to = a.corners[(k + 1) % 4];
    const Point normal{to.y - from.y, from.x - to.x};
    const bool outside = std::all_of(b.corners.begin(), b.corners.end(), [&](Point p) {
      return (p.x - from.x) * normal.x + (p.y - from.y) * normal.y >= 0;
    });
    if (outside) return true;
  }
  return false;
}

bool overlap(const Quad& a, const Quad& b) {
  return !parted_by_sides_of(a, b) && !parted_by_sides_of(b, a);
}

class Settling {
 public:
  Settling(Drawing& drawing, const Loose& loose, const Pen& pen)
      : drawing_(drawing), loose_(loose), pen_(pen), kind_(drawing.primitives.size(), Kind::fixed) {
    mark(loose.droppable, Kind::droppable);
    mark(loose.movable, Kind::movable);
  }

  void run() {
    each(Kind::fixed, [&](std::size_t k) { taken_.push_back(quad(k)); });
    each(Kind::droppable,
         [&](std::size_t k) { free(quad(k)) ? taken_.push_back(quad(k)) : leave_out(k); });
    for (const Section& section : loose_.movable) move(section);
    remove();
  }

 private:
  enum class Kind { fixed, droppable, movable };

  void mark(const std::vector<Section>& sections, Kind kind) {
    for (const Section& s : sections) {
      for (std::size_t k = s.begin; k < s.end; ++k) kind_[k] = kind;
    }
  }
  draw::Text* text(std::size_t k) { return std::get_if<draw::Text>(&drawing_.primitives[k]); }
  Quad quad(std::size_t k) { return quad_of(*text(k), pen_); }
  template <class Visit>
  void each(Kind kind, Visit&& visit) {
    for (std::size_t k = 0; k < kind_.size(); ++k) {
      if (kind_[k] == kind && text(k) && !text(k)->text.empty()) visit(k);
    }
  }
  bool inside(const Quad& q) const {
    const Rect box = box_of(q), &all = drawing_.bounds;
    return box.x >= all.x - 0.5f && box.right() <= all.right() + 0.5f && box.y >= all.y - 0.5f &&
           box.bottom() <= all.bottom() + 0.5f;
  }
  bool free(const Quad& q) const {
    return inside(q) && std::none_of(taken_.begin(), taken_.end(),
                                     [&](const Quad& other) { return overlap(q, other); });
  }
  void leave_out(std::size_t k) {
    gone_.insert(k);
    drawing_.left_out.push_back(text(k)->text);
  }

  // The nearest place up or down, and as far to the side as the edge wants, where all of it is
  // free.
  void move(const Section& section) {
    std::vector<std::size_t> texts;
    Rect box{};
    for (std::size_t k = section.begin; k < section.end; ++k) {
      if (!text(k) || text(k)->text.empty()) continue;
      const Rect one = box_of(quad(k));
      if (texts.empty()) box = one;
      const float right = std::max(box.right(), one.right());
      const float bottom = std::max(box.bottom(), one.bottom());
      box.x = std::min(box.x, one.x), box.y = std::min(box.y, one.y);
      box.w = right - box.x, box.h = bottom - box.y;
      texts.push_back(k);
    }
    if (texts.empty()) return;
    const Rect& all = drawing_.bounds;
    const float aside = std::max(0.0f, all.x - box.x) - std::max(0.0f, box.right() - all.right());
    const float step = pen_.line_height(TextStyle::small) / 4;
    constexpr int kSteps = 24;
    for (int k = 0; k <= 2 * kSteps; ++k) {
      const float up = static_cast<float>((k + 1) / 2) * (k % 2 == 0 ? step : -step);
      if (shifted_free(texts, {aside, up})) return place(texts, {aside, up});
    }
    for (const std::size_t k : texts) leave_out(k);
  }
  bool shifted_free(const std::vector<std::size_t>& texts, Point by) {
    return std::all_of(texts.begin(), texts.end(), [&](std::size_t k) {
      draw::Text moved = *text(k);
      moved.at.x += by.x, moved.at.y += by.y;
      return free(quad_of(moved, pen_));
    });
  }
  void place(const std::vector<std::size_t>& texts, Point by) {
    for (const std::size_t k : texts) {
      text(k)->at.x += by.x, text(k)->at.y += by.y;
      taken_.push_back(quad(k));
    }
  }
  void remove() {
    std::size_t k = 0;
    std::erase_if(drawing_.primitives, [&](const Primitive&) { return gone_.contains(k++); });
    drawing_.marks.clear();  // their places are others now
  }

  Drawing& drawing_;
  const Loose& loose_;
  const Pen& pen_;
  std::vector<Kind> kind_;
  std::vector<Quad> taken_;
  std::set<std::size_t> gone_;
};

}  // namespace

void settle(Drawing& drawing, const Loose& loose, const Pen& pen) {
  Settling(drawing, loose, pen).run();
}

}  // namespace figure::parts
