// What boxes, drawings and notes said that are held: in the corner of a box that stands where it
// stood, in the outline of one that is gone, under a note.
#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

// A box as it was drawn: its ground, the picture and the texts upon it.
struct Said {
  Rect rect;
  std::optional<Rect> picture = {};
  std::vector<draw::Text> texts;
  bool says(const std::string& text) const {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const draw::Text& one) { return one.text == text; });
  }
  // What it said that is not said now.
  std::string but(const Said& now) const {
    std::string all;
    for (const draw::Text& one : texts) {
      if (!now.says(one.text)) all += (all.empty() ? "" : " ") + one.text;
    }
    return all;
  }
  float width(const Pen& pen) const {
    float wide = 0;
    for (const draw::Text& one : texts) wide = std::max(wide, pen.size(one.text, one.style).x);
    return wide;
  }
};

std::vector<Said> said_in(const Primitive* begin, const Primitive* end) {
  std::vector<Said> all;
  for (const Primitive* one = begin; one != end; ++one) {
    if (const auto* fill = std::get_if<draw::Fill>(one)) all.push_back({fill->rect, {}, {}});
    const auto* cells = std::get_if<draw::Cells>(one);
    if (cells && !all.empty()) all.back().picture = cells->rect;
    const auto* text = std::get_if<draw::Text>(one);
    if (text && !all.empty() && !text->text.empty()) all.back().texts.push_back(*text);
  }
  return all;
}

// Hollow, as what is held is.
void tag(const std::string& text, const Rect& at, const Pen& pen, std::vector<Primitive>& over) {
  const float gap = pen.px(3);
  over.emplace_back(draw::Fill{at, pen.theme().card.with_alpha(0.9f), gap});
  over.emplace_back(draw::Outline{at, pen.theme().dim, pen.px(1), gap});
  over.emplace_back(draw::Text{
      {at.x + gap / 2, at.y + at.h / 2}, text, TextStyle::mono_small, pen.theme().text, 0});
}

Rect rect_of(const draw::Text& text, const Pen& pen) {
  const Point size = pen.size(text.text, text.style);
  return {text.at.x - text.align_x * size.x, text.at.y - text.align_y * size.y, size.x, size.y};
}

// In the corner; beside words that begin at the left, before what stands at the right of them.
// Where it has no room, the outline and a tip say it.
void tag_box(const Said& now, const std::string& text, const Pen& pen,
             std::vector<Primitive>& over) {
  if (text.empty()) return;
  const float line = pen.line_height(TextStyle::mono_small), gap = pen.px(3);
  const Rect& r = now.rect;
  const float wide = pen.size(text, TextStyle::mono_small).x;
  if (!now.texts.empty() && now.texts.back().align_x == 0) {
    const Rect last = rect_of(now.texts.back(), pen);
    const Rect at{last.right() + 2 * gap, last.y + (last.h - line) / 2, wide + gap, line};
    const bool room = at.right() <= (now.picture ? now.picture->x : r.right()) - gap;
    if (room) tag(text, at, pen, over);
    return;
  }
  const float beside = r.w / 2 - now.width(pen) / 2;
  if (now.picture || r.h < 1.2f * line || beside < wide + 3 * gap) return;
  tag(text, {r.right() - wide - 2 * gap, r.bottom() - line, wide + gap, line - pen.px(1)}, pen,
      over);
}

}  // namespace

void add_held_words(const std::vector<Primitive>& held, const Section& drawn, bool gone,
                    const Pen& pen, std::vector<Primitive>& over) {
  const Primitive* live = pen.drawing().primitives.data();
  const std::vector<Said> now = said_in(live + drawn.begin, live + drawn.end);
  const std::vector<Said> then = said_in(held.data(), held.data() + held.size());
  for (const Said& old : then) {
    const auto same =
        std::find_if(now.begin(), now.end(), [&](const Said& one) { return one.rect == old.rect; });
    if (same != now.end()) {
      tag_box(*same, old.but(*same), pen, over);
      continue;
    }
    const bool taken = std::any_of(now.begin(), now.end(),
                                   [&](const Said& one) { return one.rect.overlaps(old.rect); });
    for (std::size_t k = 0; gone && !taken && k < old.texts.size(); ++k) {
      draw::Text text = old.texts[k];
      text.color = pen.theme().dim;
      over.emplace_back(std::move(text));
    }
  }
}

void add_held_note(const Note& live, const Note& held, const Section& drawn, const Placed& p,
                   const Pen& pen, std::vector<Primitive>& over) {
  // One that has moved along x, as a number of an axis does, says another thing.
  if (live.x != held.x || live.text == held.text) return;
  if (live.text.empty() || held.text.empty()) return;
  const auto& all = pen.drawing().primitives;
  const draw::Text* last = nullptr;
  for (std::size_t k = drawn.begin; k < drawn.end; ++k) {
    if (const auto* text = std::get_if<draw::Text>(&all[k])) last = text;
  }
  if (!last) return;
  const float gap = pen.px(3);
  const Rect note = rect_of(*last, pen);
  const Point size = pen.size(held.text, TextStyle::mono_small);
  const float wide = size.x + gap;
  const Rect at{note.x + last->align_x * (note.w - wide), note.bottom(), wide, size.y};
  const bool inside = at.x >= p.area.x && at.right() <= p.area.right() && at.y >= p.area.y &&
                      at.bottom() <= p.area.bottom();
  const bool taken = std::any_of(all.begin(), all.end(), [&](const Primitive& one) {
    const auto* text = std::get_if<draw::Text>(&one);
    return text && !text->text.empty() && rect_of(*text, pen).overlaps(at);
  });
  if (inside && !taken) tag(held.text, at, pen, over);
}

}  // namespace figure::parts
