#include "app/figure/layout/pen.h"

#include <algorithm>

#include "app/figure/layout/inline_formula.h"
#include "app/figure/layout/minus.h"

namespace figure::parts {
namespace {

constexpr std::size_t kNameLetters = 12;

std::string visible(const std::string& token) {
  std::string text;
  for (const char c : token) {
    if (c == '\n') {
      text += "⏎";
    } else if (c == '\t') {
      text += "⇥";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += "·";
    } else {
      text += c;
    }
  }
  return text == " " ? "␣" : text;
}

}  // namespace

std::vector<std::size_t> letters(const std::string& text) {
  std::vector<std::size_t> starts;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) starts.push_back(k);
  }
  return starts;
}

std::string short_name(const std::string& token) {
  std::string text = visible(token);
  const std::vector<std::size_t> starts = letters(text);
  if (starts.size() <= kNameLetters) return text;
  return text.substr(0, starts[kNameLetters - 1]) + "…";
}

Point Pen::size(const std::string& text, TextStyle style) const {
  if (has_formula(text, *this)) return formula_text_size(text, style, *this);
  if (!changes(style)) return options_.measure->size(text, style);  // the window's way: no copy
  return options_.measure->size(with_minus(text), style);
}

std::string Pen::set(const std::string& text, TextStyle style) const {
  return changes(style) ? with_minus(text) : text;
}

float Pen::line_height(TextStyle style) const { return size("Ag", style).y; }

float Pen::row_height(float usual, TextStyle style) const {
  if (!paper()) return px(usual);
  // What the row leaves around letters of the usual size, which are 1.21 times as high.
  const float around = px(usual - 1.25f * text_spec(style).size);
  return std::max(px(usual), line_height(style) + around);
}

const PaperLook& Pen::look() const {
  static const PaperLook kNone;
  return options_.look && options_.paper ? *options_.look : kNone;
}

std::string Pen::fit(const std::string& text, TextStyle style, float width) const {
  if (text.empty() || size(text, style).x <= width) return text;
  const std::vector<std::size_t> starts = letters(text);
  std::size_t fits = 0, too_many = starts.size();  // letters that fit with the ellipsis
  while (too_many - fits > 1) {
    const std::size_t middle = (fits + too_many) / 2;
    const bool good = size(text.substr(0, starts[middle]) + "…", style).x <= width;
    (good ? fits : too_many) = middle;
  }
  return fits == 0 ? std::string() : text.substr(0, starts[fits]) + "…";
}

void Pen::fill(const Rect& rect, Rgba color, float radius) const {
  if (rect.w > 0 && rect.h > 0) add(draw::Fill{rect, color, radius});
}

void Pen::outline(const Rect& rect, Rgba color, float width, float radius) const {
  if (rect.w > 0 && rect.h > 0) add(draw::Outline{rect, color, width, radius});
}

void Pen::line(Point a, Point b, Rgba color, float width, bool dashed) const {
  add(draw::Path{{a, b}, color, width, dashed, false, false});
}

void Pen::lines(Point at, const std::vector<std::string>& lines, TextStyle style, Rgba color,
                float align_x) const {
  for (const std::string& line : lines) {
    text(at, line, style, color, align_x);
    at.y += line_height(style);
  }
}

void Pen::left_out(const std::string& text) const {
  if (paper() && !text.empty()) drawing_.left_out.push_back(text);
}

void Pen::text(Point at, const std::string& text, TextStyle style, Rgba color, float align_x,
               float align_y, float angle) const {
  if (text.empty()) return;
  draw::Text made{at, set(text, style), style, color, align_x, align_y, angle};
  if (angle == 0 && has_formula(text, *this)) return draw_formula_text(made, *this);
  add(std::move(made));
}

}  // namespace figure::parts
