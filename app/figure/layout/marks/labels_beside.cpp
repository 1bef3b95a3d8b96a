// The labels of arrows and handles: beside their points, where nothing else is written.
#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/segment.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kBesideGap = 6;
constexpr float kAir = 4;                 // from a label to what stands at its left and right
constexpr float kFarther = 2;             // times as far, where no nearer place is free
constexpr std::size_t kMostLines = 2000;  // beyond, labels are taken to stand over some
constexpr float kBackdrop = 0.85f;        // behind a label that has to stand over something

struct Label {
  Point at;
  float away;  // from `at`
  bool left;   // rather at the left of it
  const std::string* text;
  Rgba color;
};

struct Obstacles {
  std::vector<Rect> taken;     // texts that are there already, and handles
  std::vector<Segment> lines;  // lines and arrows
  bool cells = false;          // of a heatmap, whatever their colours
};

Point place_of(const Handle& handle, const Placed& p) {
  return {p.frame.px_at(handle.x), p.frame.py_at(handle.y)};
}

// What of each kind of mark labels keep clear of. Texts are found in the drawing itself.
struct AddObstacles {
  const Placed& p;
  const Pen& pen;
  Obstacles& found;

  void operator()(const Handle& handle) const {
    if (!inside(p.area, place_of(handle, p), 0.5f)) return;
    const Point at = place_of(handle, p);
    const float r = pen.px(handle.radius + kHandleRing);
    found.taken.push_back({at.x - r, at.y - r, 2 * r, 2 * r});
  }
  void operator()(const Arrows& arrows) const {
    for (const Arrows::Arrow& arrow : arrows.arrows) add(on_screen(arrow, p.frame));
  }
  void operator()(const Line& line) const {
    for (std::size_t k = 1; k < std::min(line.x.size(), line.y.size()); ++k) {
      add(on_screen({line.x[k - 1], line.y[k - 1], line.x[k], line.y[k]}, p.frame));
    }
  }
  void operator()(const Heatmap&) const { found.cells = true; }
  void operator()(const Interval& interval) const {
    const auto shape = shape_of(interval, p, pen);
    if (shape) found.taken.insert(found.taken.end(), {shape->bar, shape->tag});
  }
  // Pale or small: a label may lie over them.
  void operator()(const Band&) const {}
  void operator()(const Bars&) const {}
  void operator()(const Points&) const {}
  void operator()(const Rule&) const {}
  void operator()(const Note&) const {}
  void operator()(const Links&) const {}
  void operator()(const Table&) const {}
  void operator()(const Boxes&) const {}
  void operator()(const Diagram&) const {}

 private:
  void add(const Segment& s) const {
    if (!finite(s) || found.lines.size() >= kMostLines) return;
    if (const auto part = within(s, p.area)) found.lines.push_back(*part);
  }
};

Obstacles obstacles_in(const Placed& p, const Pen& pen) {
  Obstacles found;
  for (const Primitive& primitive : pen.drawing().primitives) {
    const auto* t = std::get_if<draw::Text>(&primitive);
    if (!t || t->angle != 0) continue;
    const Point size = pen.size(t->text, t->style);
    const Rect r{t->at.x - t->align_x * size.x, t->at.y - t->align_y * size.y, size.x, size.y};
    if (r.overlaps(p.area)) found.taken.push_back(r);
  }
  for (const Mark& mark : p.plot->marks) std::visit(AddObstacles{p, pen, found}, mark);
  return found;
}

// Where the last arrow that can be seen ends inside of the plot.
std::optional<Segment> last_seen(const Arrows& arrows, const Placed& p) {
  for (auto arrow = arrows.arrows.rbegin(); arrow != arrows.arrows.rend(); ++arrow) {
    const Segment s = on_screen(*arrow, p.frame);
    if (!finite(s)) continue;
    if (const auto part = within(s, p.area)) return part;
  }
  return {};
}

// How far from a point its label begins: off the handle that stands there, if one does.
float away_from(Point at, const Placed& p, const Pen& pen) {
  float away = pen.px(kBesideGap);
  for (const Mark& mark : p.plot->marks) {
    const auto* handle = std::get_if<Handle>(&mark);
    if (!handle) continue;
    const Point middle = place_of(*handle, p);
    const float rim = pen.px(handle->radius + kHandleRing);
    if (std::hypot(middle.x - at.x, middle.y - at.y) < rim) away = rim + pen.px(kBesideGap);
  }
  return away;
}

// The labels that each kind of mark has written beside it.
struct AddLabels {
  const Placed& p;
  const Pen& pen;
  std::vector<Label>& labels;

  void operator()(const Arrows& arrows) const {
    const auto last = arrows.label.empty() ? std::nullopt : last_seen(arrows, p);
    if (!last) return;
    labels.push_back({last->b, away_from(last->b, p, pen), last->b.x < last->a.x, &arrows.label,
                      resolve(arrows.color, pen.theme())});
  }
  void operator()(const Handle& handle) const {
    const Point at = place_of(handle, p);
    if (handle.label.empty() || !inside(p.area, at, 0.5f)) return;
    labels.push_back(
        {at, away_from(at, p, pen), false, &handle.label, resolve(handle.color, pen.theme())});
  }
  // One that goes on has its label at the plot's border, in draw_line_labels.
  void operator()(const Line& line) const {
    if (line.label.empty() || p.line_legend) return;
    const auto end = ends_early(line, p, pen);
    if (end)
      labels.push_back(
          {*end, away_from(*end, p, pen), false, &line.label, resolve(line.color, pen.theme())});
  }
  void operator()(const Interval&) const {}  // over its middle
  void operator()(const Rule&) const {}      // along itself
  void operator()(const Heatmap&) const {}   // at its colour bar
  void operator()(const Band&) const {}
  void operator()(const Bars&) const {}
  void operator()(const Points&) const {}
  void operator()(const Note&) const {}
  void operator()(const Links&) const {}
  void operator()(const Table&) const {}
  void operator()(const Boxes&) const {}
  void operator()(const Diagram&) const {}
};

std::vector<Label> labels_of(const Placed& p, const Pen& pen) {
  std::vector<Label> labels;
  for (const Mark& mark : p.plot->marks) std::visit(AddLabels{p, pen, labels}, mark);
  return labels;
}

// Inside of the plot beside its point, above or below it, the likeliest first; then the same
// farther away.
std::vector<Rect> places_for(const Label& label, Point size, const Rect& a) {
  const float side = label.left ? -1 : 1;
  const Point steps[] = {{side, 0},   {side, -1}, {side, 1}, {-side, 0},
                         {-side, -1}, {-side, 1}, {0, -1},   {0, 1}};
  std::vector<Rect> places;
  for (const float d : {label.away, kFarther * label.away}) {
    const float near = d * 0.7f;
    for (const Point step : steps) {
      const float x = label.at.x + step.x * ((step.y == 0 ? d : near) + size.x / 2) - size.x / 2;
      const float y = label.at.y + step.y * (near + size.y / 2) - size.y / 2;
      const Rect r{std::clamp(x, a.x, std::max(a.x, a.right() - size.x)),
                   std::clamp(y, a.y, std::max(a.y, a.bottom() - size.y)), size.x, size.y};
      const bool on_point = r.overlaps({label.at.x - 1, label.at.y - 1, 2, 2});
      if (!on_point && r.bottom() <= a.bottom() + 0.5f) places.push_back(r);
    }
  }
  return places;
}

// Where nothing is at all, else over lines, over texts it is left out. Lines and cells get a
// backdrop.
void draw_label(const Label& label, const Placed& p, Obstacles& obstacles, const Pen& pen) {
  const std::string text = pen.fit(*label.text, TextStyle::label, p.area.w);
  if (text.empty()) return;
  const Rect* over_lines = nullptr;
  const Rect* free = nullptr;
  const auto places = places_for(label, pen.size(text, TextStyle::label), p.area);
  for (const Rect& place : places) {
    const float air = pen.px(kAir);  // or two names in a row read as one
    const Rect wide{place.x - air, place.y, place.w + 2 * air, place.h};
    const auto covers = [&](const Rect& r) { return wide.overlaps(r); };
    const auto crosses = [&](const Segment& s) { return within(s, place).has_value(); };
    if (std::any_of(obstacles.taken.begin(), obstacles.taken.end(), covers)) continue;
    if (!over_lines) over_lines = &place;
    if (obstacles.lines.size() >= kMostLines) break;
    if (std::any_of(obstacles.lines.begin(), obstacles.lines.end(), crosses)) continue;
    free = &place;
    break;
  }
  const Rect* at = free ? free : over_lines;
  if (!at) return;
  if (!free || obstacles.cells) pen.fill(*at, pen.theme().card.with_alpha(kBackdrop), pen.px(3));
  pen.text({at->x, at->y + at->h / 2}, text, TextStyle::label, label.color);
  obstacles.taken.push_back(*at);
}

}  // namespace

void draw_labels_beside(const Placed& p, const Pen& pen) {
  if (p.plot->thumbnail || p.detail >= Detail::no_notes) return;
  const std::vector<Label> labels = labels_of(p, pen);
  if (labels.empty()) return;
  Obstacles obstacles = obstacles_in(p, pen);
  for (const Label& label : labels) draw_label(label, p, obstacles, pen);
}

}  // namespace figure::parts
