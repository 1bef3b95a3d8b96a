#include "app/figure/motion.h"

#include <variant>

namespace figure {

namespace {

float mixed(float a, float b, float share) { return a + (b - a) * share; }
Point mixed(Point a, Point b, float share) {
  return {mixed(a.x, b.x, share), mixed(a.y, b.y, share)};
}
Rect mixed(const Rect& a, const Rect& b, float share) {
  return {mixed(a.x, b.x, share), mixed(a.y, b.y, share), mixed(a.w, b.w, share),
          mixed(a.h, b.h, share)};
}

// Two can be mixed where they are of one kind and have as many points.
bool fits(const Primitive& a, const Primitive& b) {
  if (a.index() != b.index()) return false;
  const auto* path = std::get_if<draw::Path>(&a);
  return !path || path->points.size() == std::get<draw::Path>(b).points.size();
}

// Moves `to` back on its way from `from`.
struct Mix {
  float share;
  void operator()(const draw::Fill& from, draw::Fill& to) const {
    to.rect = mixed(from.rect, to.rect, share);
  }
  void operator()(const draw::Outline& from, draw::Outline& to) const {
    to.rect = mixed(from.rect, to.rect, share);
  }
  void operator()(const draw::Path& from, draw::Path& to) const {
    for (std::size_t k = 0; k < to.points.size(); ++k) {
      to.points[k] = mixed(from.points[k], to.points[k], share);
    }
  }
  void operator()(const draw::Curve& from, draw::Curve& to) const {
    for (Point draw::Curve::*p :
         {&draw::Curve::a, &draw::Curve::b, &draw::Curve::c, &draw::Curve::d}) {
      to.*p = mixed(from.*p, to.*p, share);
    }
    to.width = mixed(from.width, to.width, share);
  }
  void operator()(const draw::Disc& from, draw::Disc& to) const {
    to.center = mixed(from.center, to.center, share);
    to.radius = mixed(from.radius, to.radius, share);
  }
  void operator()(const draw::Text& from, draw::Text& to) const {
    to.at = mixed(from.at, to.at, share);
  }
  void operator()(const draw::Cells&, draw::Cells&) const {}
  void operator()(const draw::ColorBar&, draw::ColorBar&) const {}
  void operator()(const draw::Clip&, draw::Clip&) const {}
  void operator()(const draw::Unclip&, draw::Unclip&) const {}
};

void mix_into(const Primitive& from, Primitive& to, float share) {
  std::visit(
      [&](auto& one) {
        using T = std::decay_t<decltype(one)>;
        Mix{share}(std::get<T>(from), one);
      },
      to);
}

// Calls visit(a, b) with the places in both of each thing that can move.
template <class Visit>
void each_pair(const Drawing& from, const Drawing& to, Visit visit) {
  if (from.marks.size() != to.marks.size()) return;
  for (std::size_t m = 0; m < to.marks.size(); ++m) {
    const Section &a = from.marks[m], &b = to.marks[m];
    if (a.size() != b.size()) continue;
    bool all = true;
    for (std::size_t k = 0; k < a.size() && all; ++k) {
      all = fits(from.primitives[a.begin + k], to.primitives[b.begin + k]);
    }
    for (std::size_t k = 0; k < a.size() && all; ++k) visit(a.begin + k, b.begin + k);
  }
}

}  // namespace

std::vector<Primitive> between(const Drawing& from, const Drawing& to, float share) {
  std::vector<Primitive> all = to.primitives;
  each_pair(from, to,
            [&](std::size_t a, std::size_t b) { mix_into(from.primitives[a], all[b], share); });
  return all;
}

bool moves(const Drawing& from, const Drawing& to) {
  bool any = false;
  each_pair(from, to, [&](std::size_t a, std::size_t b) {
    if (any) return;
    Primitive begun = to.primitives[b];
    mix_into(from.primitives[a], begun, 0);
    any = !(begun == to.primitives[b]);
  });
  return any;
}

}  // namespace figure
