#include "app/paper/svg_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>

namespace paper {
namespace {

using figure::Rect;
using figure::TextSpec;

// The program's own fonts first, then what most machines have that is as wide.
const char* families(const TextSpec& spec) {
  if (spec.mono) return "JetBrains Mono, DejaVu Sans Mono, Noto Sans CJK SC, monospace";
  if (spec.serif) return "DejaVu Serif, Times New Roman, Noto Serif CJK SC, serif";
  return "Inter, Helvetica, Arial, Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif";
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string text_element(const figure::draw::Text& text, const PaperMeasure& measure, double scale,
                         figure::Point origin) {
  const TextSpec spec = figure::text_spec(text.style);
  const figure::Point size = measure.size(text.text, text.style);
  const auto wide = [](float v) { return static_cast<double>(v); };
  const double down = wide(measure.ascent(text.style)) - wide(text.align_y) * wide(size.y);
  const double x = (wide(text.at.x) - wide(origin.x)) * scale;
  const double y = (wide(text.at.y) - wide(origin.y)) * scale;
  const char* anchor = text.align_x < 0.25f ? "start" : text.align_x > 0.75f ? "end" : "middle";
  std::string out = "<text ";
  if (text.angle == 0) {
    out += fmt::format("x=\"{}\" y=\"{}\"", svg_number(x), svg_number(y + down * scale));
  } else {
    const double degrees = wide(text.angle) * 180 / std::numbers::pi;
    out += fmt::format("transform=\"translate({} {}) rotate({})\" y=\"{}\"", svg_number(x),
                       svg_number(y), svg_number(degrees), svg_number(down * scale));
  }
  out += fmt::format(" font-family=\"{}\" font-size=\"{}\"", families(spec),
                     svg_number(wide(measure.font_size(text.style)) * scale));
  if (text.align_x >= 0.25f) out += fmt::format(" text-anchor=\"{}\"", anchor);
  if (spec.bold) out += fmt::format(" font-weight=\"{}\"", spec.mono ? 700 : 600);
  if (spec.italic) out += " font-style=\"italic\"";
  const figure::Rgba c = text.color;
  out += fmt::format(" fill=\"#{:02x}{:02x}{:02x}\"", c.r, c.g, c.b);
  if (c.a != 255) out += fmt::format(" fill-opacity=\"{:.3f}\"", c.a / 255.0);
  return out + " xml:space=\"preserve\">" + xml_escape(text.text) + "</text>\n";
}

}  // namespace

std::string svg_texts(const figure::Drawing& drawing, const PaperMeasure& measure, double scale,
                      figure::Point origin) {
  std::string out;
  std::optional<Rect> clip;
  for (const figure::Primitive& primitive : drawing.primitives) {
    if (const auto* begin = std::get_if<figure::draw::Clip>(&primitive)) clip = begin->rect;
    if (std::holds_alternative<figure::draw::Unclip>(primitive)) clip.reset();
    const auto* text = std::get_if<figure::draw::Text>(&primitive);
    if (!text || text->text.empty() || !std::isfinite(text->at.x + text->at.y)) continue;
    if (clip && !clip->contains(text->at)) continue;
    out += text_element(*text, measure, scale, origin);
  }
  return out;
}

figure::Drawing without_texts(const figure::Drawing& drawing) {
  figure::Drawing out = drawing;
  std::erase_if(out.primitives, [](const figure::Primitive& primitive) {
    return std::holds_alternative<figure::draw::Text>(primitive);
  });
  return out;
}

}  // namespace paper
