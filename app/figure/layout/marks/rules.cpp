// Straight rules across a plot, each with its label where the curves leave room.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/segment.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kGap = 6;      // from a rule, or the border, to its label
constexpr float kStep = 0.5f;  // of the label's length, from one place to the next along a rule
constexpr float kLeastColumn = 40;                          // on paper, of a label in lines
constexpr float kOnText = 1000, kOnLine = 10, kOnRule = 1;  // how bad a label's place is

// What is written at a rule: its lines, and which way they are aligned at a place.
struct RuleLabel {
  std::vector<std::string> lines;
  Point size;
};

struct LabelPlace {
  Rect box;
  float align;
};

// What a label keeps clear of, the worse the higher its cost.
class Around {
 public:
  Around(const Rule& own, const Placed& p, const Pen& pen) : own_(own), p_(p), pen_(pen) {
    for (const Primitive& primitive : pen.drawing().primitives) {
      if (const auto* text = std::get_if<draw::Text>(&primitive)) add(*text);
    }
    for (const Mark& mark : p.plot->marks) add(mark);
  }

  float cost(const Rect& place) const {
    float sum = 0;
    for (const Rect& text : texts_) sum += text.overlaps(place) ? kOnText : 0;
    for (const Segment& line : lines_) sum += within(line, place) ? kOnLine : 0;
    for (const Segment& rule : rules_) sum += within(rule, place) ? kOnRule : 0;
    return sum;
  }

 private:
  void add(const draw::Text& t) {
    if (t.angle != 0 || !inside(p_.area, t.at, 0.5f)) return;
    const Point size = pen_.size(t.text, t.style);
    texts_.push_back({t.at.x - t.align_x * size.x, t.at.y - t.align_y * size.y, size.x, size.y});
  }
  void add(const Note& note) {
    const float align = note.align < 0 ? 0.0f : note.align == 0 ? 0.5f : 1.0f;
    add(draw::Text{
        {p_.frame.px_at(note.x), p_.frame.py_at(note.y)}, note.text, note.style, {}, align});
  }
  void add(const Mark& mark) {
    if (const auto* note = std::get_if<Note>(&mark)) add(*note);
    if (const auto* line = std::get_if<Line>(&mark)) add(*line);
    if (const auto* rule = std::get_if<Rule>(&mark)) add(*rule);
    if (const auto* arrows = std::get_if<Arrows>(&mark)) {
      for (const Arrows::Arrow& arrow : arrows->arrows) add(on_screen(arrow, p_.frame), lines_);
    }
  }
  void add(const Line& line) {
    for (const auto& piece : drawn_pieces(line, p_, pen_)) {
      for (std::size_t k = 1; k < piece.size(); ++k) add({piece[k - 1], piece[k]}, lines_);
    }
  }
  void add(const Rule& rule) {
    if (&rule == &own_) return;
    const Rect& a = p_.area;
    const float at = rule.vertical ? p_.frame.px_at(rule.at) : p_.frame.py_at(rule.at);
    add(rule.vertical ? Segment{{at, a.y}, {at, a.bottom()}} : Segment{{a.x, at}, {a.right(), at}},
        rules_);
  }
  void add(const Segment& s, std::vector<Segment>& to) const {
    if (!finite(s)) return;
    if (const auto part = within(s, p_.area)) to.push_back(*part);
  }

  const Rule& own_;
  const Placed& p_;
  const Pen& pen_;
  std::vector<Rect> texts_;
  std::vector<Segment> lines_, rules_;
};

// Over the rule or under it, close by or a little off, from its right end on to the left.
std::vector<LabelPlace> places_along(float at, const RuleLabel& label, const Rect& a,
                                     const Pen& pen) {
  std::vector<LabelPlace> places;
  const float w = label.size.x, h = label.size.y, least = pen.px(1);
  const float step = std::max(kStep * w, pen.px(kGap));
  for (float x = a.right() - pen.px(kGap) - w; x >= a.x || places.empty(); x -= step) {
    for (const float off : {least, pen.px(kGap)}) {
      const float above = at - off - h, below = at + off;
      const bool room_above = above >= a.y - least;
      if (room_above) places.push_back({{x, above, w, h}, 1});
      const bool only = !room_above && places.empty();
      if (only || below + h <= a.bottom()) places.push_back({{x, below, w, h}, 1});
    }
  }
  return places;
}

// At the right of the rule or at its left, from its upper end on downwards.
std::vector<LabelPlace> places_down(float at, const RuleLabel& label, bool right, const Rect& a,
                                    const Pen& pen) {
  std::vector<LabelPlace> places;
  const float gap = pen.px(kGap), w = label.size.x, h = label.size.y;
  const bool other = right ? at - gap - w >= a.x : at + gap + w <= a.right();
  for (float y = a.y; places.empty() || y + h <= a.bottom(); y += kStep * h) {
    const LabelPlace sides[] = {{{at - gap - w, y, w, h}, 1}, {{at + gap, y, w, h}, 0}};
    places.push_back(sides[right ? 1 : 0]);
    if (other) places.push_back(sides[right ? 0 : 1]);
  }
  return places;
}

// The first of the best.
LabelPlace best_of(const std::vector<LabelPlace>& places, const Around& around) {
  LabelPlace best = places.front();
  float least = around.cost(best.box);
  for (std::size_t k = 1; k < places.size() && least > 0; ++k) {
    const float cost = around.cost(places[k].box);
    if (cost < least) least = cost, best = places[k];
  }
  return best;
}

// Paper: in as many lines as the room makes of it.
RuleLabel label_of(const Rule& rule, float room, const Pen& pen) {
  RuleLabel label;
  if (pen.paper()) {
    label.lines = pen.wrap(rule.label, TextStyle::label, std::max(room, pen.px(kLeastColumn)));
  } else {
    label.lines = {rule.label};
  }
  for (const std::string& line : label.lines) {
    label.size.x = std::max(label.size.x, pen.size(line, TextStyle::label).x);
  }
  label.size.y = pen.line_height(TextStyle::label) * static_cast<float>(label.lines.size());
  return label;
}

void draw_label(const Rule& rule, float at, Rgba color, const Placed& p, const Pen& pen) {
  const Rect& a = p.area;
  const float gap = pen.px(kGap), width = pen.size(rule.label, TextStyle::label).x;
  const float right_room = a.right() - at - gap, left_room = at - gap - a.x;
  const bool right =
      width <= right_room || (pen.paper() ? right_room >= left_room : width > left_room);
  const float room = !rule.vertical ? a.w - gap : right ? right_room : left_room;
  const RuleLabel label = label_of(rule, room, pen);
  const auto places =
      rule.vertical ? places_down(at, label, right, a, pen) : places_along(at, label, a, pen);
  const LabelPlace place = best_of(places, Around(rule, p, pen));
  const Rect& box = place.box;
  pen.lines({box.x + place.align * box.w, box.y + pen.line_height(TextStyle::label) / 2},
            label.lines, TextStyle::label, color, place.align);
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
  draw_label(rule, at, color, p, pen);
}

}  // namespace figure::parts
