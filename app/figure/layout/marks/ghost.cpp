// What is held, drawn over what is shown now: by the same drawing of the same marks in the same
// frame, so that the live axes decide, and then faint, with rings, hollow or outlined. Nothing of
// it is dashed that was not: what is dashed means something else already.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kFaint = 0.65f, kClear = 0.85f;
constexpr float kRing = 2.5f, kRingEvery = 44;  // on curves
constexpr int kPieces = 24;                     // of a curve
constexpr std::size_t kSought = 64;  // points that are looked for among all that is drawn
constexpr float kDividerGrip = 5;    // of a divider, to either side
constexpr float kKnobHigh = 22, kKnobWide = 6;
constexpr float kTagged = 150;  // a split as wide as this says which side is which

// What the held plot's marks draw in the live plot's frame, with nothing to be pointed at.
struct DrawHeld {
  const Placed& p;
  const Pen& pen;

  void operator()(const Line& line) const { draw_line(line, p, pen); }
  void operator()(const Band& band) const { draw_band(band, p, pen); }
  void operator()(const Rule& rule) const { draw_rule(rule, p, pen); }
  void operator()(const Arrows& arrows) const { draw_arrows(arrows, p, pen); }
  void operator()(const Points& points) const { draw_points(points, p, pen); }
  void operator()(const Links& links) const { draw_links(links, p, pen); }
  void operator()(const Handle& handle) const { draw_handle(handle, p, pen); }
  void operator()(const Interval& interval) const { draw_interval(interval, p, pen); }
  void operator()(const Boxes& boxes) const { draw_boxes(boxes, p, pen); }
  // Heatmaps stand behind a divider or in corners; words and pictures over each other could not be
  // read.
  void operator()(const Heatmap&) const {}
  void operator()(const Bars&) const {}  // see add_held_bars
  void operator()(const Note&) const {}
  void operator()(const Table&) const {}
  void operator()(const Diagram&) const {}
};

// The layer that a mark is drawn in: cut off at the plot's border, over that, or held.
std::size_t layer_of(const Mark& mark) {
  if (std::holds_alternative<Handle>(mark)) return 2;
  const bool over = std::holds_alternative<Points>(mark) || std::holds_alternative<Links>(mark) ||
                    std::holds_alternative<Boxes>(mark) || std::holds_alternative<Interval>(mark) ||
                    std::holds_alternative<Note>(mark) || std::holds_alternative<Diagram>(mark);
  return over ? 1 : 0;
}

// What a mark of the live plot is drawn with.
Section drawn_with(const Placed& p, const DrawnMarks& drawn, std::size_t mark, const Pen& pen) {
  const std::size_t count = p.plot->marks.size();
  if (mark >= count) return {};
  const std::size_t at = drawn.section + layer_of(p.plot->marks[mark]) * count + mark;
  return at < pen.drawing().marks.size() ? pen.drawing().marks[at] : Section{};
}

Point on(const draw::Curve& c, float t) {
  const float s = 1 - t, a = s * s * s, b = 3 * s * s * t, d = 3 * s * t * t, e = t * t * t;
  return {a * c.a.x + b * c.b.x + d * c.c.x + e * c.d.x,
          a * c.a.y + b * c.b.y + d * c.c.y + e * c.d.y};
}

// The primitives of a held mark as its ghost: what lies under the live marks, and what over them.
class Restyle {
 public:
  Restyle(const Pen& pen, bool alone, std::vector<Primitive>& under, std::vector<Primitive>& over)
      : pen_(pen), alone_(alone), under_(under), over_(over) {}

  void operator()(const draw::Path& path) {
    draw::Path ghost = path;
    ghost.color = path.color.with_alpha(kFaint);
    ghost.width = path.filled ? pen_.px(1) : std::max(pen_.px(1), 0.8f * path.width);
    ghost.closed = path.closed || path.filled;
    ghost.filled = false;
    const bool curve = !ghost.closed && (path.points.size() > 2 || alone_);
    under_.emplace_back(std::move(ghost));
    if (curve) add_rings(path);
  }
  void operator()(const draw::Curve& curve) {
    draw::Path ghost;
    for (int k = 0; k <= kPieces; ++k)
      ghost.points.push_back(on(curve, static_cast<float>(k) / kPieces));
    ghost.color = curve.color.with_alpha(kFaint);
    ghost.width = std::max(pen_.px(1), 0.6f * curve.width);
    ghost.dashed = true;
    under_.emplace_back(std::move(ghost));
  }
  void operator()(const draw::Disc& disc) {
    if (disc.color == pen_.theme().card) return;  // the ring around a handle
    under_.emplace_back(
        draw::Disc{disc.center, disc.radius, disc.color.with_alpha(kClear), false, pen_.px(1.25f)});
  }
  void operator()(const draw::Fill& fill) {
    const Rect& r = fill.rect;
    over_.emplace_back(
        draw::Path{{{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}},
                   pen_.theme().text.with_alpha(kClear),
                   pen_.px(1),
                   true,
                   true,
                   false});
  }
  void operator()(const draw::Outline&) {}
  void operator()(const draw::Text&) {}
  void operator()(const draw::Cells&) {}
  void operator()(const draw::ColorBar&) {}
  void operator()(const draw::Clip&) {}
  void operator()(const draw::Unclip&) {}

 private:
  void add_rings(const draw::Path& path) {
    const float every = pen_.px(kRingEvery);
    float left = every / 2;  // to the next one
    for (std::size_t k = 1; k < path.points.size(); ++k) {
      const Point a = path.points[k - 1], b = path.points[k];
      const float length = std::hypot(b.x - a.x, b.y - a.y);
      float at = left;
      for (; at <= length; at += every) {
        const float share = at / length;
        under_.emplace_back(draw::Disc{{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share},
                                       pen_.px(kRing),
                                       path.color.with_alpha(kClear),
                                       false,
                                       pen_.px(1)});
      }
      left = at - length;
    }
  }

  const Pen& pen_;
  bool alone_;  // it is all of a line
  std::vector<Primitive>&under_, &over_;
};

// Cells cut to the part of their rectangle between two places; empty where nothing is left.
std::optional<draw::Cells> cut(const draw::Cells& cells, float left, float right) {
  const Rect& r = cells.rect;
  const float x0 = std::max(left, r.x), x1 = std::min(right, r.right());
  if (!(x1 > x0) || !(r.w > 0)) return std::nullopt;
  draw::Cells part = cells;
  const double wide = (cells.shown.x1 - cells.shown.x0) / static_cast<double>(r.w);
  part.shown.x0 = cells.shown.x0 + wide * static_cast<double>(x0 - r.x);
  part.shown.x1 = cells.shown.x0 + wide * static_cast<double>(x1 - r.x);
  part.rect = {x0, r.y, x1 - x0, r.h};
  return part;
}

void draw_divider(float x, const Placed& p, const Ghost& ghost, const Pen& pen) {
  const Rect& a = p.area;
  const Theme& theme = pen.theme();
  pen.line({x, a.y}, {x, a.bottom()}, theme.card, pen.px(3));
  pen.line({x, a.y}, {x, a.bottom()}, theme.text, pen.px(1));
  if (p.plot->thumbnail) return;
  if (!pen.paper()) {
    const float high = std::min(pen.px(kKnobHigh), a.h / 2);
    pen.fill({x - pen.px(kKnobWide) / 2, a.y + (a.h - high) / 2, pen.px(kKnobWide), high},
             theme.text, pen.px(kKnobWide) / 2);
  }
  if (a.w < pen.px(kTagged)) return;
  const float pad = pen.px(5), line = pen.line_height(TextStyle::small), high = line + pen.px(2);
  const float top = a.bottom() - high - pad;
  const auto tag = [&](const std::string& text, bool right) {
    const float wide = pen.size(text, TextStyle::small).x + 2 * pad;
    const float from = right ? x + pad : x - pad - wide;
    if (text.empty() || from < a.x || from + wide > a.right()) return;
    pen.fill({from, top, wide, high}, theme.card.with_alpha(0.88f), pen.px(4));
    pen.text({from + pad, top + high / 2}, text, TextStyle::small, theme.text);
  };
  tag(ghost.now, false);
  tag(ghost.then, true);
}

// The live cells end at the divider, and the held ones, in the live colours, begin there. What is
// drawn with the live ones keeps its number, so that motion finds it again.
std::vector<Primitive> split(const Heatmap& live, const Heatmap& held, const Section& drawn,
                             const Placed& p, const Pen& pen) {
  const Ghost& ghost = *pen.options().ghost;
  const Rect& a = p.area;
  const float x = std::clamp(std::round(a.x + ghost.at * a.w), a.x, a.right());
  for (std::size_t k = drawn.begin; k < drawn.end; ++k) {
    Primitive& one = pen.drawing().primitives[k];
    if (auto* cells = std::get_if<draw::Cells>(&one)) {
      const auto part = cut(*cells, a.x - a.w, x);
      one = part ? Primitive(*part) : Primitive(draw::Text{});
    } else if (auto* text = std::get_if<draw::Text>(&one); text && text->at.x > x) {
      text->text.clear();
    }
  }
  Drawing scratch;
  const Pen other(scratch, pen.options());
  Heatmap then = held;
  then.scale = live.scale, then.pool = live.pool, then.pinned.reset();
  draw_heatmap(then, p, other);
  std::vector<Primitive> added;
  for (Primitive& one : scratch.primitives) {
    const auto* cells = std::get_if<draw::Cells>(&one);
    const auto part = cells ? cut(*cells, x, a.right() + a.w) : std::nullopt;
    if (part) added.emplace_back(*part);
    const auto* text = std::get_if<draw::Text>(&one);
    if (text && text->at.x > x) added.push_back(std::move(one));
  }
  Drawing line;
  draw_divider(x, p, ghost, Pen(line, pen.options()));
  for (Primitive& one : line.primitives) added.push_back(std::move(one));
  if (!pen.paper()) {
    const float half = pen.px(kDividerGrip);
    pen.drawing().dividers.push_back({{x - half, a.y, 2 * half, a.h}, a, p.index});
  }
  return added;
}

// The small pictures of a scheme, each that stands where it stood divided as a heatmap is.
std::vector<Primitive> split_pictures(const Diagram& held, const Section& drawn, const Placed& p,
                                      const Pen& pen) {
  Drawing scratch;
  draw_diagram(held, p, Pen(scratch, pen.options()));
  std::vector<Primitive> added;
  for (std::size_t k = drawn.begin; k < drawn.end; ++k) {
    auto* cells = std::get_if<draw::Cells>(&pen.drawing().primitives[k]);
    if (!cells) continue;
    for (const Primitive& one : scratch.primitives) {
      const auto* then = std::get_if<draw::Cells>(&one);
      if (!then || then->rect != cells->rect || then->shown != cells->shown) continue;
      if (then->source == cells->source) break;
      const Rect r = cells->rect;
      const float x = std::round(r.x + pen.options().ghost->at * r.w);
      draw::Cells old = *then;
      old.colors = cells->colors;
      const auto left = cut(*cells, r.x, x), right = cut(old, x, r.right());
      if (!left || !right) break;
      *cells = *left;
      added.emplace_back(*right);
      added.emplace_back(draw::Path{{{x, r.y}, {x, r.bottom()}}, pen.theme().text, pen.px(1)});
      break;
    }
  }
  return added;
}

// Puts primitives in front of place `at`; sections behind it move on.
void insert(std::vector<Primitive> added, std::size_t at, const DrawnMarks& drawn, Loose& loose,
            Drawing& drawing) {
  const auto move = [&](std::vector<Section>& sections, std::size_t from) {
    for (std::size_t k = from; k < sections.size(); ++k) {
      if (sections[k].begin < at) continue;
      sections[k].begin += added.size(), sections[k].end += added.size();
    }
  };
  move(drawing.marks, drawn.section);
  move(loose.movable, drawn.movable);
  drawing.primitives.insert(drawing.primitives.begin() + static_cast<std::ptrdiff_t>(at),
                            std::make_move_iterator(added.begin()),
                            std::make_move_iterator(added.end()));
}

// In front of the first mark that is no ground: cells and bands are.
std::size_t over_the_ground(const Placed& p, const DrawnMarks& drawn, const Pen& pen) {
  std::size_t at = drawn.primitive;
  for (std::size_t m = 0; m < p.plot->marks.size(); ++m) {
    const Mark& mark = p.plot->marks[m];
    if (!std::holds_alternative<Heatmap>(mark) && !std::holds_alternative<Band>(mark)) continue;
    at = std::max(at, pen.drawing().marks[drawn.section + m].end);
  }
  return at;
}

struct Ghosts {
  std::vector<Primitive> under, over;
};

bool is_point(const Primitive& one) { return std::holds_alternative<draw::Disc>(one); }
bool is_curve(const Primitive& one) {
  const auto* path = std::get_if<draw::Path>(&one);
  return path && path->points.size() > 2;
}
// The same, or a curve or point that stays where it is, whatever its width or size and its colour
// have become: moved by so few pixels, a point's ring would lie under it.
bool unmoved(const Primitive& held, const Primitive& now) {
  if (is_curve(held) && is_curve(now)) {
    const auto &before = std::get<draw::Path>(held), &after = std::get<draw::Path>(now);
    return before.points == after.points && before.dashed == after.dashed &&
           before.filled == after.filled;
  }
  const auto *then = std::get_if<draw::Disc>(&held), *disc = std::get_if<draw::Disc>(&now);
  if (!then || !disc) return held == now;
  return std::hypot(then->center.x - disc->center.x, then->center.y - disc->center.y) < 2.0F;
}

// As one of the plot's live marks, whichever: the page may have more of them or fewer now.
bool is_drawn(const Primitive& one, const DrawnMarks& drawn, const Pen& pen) {
  const auto& all = pen.drawing().primitives;
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(drawn.primitive), all.end(),
                     [&](const Primitive& now) { return unmoved(one, now); });
}

void add_ghost(const Mark& mark, std::size_t k, const Placed& p, const DrawnMarks& drawn,
               Ghosts& ghosts, const Pen& pen) {
  if (const auto* bars = std::get_if<Bars>(&mark)) {
    const bool there = k < p.plot->marks.size();
    return add_held_bars(*bars, there ? std::get_if<Bars>(&p.plot->marks[k]) : nullptr, p, pen,
                         ghosts.over);
  }
  // A word whose shade has changed is the same word.
  if (pen.options().ghost->before && std::holds_alternative<Boxes>(mark)) return;
  Drawing scratch;
  const Pen other(scratch, pen.options());
  std::visit(DrawHeld{p, other}, mark);
  std::vector<Primitive>& all = scratch.primitives;
  const Section live = drawn_with(p, drawn, k, pen);
  const auto now = pen.drawing().primitives.begin() + static_cast<std::ptrdiff_t>(live.begin);
  const bool pairs = live.size() == all.size();  // what has not changed has no ghost
  // An interval keeps its bar, without the words over it.
  if (std::holds_alternative<Interval>(mark) && !all.empty()) all.resize(1);
  const bool alone = std::holds_alternative<Line>(mark) && all.size() == 1;
  Restyle restyle(pen, alone, ghosts.under, ghosts.over);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (pairs && unmoved(all[i], now[static_cast<std::ptrdiff_t>(i)])) continue;
    const bool sought = is_curve(all[i]) || (is_point(all[i]) && all.size() <= kSought);
    if (sought && is_drawn(all[i], drawn, pen)) continue;
    std::visit(restyle, all[i]);
  }
  if (const auto* points = std::get_if<Points>(&mark)) add_beyond(*points, p, pen, ghosts.over);
  const bool boxes = std::holds_alternative<Boxes>(mark) && k < p.plot->marks.size() &&
                     std::holds_alternative<Boxes>(p.plot->marks[k]);
  if (boxes) add_held_words(all, live, true, pen, ghosts.over);
}

// What is written, and is not the drawing of a mark over another.
void add_words(const Mark& mark, std::size_t k, const Placed& p, const DrawnMarks& drawn,
               Ghosts& ghosts, const Pen& pen) {
  if (k >= p.plot->marks.size()) return;
  const Section live = drawn_with(p, drawn, k, pen);
  const auto* note = std::get_if<Note>(&mark);
  const auto* note_now = std::get_if<Note>(&p.plot->marks[k]);
  if (note && note_now) add_held_note(*note_now, *note, live, p, pen, ghosts.over);
  const auto* diagram = std::get_if<Diagram>(&mark);
  if (!diagram || !std::holds_alternative<Diagram>(p.plot->marks[k])) return;
  // One of words alone stands beside this one as it was.
  const bool pictures = std::any_of(diagram->nodes.begin(), diagram->nodes.end(),
                                    [](const auto& node) { return node.picture != nullptr; });
  if (!pictures) return;
  Drawing scratch;
  draw_diagram(*diagram, p, Pen(scratch, pen.options()));
  add_held_words(scratch.primitives, live, false, pen, ghosts.over);
}

// Whether it lies in the plot, if only a part of it.
struct Seen {
  const Rect& area;
  bool operator()(const draw::Fill& one) const { return one.rect.overlaps(area); }
  bool operator()(const draw::Outline& one) const { return one.rect.overlaps(area); }
  bool operator()(const draw::Disc& one) const {
    const float r = one.radius;
    return Rect{one.center.x - r, one.center.y - r, 2 * r, 2 * r}.overlaps(area);
  }
  bool operator()(const draw::Path& one) const {
    if (one.points.empty()) return false;
    const auto by_x = [](Point a, Point b) { return a.x < b.x; };
    const auto by_y = [](Point a, Point b) { return a.y < b.y; };
    const auto [left, right] = std::minmax_element(one.points.begin(), one.points.end(), by_x);
    const auto [top, bottom] = std::minmax_element(one.points.begin(), one.points.end(), by_y);
    return left->x < area.right() && right->x > area.x && top->y < area.bottom() &&
           bottom->y > area.y;
  }
  bool operator()(const auto&) const { return true; }
};

std::size_t seen_of(const std::vector<Primitive>& all, const Rect& area) {
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const Primitive& one) { return std::visit(Seen{area}, one); }));
}

}  // namespace

void draw_ghost(const Placed& p, const DrawnMarks& drawn, Loose& loose, const Pen& pen) {
  const Ghost* ghost = pen.options().ghost;
  const Plot* held = ghost && ghost->held ? find_plot(*ghost->held, p.plot->id) : nullptr;
  if (!held || apart(*p.plot, *held) != Apart::none) return;
  Ghosts ghosts;
  std::size_t seen = 0;
  for (std::size_t k = 0; k < held->marks.size(); ++k) {
    add_ghost(held->marks[k], k, p, drawn, ghosts, pen);
    add_words(held->marks[k], k, p, drawn, ghosts, pen);
    const std::size_t now = seen_of(ghosts.under, p.area) + seen_of(ghosts.over, p.area);
    if (now > seen) pen.drawing().ghosts.insert(held->marks[k].index());
    seen = now;
  }
  std::size_t at = over_the_ground(p, drawn, pen);
  const Heatmap *live = heatmap_in(*p.plot), *then = heatmap_in(*held);
  for (std::size_t m = 0; ghost->split && live && then && m < p.plot->marks.size(); ++m) {
    if (std::get_if<Heatmap>(&p.plot->marks[m]) != live || !live->source) continue;
    const Section cells = pen.drawing().marks[drawn.section + m];
    std::vector<Primitive> added = split(*live, *then, cells, p, pen);
    const std::size_t behind = cells.end + added.size();
    insert(std::move(added), cells.end, drawn, loose, pen.drawing());
    at = std::max(over_the_ground(p, drawn, pen), behind);
  }
  insert(std::move(ghosts.under), at, drawn, loose, pen.drawing());
  const std::size_t both = std::min(p.plot->marks.size(), held->marks.size());
  for (std::size_t m = 0; ghost->split && m < both; ++m) {
    const auto* scheme = std::get_if<Diagram>(&held->marks[m]);
    if (!scheme || !std::holds_alternative<Diagram>(p.plot->marks[m])) continue;
    const Section section = pen.drawing().marks[drawn.section + p.plot->marks.size() + m];
    insert(split_pictures(*scheme, section, p, pen), section.end, drawn, loose, pen.drawing());
  }
  if (ghost->before) add_corners(*held, p, pen, ghosts.over);
  if (ghosts.over.empty()) return;
  leave_numbers(p, pen, ghosts.over);
  const Rect& a = p.area;
  pen.add(draw::Clip{{a.x - 1, a.y - 1, a.w + 2, a.h + 2}});
  for (Primitive& one : ghosts.over) pen.drawing().primitives.push_back(std::move(one));
  pen.add(draw::Unclip{});
}

}  // namespace figure::parts
