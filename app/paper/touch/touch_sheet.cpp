#include "app/paper/touch/touch_sheet.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "app/paper/cell_grid.h"
#include "app/paper/places.h"
#include "app/paper/svg/svg_painter.h"
#include "app/paper/svg/svg_text.h"

namespace paper {
namespace {

using figure::Drawing;
using figure::Primitive;
using figure::Rgba;
namespace draw = figure::draw;

constexpr unsigned kImages = 0xff0000;  // codes from here on are images, not colors

Rgba coded(unsigned code) {
  return {static_cast<std::uint8_t>(code >> 16), static_cast<std::uint8_t>(code >> 8 & 255),
          static_cast<std::uint8_t>(code & 255), 255};
}

std::string hex(Rgba c) { return fmt::format("#{:02x}{:02x}{:02x}{:02x}", c.r, c.g, c.b, c.a); }

// The primitive with a code for its color.
struct Coded {
  TouchPalette& palette;
  const Primitive& dark;

  template <class P>
  Primitive operator()(P primitive) const {
    if constexpr (requires { primitive.color; }) {
      const P* other = std::get_if<P>(&dark);
      primitive.color = palette.code(primitive.color, other ? other->color : primitive.color);
    }
    return primitive;
  }
};

// Families by their place here are classes.
constexpr std::array<figure::TextStyle, 3> kFontStyles = {
    figure::TextStyle::label, figure::TextStyle::mono, figure::TextStyle::math};

std::string family_of(figure::TextStyle style, const PaperMeasure& measure) {
  constexpr std::string_view kName = "font-family=\"";
  draw::Text text;
  text.text = "x";
  text.style = style;
  const std::string svg = svg_text(text, measure, 1, {});
  const std::size_t from = svg.find(kName) + kName.size();
  return svg.substr(from, svg.find('"', from) - from);
}

// A length in hundredths of a unit, as SVG has it: "-.5".
std::string hundredths(long value) {
  std::string text = value < 0 ? "-" : "";
  const long whole = std::abs(value) / 100, rest = std::abs(value) % 100;
  if (whole > 0 || rest == 0) text += std::to_string(whole);
  if (rest > 0) text += fmt::format(".{:02d}", rest);
  while (rest > 0 && text.back() == '0') text.pop_back();
  return text;
}

// The data of a path of straight pieces, each place as what it is away from the one before: a
// hundredth of a unit is beyond what is seen, and what repeats from piece to piece packs well.
// Empty for other paths.
std::string relative_path(std::string_view data) {
  if (data.find_first_not_of("MLZ0123456789.- ") != data.npos) return {};
  std::string out;
  long x = 0, y = 0;
  bool begins = false, line = false;  // of what comes next
  for (const char *at = data.data(), *end = at + data.size(); at < end;) {
    if (*at == 'M') begins = true, line = false;
    if (*at == 'Z') out += 'z';
    if (*at == 'M' || *at == 'L' || *at == 'Z' || *at == ' ') {
      ++at;
      continue;
    }
    double px = 0, py = 0;
    const auto first = std::from_chars(at, end, px);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ' ') return {};
    const auto second = std::from_chars(first.ptr + 1, end, py);
    if (second.ec != std::errc{}) return {};
    at = second.ptr;
    const long to_x = std::lround(100 * px), to_y = std::lround(100 * py);
    const std::string a = hundredths(begins ? to_x : to_x - x);
    const std::string b = hundredths(begins ? to_y : to_y - y);
    out += begins ? "M" : !line ? "l" : a[0] == '-' ? "" : " ";
    out += a + (b[0] == '-' ? "" : " ") + b;
    line = !begins;
    begins = false;
    x = to_x, y = to_y;
  }
  return out;
}

void shorten_path(std::string& tag) {
  constexpr std::string_view kBegin = "<path d=\"";
  if (!tag.starts_with(kBegin)) return;
  const std::size_t end = tag.find('"', kBegin.size());
  const std::string made =
      relative_path(std::string_view(tag).substr(kBegin.size(), end - kBegin.size()));
  if (!made.empty()) tag.replace(kBegin.size(), end - kBegin.size(), made);
}

class Painting {
 public:
  Painting(const PaperMeasure& measure, TouchPalette& palette, figure::Point origin)
      : palette_(palette), origin_(origin), painter_(measure, 1, origin) {
    for (std::size_t k = 0; k < kFontStyles.size(); ++k) {
      families_[k] = fmt::format("font-family=\"{}\"", family_of(kFontStyles[k], measure));
    }
  }

  void paint(const Drawing& light, const Drawing& dark, int index) {
    Drawing piece;
    int open = 0;
    for (std::size_t k = 0; k < light.primitives.size(); ++k) {
      const Primitive& one = light.primitives[k];
      const Primitive& other = k < dark.primitives.size() ? dark.primitives[k] : one;
      if (std::holds_alternative<draw::Clip>(one)) ++open;
      if (std::holds_alternative<draw::Unclip>(one)) --open;
      add(piece, one, other, index);
      if (open > 0) continue;
      finish(piece);
    }
    finish(piece);
  }

  void raw(std::string piece) { ink_.pieces.push_back(std::move(piece)); }
  TouchInk take() { return std::move(ink_); }

 private:
  void add(Drawing& piece, const Primitive& one, const Primitive& other, int index) {
    if (const auto* cells = std::get_if<draw::Cells>(&one)) {
      const auto* dark = std::get_if<draw::Cells>(&other);
      if (!cells->source || !cells->colors || !(cells->rect.w > 0 && cells->rect.h > 0)) return;
      const CellGrid grid(*cells);
      if (grid.empty()) return;
      const auto& colors = dark && dark->colors ? dark->colors : cells->colors;
      return image(piece, cells->rect,
                   {cells, cells->colors.get(), colors.get(), grid.region(), index});
    }
    if (const auto* bar = std::get_if<draw::ColorBar>(&one)) {
      const auto* dark = std::get_if<draw::ColorBar>(&other);
      if (!bar->colors || !(bar->rect.w > 0 && bar->rect.h > 0)) return;
      const auto& colors = dark && dark->colors ? dark->colors : bar->colors;
      return image(piece, bar->rect, {nullptr, bar->colors.get(), colors.get(), {}, index});
    }
    piece.primitives.push_back(std::visit(Coded{palette_, other}, one));
  }

  // A fill holds its place until the tags are read.
  void image(Drawing& piece, const figure::Rect& rect, const TouchImage& image) {
    const unsigned code = kImages + static_cast<unsigned>(ink_.images.size());
    ink_.images.push_back(image);
    rects_.push_back(rect);
    piece.primitives.emplace_back(draw::Fill{rect, coded(code), 0});
  }

  void finish(Drawing& piece) {
    if (piece.primitives.empty()) return;
    const std::string markup = rewritten(painter_.elements(piece));
    if (!markup.empty()) ink_.pieces.push_back(markup);
    piece.primitives.clear();
  }

  // Texts hold neither < nor >: what stands between these is a tag.
  std::string rewritten(const std::string& markup) {
    std::string out;
    for (std::size_t at = 0; at < markup.size();) {
      const std::size_t begin = std::min(markup.find('<', at), markup.size());
      out.append(markup, at, begin - at);
      const std::size_t end = std::min(markup.find('>', begin), markup.size() - 1) + 1;
      if (begin < markup.size()) out += tag(markup.substr(begin, end - begin));
      at = begin < markup.size() ? end : begin;
    }
    return out;
  }

  std::string tag(std::string text) {
    shorten_path(text);
    const auto replace = [&](std::string_view what, const std::string& by) {
      const std::size_t at = text.find(what);
      if (at != std::string::npos) text.replace(at, what.size(), by);
    };
    for (std::size_t k = 0; k < families_.size(); ++k) {
      replace(families_[k], fmt::format("class=\"f{}\"", k));
    }
    replace(" xml:space=\"preserve\"", "");
    for (std::size_t at = 0; (at = text.find("\"#", at)) != std::string::npos; ++at) {
      unsigned code = 0;
      const char* digits = text.data() + at + 2;
      std::from_chars(digits, digits + 6, code, 16);
      if (code >= kImages) return image_tag(code - kImages);
      text.replace(at, 9, fmt::format("\"var(--c{})\"", code));
    }
    return text;
  }

  std::string image_tag(std::size_t number) {
    const TouchImage& image = ink_.images[number];
    const figure::Rect& r = rects_[number];
    const double left = wide(r.x) - wide(origin_.x), top = wide(r.y) - wide(origin_.y);
    if (!image.cells) {
      return fmt::format(
          "<image data-m=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
          "preserveAspectRatio=\"none\"/>",
          number, svg_number(left), svg_number(top), svg_number(wide(r.w)), svg_number(wide(r.h)));
    }
    const CellGrid grid(*image.cells);
    const double x = grid.uncut_x(0), y = grid.uncut_y(0);
    // The grid may reach over the edges of the rectangle, which clips it.
    std::string out = fmt::format(
        "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><image data-m=\"{}\" x=\"{}\" y=\"{}\" "
        "width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\"/></svg>",
        svg_number(left), svg_number(top), svg_number(wide(r.w)), svg_number(wide(r.h)), number,
        svg_number(x - wide(r.x)), svg_number(y - wide(r.y)),
        svg_number(grid.uncut_x(grid.cols()) - x), svg_number(grid.uncut_y(grid.rows()) - y));
    return out + hatch(grid, *image.dark);
  }

  std::string hatch(const CellGrid& grid, const figure::ValueColors& dark) {
    std::string data;
    const double x = wide(origin_.x), y = wide(origin_.y);
    const auto num = [](double v) { return fmt::format("{:.1f}", v); };
    for (const HatchPiece& piece : hatch_pieces(grid)) {
      data += fmt::format("M{} {}L{} {}", num(piece.begin - x), num(piece.sum - piece.begin - y),
                          num(piece.end - x), num(piece.sum - piece.end - y));
    }
    if (data.empty()) return {};
    const Rgba code = palette_.code(grid.hatch(), dark.hatch());
    const unsigned index = static_cast<unsigned>(code.r) << 16 |
                           static_cast<unsigned>(code.g) << 8 | static_cast<unsigned>(code.b);
    return fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"var(--c{})\" stroke-width=\"{:.3f}\"/>", data, index,
        kHatchWidth);
  }

  TouchPalette& palette_;
  figure::Point origin_;
  SvgPainter painter_;
  std::array<std::string, kFontStyles.size()> families_;
  std::vector<figure::Rect> rects_;  // of the images
  TouchInk ink_;
};

}  // namespace

Rgba TouchPalette::code(Rgba light, Rgba dark) {
  const auto [found, added] = found_.emplace(hex(light) + hex(dark), pairs_.size());
  if (added) pairs_.push_back({light, dark});
  return coded(static_cast<unsigned>(found->second));
}

std::string TouchPalette::style(bool dark) const {
  std::string out;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    out += fmt::format("--c{}:{};", k, hex(dark ? pairs_[k].dark : pairs_[k].light));
  }
  return out;
}

std::string attribute_escape(const std::string& text) {
  std::string out;
  for (const char c : xml_escape(text)) {
    if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

TouchInk touch_ink(const Sheet& light, const Sheet& dark, const std::vector<std::string>& ids,
                   const PaperMeasure& measure, TouchPalette& palette) {
  Painting painting(measure, palette, light.origin);
  for (std::size_t k = 0; k < light.drawings.size(); ++k) {
    const bool grouped = k < ids.size() && !ids[k].empty();
    if (grouped) painting.raw(fmt::format("<g data-f=\"{}\">\n", attribute_escape(ids[k])));
    painting.paint(light.drawings[k], dark.drawings[k], static_cast<int>(k));
    if (grouped) painting.raw("</g>\n");
  }
  return painting.take();
}

std::string touch_fonts(const PaperMeasure& measure) {
  std::string out;
  for (std::size_t k = 0; k < kFontStyles.size(); ++k) {
    out += fmt::format(".f{}{{font-family:{}}}\n", k, family_of(kFontStyles[k], measure));
  }
  return out;
}

}  // namespace paper
