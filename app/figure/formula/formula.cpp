#include "app/figure/formula.h"

#include <algorithm>
#include <string_view>

#include "app/figure/formula/parse.h"
#include "app/figure/paper_look.h"

namespace figure {
namespace {

using tex::Kind;
using tex::Node;

// Shares of the type size, as in TeX's own fonts; the baseline is DejaVu Serif's share of a line.
constexpr float kBaseline = 0.797f;
constexpr float kSmall = 12.0f / 17;   // of scripts
constexpr float kAxis = 0.26f;         // fraction bars and minus signs lie this high
constexpr float kBinaryRoom = 0.22f;   // on each side of a sign
constexpr float kSuperscript = 0.40f;  // how far scripts are shifted
constexpr float kSubscript = 0.20f;
constexpr float kBarGap = 0.16f;  // between a fraction bar and what stands above and below
constexpr float kRule = 0.06f;    // thickness of bars
constexpr float kTop = 0.76f, kFoot = 0.22f;  // what letters really take of a line

// A piece of a formula: primitives about the left end of its baseline, y down.
struct Box {
  float w = 0, up = 0, down = 0;
  std::vector<Primitive> ink;
};

Point moved(Point p, Point by) { return {p.x + by.x, p.y + by.y}; }

// Formulas are made of texts and paths only.
void append(Box& to, const Box& from, Point by) {
  for (const Primitive& primitive : from.ink) {
    if (const auto* text = std::get_if<draw::Text>(&primitive)) {
      draw::Text copy = *text;
      copy.at = moved(copy.at, by);
      to.ink.emplace_back(std::in_place_type<draw::Text>, std::move(copy));
    } else if (const auto* path = std::get_if<draw::Path>(&primitive)) {
      draw::Path copy = *path;
      for (Point& point : copy.points) point = moved(point, by);
      to.ink.emplace_back(std::in_place_type<draw::Path>, std::move(copy));
    }
  }
  to.up = std::max(to.up, from.up - by.y);
  to.down = std::max(to.down, from.down + by.y);
}

struct State {
  bool small = false;
  Rgba color;
};

class Setter {
 public:
  explicit Setter(const LayoutOptions& options) : options_(options) {}

  Box set(const Node& node, const State& s) const {
    switch (node.kind) {
      case Kind::letter: return glyphs(node.text, TextStyle::math_italic, s);
      case Kind::upright: return glyphs(node.text, TextStyle::math, s);
      case Kind::binary: return glyphs(node.text, TextStyle::math, s);
      case Kind::space: return Box{node.width * em(s), 0, 0, {}};
      case Kind::row: return row(node, s);
      case Kind::scripts: return scripts(node, s);
      case Kind::fraction: return fraction(node, s);
      case Kind::root: return root(node, s);
      case Kind::overline: return overline(node, s);
      case Kind::accent: return accent(node, s);
      case Kind::fenced: return fenced(node, s);
      case Kind::colored: return set(node.parts[0], {s.small, (*options_.theme)(node.role)});
    }
    return {};
  }

 private:
  float em(const State& s) const {
    const float asked = options_.look ? options_.look->math : 0;
    if (asked > 0) return s.small ? kSmall * asked : asked;
    return text_spec(s.small ? TextStyle::math_small : TextStyle::math).size * options_.scale;
  }

  Box glyphs(const std::string& text, TextStyle style, const State& s) const {
    if (s.small) {
      const bool italic = style == TextStyle::math_italic;
      style = italic ? TextStyle::math_small_italic : TextStyle::math_small;
    }
    const Point size = options_.measure->size(text, style);
    Box box{size.x, kTop * em(s), kFoot * em(s), {}};
    box.ink.emplace_back(std::in_place_type<draw::Text>,
                         draw::Text{{0, -baseline() * size.y}, text, style, s.color, 0, 0, 0});
    return box;
  }

  float baseline() const {
    const bool asked = options_.look && options_.look->math > 0;
    return asked ? options_.look->math_baseline : kBaseline;
  }

  void rule(Box& box, std::vector<Point> points, const State& s) const {
    box.ink.emplace_back(
        std::in_place_type<draw::Path>,
        draw::Path{std::move(points), s.color, kRule * em(s), false, false, false});
  }

  // A sign has room around it between two things, but not as a sign of one thing, nor in scripts.
  Box row(const Node& node, const State& s) const {
    Box box;
    box.up = 0;
    bool after_thing = false;
    for (std::size_t k = 0; k < node.parts.size(); ++k) {
      const Node& part = node.parts[k];
      const bool between =
          part.kind == Kind::binary && after_thing && k + 1 < node.parts.size() && !s.small;
      const Box set_part = set(part, s);
      if (between) box.w += kBinaryRoom * em(s);
      append(box, set_part, {box.w, 0});
      box.w += set_part.w;
      if (between) box.w += kBinaryRoom * em(s);
      if (part.kind == Kind::upright && room_after(part.text, node, k) && !s.small) {
        box.w += 0.17f * em(s);
      }
      after_thing = part.kind != Kind::binary && !opens(part);
    }
    return box;
  }

  static bool opens(const Node& part) {
    return part.kind == Kind::upright &&
           (part.text == "(" || part.text == "[" || part.text == "," || part.text == "|");
  }

  // After a comma, and between an operator's name and what it is applied to without brackets.
  static bool room_after(const std::string& text, const Node& node, std::size_t k) {
    if (text == "," || text == ";" || text == "Σ" || text == "∏") return true;
    const bool name = text.size() > 1 && text[0] > 0 && std::isalpha(static_cast<int>(text[0]));
    if (!name || k + 1 >= node.parts.size()) return false;
    const Node& next = node.parts[k + 1];
    return next.text == "Σ" || next.kind == Kind::letter || next.kind == Kind::colored ||
           next.kind == Kind::scripts || next.kind == Kind::fraction || next.kind == Kind::root;
  }

  Box scripts(const Node& node, const State& s) const {
    Box box = set(node.parts[0], s);
    const State small{true, s.color};
    const float base_up = box.up, base_down = box.down, x = box.w + 0.03f * em(s);
    float wide = 0;
    for (const int which : {1, 2}) {
      const Node& script = node.parts[static_cast<std::size_t>(which)];
      if (script.parts.empty()) continue;
      const Box part = set(script, small);
      // Tall bases carry their scripts at their own corners.
      const float up = std::max(kSuperscript * em(s), base_up - 0.5f * part.up);
      const float down = std::max(kSubscript * em(s), base_down - 0.4f * part.up);
      append(box, part, {x, which == 1 ? -up : down});
      wide = std::max(wide, part.w);
    }
    box.w = x + wide + 0.04f * em(s);
    return box;
  }

  Box fraction(const Node& node, const State& s) const {
    const Box over = set(node.parts[0], s), under = set(node.parts[1], s);
    const float axis = -kAxis * em(s), pad = 0.1f * em(s), gap = kBarGap * em(s);
    Box box;
    box.w = std::max(over.w, under.w) + 4 * pad;
    append(box, over, {(box.w - over.w) / 2, axis - gap - over.down});
    append(box, under, {(box.w - under.w) / 2, axis + gap + under.up});
    rule(box, {{pad, axis}, {box.w - pad, axis}}, s);
    return box;
  }

  Box root(const Node& node, const State& s) const {
    const Box inside = set(node.parts[0], s);
    const float sign = 0.55f * em(s), top = -inside.up - 0.14f * em(s), foot = inside.down;
    Box box;
    append(box, inside, {sign + 0.08f * em(s), 0});
    box.w = sign + inside.w + 0.2f * em(s);
    box.up = std::max(box.up, -top + kRule * em(s));
    const float middle = foot - 0.45f * (foot - top);
    rule(box,
         {{0.05f * em(s), middle + 0.06f * em(s)},
          {0.16f * em(s), middle},
          {0.32f * em(s), foot},
          {sign, top},
          {box.w - 0.06f * em(s), top}},
         s);
    return box;
  }

  Box overline(const Node& node, const State& s) const {
    Box box = set(node.parts[0], s);
    const float y = -box.up - 0.02f * em(s);
    rule(box, {{0.08f * em(s), y}, {box.w, y}}, s);
    box.up += 0.1f * em(s);
    return box;
  }

  // One letter without an ascender.
  static bool is_low(const Node& group) {
    constexpr std::string_view kLow = "acegmnopqrsuvwxyz";
    return group.parts.size() == 1 && group.parts[0].kind == Kind::letter &&
           kLow.find(group.parts[0].text) != kLow.npos;
  }

  Box accent(const Node& node, const State& s) const {
    Box box = set(node.parts[0], s);
    const bool hat = node.text == "hat";
    const float middle = box.w / 2 + 0.06f * em(s);
    const float y = -box.up + (is_low(node.parts[0]) ? 0.2f : 0.02f) * em(s);
    const auto at = [&](float x, float up) { return Point{middle + x * em(s), y - up * em(s)}; };
    rule(box,
         hat ? std::vector{at(-0.16f, 0), at(0, 0.12f), at(0.16f, 0)}
             : std::vector{at(-0.18f, 0), at(-0.09f, 0.07f), at(0.09f, 0), at(0.18f, 0.07f)},
         s);
    box.up += 0.14f * em(s);
    return box;
  }

  // Brackets as strokes as tall as what is inside; plain signs while that is one line high.
  Box fenced(const Node& node, const State& s) const {
    const Box inside = set(node.parts[0], s);
    const bool tall = inside.up + inside.down > 1.25f * em(s);
    Box box;
    for (const bool left : {true, false}) {
      const std::string& sign = left ? node.text : node.right;
      if (!sign.empty()) {
        const Box part = tall ? tall_fence(sign, inside, s) : glyphs(sign, TextStyle::math, s);
        append(box, part, {box.w, 0});
        box.w += part.w;
      }
      if (left) {
        append(box, inside, {box.w, 0});
        box.w += inside.w;
      }
    }
    return box;
  }

  Box tall_fence(const std::string& sign, const Box& inside, const State& s) const {
    const float w = 0.3f * em(s), top = -inside.up, foot = inside.down;
    const bool opening = sign == "(" || sign == "[" || sign == "⌊" || sign == "⌈";
    const float stem = opening ? 0.1f * em(s) : w - 0.1f * em(s);
    const float open = opening ? w - 0.03f * em(s) : 0.03f * em(s);
    Box box{w + 0.08f * em(s), inside.up, inside.down, {}};
    if (sign == "(" || sign == ")") {
      std::vector<Point> arc;
      for (int k = 0; k <= 12; ++k) {
        const float t = static_cast<float>(k) / 6 - 1;  // -1 to 1: a parabola is round enough
        arc.push_back({stem + (open - stem) * t * t, (top + foot) / 2 + (foot - top) / 2 * t});
      }
      rule(box, std::move(arc), s);
    } else if (sign == "|" || sign == "‖") {
      rule(box, {{w / 2, top}, {w / 2, foot}}, s);
      if (sign == "‖") rule(box, {{w / 2 + 0.14f * em(s), top}, {w / 2 + 0.14f * em(s), foot}}, s);
    } else if (sign == "[" || sign == "]" || sign == "⌊" || sign == "⌋" || sign == "⌈" ||
               sign == "⌉") {
      std::vector<Point> stroke = {{stem, top}, {stem, foot}};
      if (sign != "⌊" && sign != "⌋") stroke.insert(stroke.begin(), {open, top});
      if (sign != "⌈" && sign != "⌉") stroke.push_back({open, foot});
      rule(box, std::move(stroke), s);
    } else {
      return glyphs(sign, TextStyle::math, s);
    }
    return box;
  }

  const LayoutOptions& options_;
};

Box set_formula(const std::string& source, const LayoutOptions& options) {
  return Setter(options).set(tex::parse(source), {false, options.theme->text});
}

}  // namespace

Drawing formula(const std::string& source, Point at, const LayoutOptions& options) {
  const Box box = set_formula(source, options);
  Box placed;
  append(placed, box, {at.x, at.y + box.up});
  return {.primitives = std::move(placed.ink),
          .frames = {},
          .hits = {},
          .grips = {},
          .bounds = {at.x, at.y, box.w, box.up + box.down}};
}

Drawing formula_on(const std::string& source, Point at, const LayoutOptions& options) {
  const Box box = set_formula(source, options);
  Box placed;
  append(placed, box, at);
  return {.primitives = std::move(placed.ink),
          .frames = {},
          .hits = {},
          .grips = {},
          .bounds = {at.x, at.y - box.up, box.w, box.up + box.down}};
}

void check_formula(const std::string& source) { tex::parse(source); }

Point formula_size(const std::string& source, const LayoutOptions& options) {
  const Box box = set_formula(source, options);
  return {box.w, box.up + box.down};
}

}  // namespace figure
