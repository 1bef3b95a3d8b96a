#include "app/figure/layout/inline_formula.h"

#include <vector>

#include "app/figure/formula.h"

namespace figure::parts {
namespace {

struct TextPiece {
  std::string text;
  bool formula = false;
};

// The parts between formula signs, of which there are two for each formula.
std::vector<TextPiece> parts_of(const std::string& text) {
  std::vector<TextPiece> parts;
  for (std::size_t at = 0; at != text.npos;) {
    const std::size_t sign = text.find(kFormulaSign, at);
    parts.push_back({text.substr(at, sign - at), parts.size() % 2 == 1});
    at = sign == text.npos ? sign : sign + kFormulaSign.size();
  }
  return parts;
}

float width_of(const TextPiece& piece, TextStyle style, const Pen& pen) {
  if (piece.text.empty()) return 0;
  if (piece.formula) return formula_size(piece.text, pen.options()).x;
  return pen.options().measure->size(piece.text, style).x;
}

}  // namespace

bool has_formula(const std::string& text, const Pen& pen) {
  if (pen.look().math <= 0) return false;
  const std::size_t parts = text.find(kFormulaSign) == text.npos ? 1 : parts_of(text).size();
  return parts > 1 && parts % 2 == 1;
}

Point formula_text_size(const std::string& text, TextStyle style, const Pen& pen) {
  float width = 0;
  for (const TextPiece& piece : parts_of(text)) width += width_of(piece, style, pen);
  return {width, pen.line_height(style)};
}

void draw_formula_text(const draw::Text& text, const Pen& pen) {
  const Point size = formula_text_size(text.text, text.style, pen);
  const float top = text.at.y - text.align_y * size.y;
  const float baseline = top + pen.look().text_baseline * size.y;
  const Rgba usual = pen.theme().text;
  float x = text.at.x - text.align_x * size.x;
  for (const TextPiece& piece : parts_of(text.text)) {
    if (piece.formula && !piece.text.empty()) {
      for (Primitive& one : formula_on(piece.text, {x, baseline}, pen.options()).primitives) {
        // What has no colour of its own has the text's.
        auto* letters = std::get_if<draw::Text>(&one);
        auto* line = std::get_if<draw::Path>(&one);
        if (letters && letters->color == usual) letters->color = text.color;
        if (line && line->color == usual) line->color = text.color;
        pen.drawing().primitives.push_back(std::move(one));
      }
    } else if (!piece.text.empty()) {
      pen.add(draw::Text{{x, top}, piece.text, text.style, text.color, 0, 0, 0});
    }
    x += width_of(piece, text.style, pen);
  }
}

}  // namespace figure::parts
