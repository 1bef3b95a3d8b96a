#include "app/paper/svg/svg_text.h"

#include <fmt/format.h>

#include <numbers>

#include "app/paper/places.h"

namespace paper {
namespace {

using figure::TextSpec;

// The program's own fonts first, then what most machines have that is as wide.
const char* usual_families(const TextSpec& spec) {
  if (spec.mono) return "JetBrains Mono, DejaVu Sans Mono, Noto Sans CJK SC, monospace";
  if (spec.serif) return "DejaVu Serif, Times New Roman, Noto Serif CJK SC, serif";
  return "Inter, Helvetica, Arial, Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif";
}

std::string svg_families(const TextSpec& spec, const std::string& chosen) {
  return chosen.empty() ? usual_families(spec) : xml_escape(chosen) + ", " + usual_families(spec);
}

}  // namespace

std::string svg_number(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_color(const char* name, figure::Rgba color) {
  std::string out = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", name, color.r, color.g, color.b);
  if (color.a != 255) out += fmt::format(" {}-opacity=\"{}\"", name, svg_number(color.a / 255.0));
  return out;
}

std::string svg_text(const figure::draw::Text& text, const PaperMeasure& measure, double scale,
                     figure::Point origin) {
  const TextSpec spec = figure::text_spec(text.style);
  const figure::Point size = measure.size(text.text, text.style);
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
  out += fmt::format(" font-family=\"{}\" font-size=\"{}\"",
                     svg_families(spec, measure.lettering().family),
                     svg_number(wide(measure.font_size(text.style)) * scale));
  if (text.align_x >= 0.25f) out += fmt::format(" text-anchor=\"{}\"", anchor);
  if (spec.bold) out += fmt::format(" font-weight=\"{}\"", spec.mono ? 700 : 600);
  if (spec.italic) out += " font-style=\"italic\"";
  out += svg_color("fill", text.color);
  return out + " xml:space=\"preserve\">" + xml_escape(text.text) + "</text>\n";
}

}  // namespace paper
