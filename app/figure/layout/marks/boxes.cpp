// Labelled boxes: the bits of a number, tokens in a row, the nodes of a tree.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kBoxGap = 1, kRadius = 3, kBoxInset = 3;

// The box in pixels with a gap to its neighbours; empty when it is not finite.
Rect rect_of(const Boxes::Box& box, const PlotFrame& frame, float gap) {
  const float x0 = frame.px_at(box.x0), x1 = frame.px_at(box.x1);
  const float y0 = frame.py_at(box.y0), y1 = frame.py_at(box.y1);
  if (!std::isfinite(x0) || !std::isfinite(x1) || !std::isfinite(y0) || !std::isfinite(y1)) {
    return {};
  }
  const float w = std::abs(x1 - x0), h = std::abs(y1 - y0);
  const float inset = std::min({gap, w / 4, h / 4});
  return {std::min(x0, x1) + inset, std::min(y0, y1) + inset, w - 2 * inset, h - 2 * inset};
}

Rect clipped(const Rect& r, const Rect& to) {
  const float x = std::max(r.x, to.x), y = std::max(r.y, to.y);
  return {x, y, std::max(0.0f, std::min(r.right(), to.right()) - x),
          std::max(0.0f, std::min(r.bottom(), to.bottom()) - y)};
}

Rgba over(Rgba top, Rgba below) {
  const auto mixed = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>((a * top.a + b * (255 - top.a) + 127) / 255);
  };
  return {mixed(top.r, below.r), mixed(top.g, below.g), mixed(top.b, below.b), 255};
}

// Text on a coloured ground is dark or light, whichever can be read.
Rgba ink_on(Rgba ground, const Theme& theme) {
  const Rgba seen = over(ground, theme.card);
  return contrast(theme.text, seen) >= contrast(theme.card, seen) ? theme.text : theme.card;
}

// On a line of its own or, on paper, in lines over one another where a line has no room; false
// where these have none.
bool draw_whole(const std::string& text, TextStyle style, float width, const Rect& room, Rgba ink,
                const Pen& pen) {
  const Point middle{room.x + room.w / 2, room.y + room.h / 2};
  if (pen.size(text, style).x <= width) {
    pen.text(middle, text, style, ink, 0.5f);
    return true;
  }
  if (!pen.paper() || pen.widest_word(text, style) > width) return false;
  const auto lines = pen.wrap(text, style, width);
  const float line = pen.line_height(style), height = line * static_cast<float>(lines.size());
  if (height > room.h) return false;
  pen.lines({middle.x, middle.y - (height - line) / 2}, lines, style, ink, 0.5f);
  return true;
}

// Whether it may be broken between any two letters: numbers may not.
bool is_word(const std::string& text) {
  return std::ranges::any_of(
      text, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || (c & 0x80) != 0; });
}

// A word in small letters over one another, about as many in each line; false where these have no
// room.
bool draw_broken(const std::string& text, float width, const Rect& room, Rgba ink, const Pen& pen) {
  if (!is_word(text)) return false;
  const float line = kTight * pen.line_height(TextStyle::small);
  auto lines = pen.wrap(text, TextStyle::small, width);
  const std::size_t count = lines.size();
  const float height = line * static_cast<float>(count);
  const bool fits = std::ranges::all_of(
      lines, [&](const std::string& part) { return pen.size(part, TextStyle::small).x <= width; });
  if (height > room.h || !fits) return false;
  const float equal = pen.size(text, TextStyle::small).x / static_cast<float>(count);
  for (float narrow = equal; narrow < width; narrow += pen.px(1)) {
    auto tried = pen.wrap(text, TextStyle::small, narrow);
    if (tried.size() != count) continue;
    lines = std::move(tried);
    break;
  }
  float y = room.y + (room.h - height + line) / 2;
  for (const std::string& part : lines) {
    pen.text({room.x + room.w / 2, y}, part, TextStyle::small, ink, 0.5f);
    y += line;
  }
  return true;
}

// A text that has no room keeps less of its box free, then on paper it is in narrower letters, then
// in lines, and then it is cut.
void draw_text(const Boxes& boxes, const std::string& text, const Rect& room, Rgba ink,
               const Pen& pen) {
  if (text.empty()) return;
  if (room.h < 0.8f * pen.line_height(boxes.style)) return pen.left_out(text);
  const float width = room.w - 2 * pen.px(kBoxInset), all = room.w - pen.px(1);
  if (draw_whole(text, boxes.style, width, room, ink, pen)) return;
  if (draw_whole(text, boxes.style, all, room, ink, pen)) return;
  if (pen.paper() && draw_whole(text, TextStyle::small, all, room, ink, pen)) return;
  if (pen.paper() && draw_broken(text, all, room, ink, pen)) return;
  pen.left_out(text);
  const std::string cut = pen.fit(text, boxes.style, all);
  if (cut.empty()) return;
  pen.text({room.x + room.w / 2, room.y + room.h / 2}, cut, boxes.style, ink, 0.5f);
}

}  // namespace

void draw_boxes(const Boxes& boxes, const Placed& p, const Pen& pen) {
  for (const Boxes::Box& box : boxes.boxes) {
    const Rect whole = rect_of(box, p.frame, pen.px(kBoxGap));
    const Rect seen = clipped(whole, p.area);
    if (seen.w <= 0 || seen.h <= 0) continue;
    const Rgba fill = resolve(box.fill, pen.theme());
    const float radius = std::min({pen.px(kRadius), seen.w / 4, seen.h / 4});
    pen.fill(seen, fill, radius);
    const Rgba edge = box.marked ? pen.theme().accent : pen.theme().line;
    pen.outline(seen, edge, pen.px(box.marked ? 2 : 1), radius);
    draw_text(boxes, box.text, seen, ink_on(fill, pen.theme()), pen);
    const std::string& tip = box.tooltip.empty() ? box.text : box.tooltip;
    if (!box.pick.empty() || !tip.empty()) {
      pen.drawing().hits.push_back({seen, p.index, box.pick, tip});
    }
  }
}

}  // namespace figure::parts
