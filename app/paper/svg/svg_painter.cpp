#include "app/paper/svg/svg_painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "app/paper/cell_grid.h"
#include "app/paper/file/png_writer.h"
#include "app/paper/paper_painter.h"
#include "app/paper/places.h"
#include "app/paper/svg/svg_text.h"
#include "core/text/base64.h"

namespace paper {
namespace {

using figure::Point;
using figure::Rect;
using figure::Rgba;
namespace draw = figure::draw;

std::string num(double v) { return svg_number(v); }

// The elements of one drawing.
class Elements {
 public:
  Elements(const PaperMeasure& measure, double scale, Point origin, std::string_view prefix,
           int& clips)
      : measure_(measure), scale_(scale), origin_(origin), prefix_(prefix), clips_(clips) {}

  std::string take() {
    for (; open_ > 0; --open_) out_ += "</g>\n";
    return std::move(out_);
  }

  void operator()(const draw::Fill& fill) {
    if (!(fill.rect.w > 0) || !(fill.rect.h > 0)) return;
    rectangle(fill.rect, wide(fill.radius), svg_color("fill", fill.color));
  }

  // The outline lies inside of its rectangle.
  void operator()(const draw::Outline& outline) {
    const float in = outline.width / 2;
    const Rect rect{outline.rect.x + in, outline.rect.y + in, outline.rect.w - outline.width,
                    outline.rect.h - outline.width};
    if (!(rect.w >= 0) || !(rect.h >= 0)) return;
    rectangle(rect, std::max(0.0, wide(outline.radius - in)),
              pen(outline.color, outline.width, false));
  }

  void operator()(const draw::Path& path) {
    const std::string data = trace(path.points, path.filled || path.closed);
    if (data.empty()) return;
    if (path.filled) {
      out_ += fmt::format("<path d=\"{}\"{}/>\n", data, svg_color("fill", path.color));
    } else {
      out_ += fmt::format("<path d=\"{}\"{} stroke-linejoin=\"round\"/>\n", data,
                          pen(path.color, path.width, path.dashed));
    }
  }

  void operator()(const draw::Curve& curve) {
    if (!finite(curve.a) || !finite(curve.b) || !finite(curve.c) || !finite(curve.d)) return;
    out_ += fmt::format("<path d=\"M{}C{} {} {}\"{}/>\n", at(curve.a), at(curve.b), at(curve.c),
                        at(curve.d), pen(curve.color, curve.width, false));
  }

  void operator()(const draw::Disc& disc) {
    if (!finite(disc.center) || !(disc.radius > 0)) return;
    out_ += fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", num(x(disc.center.x)), num(y(disc.center.y)),
        num(wide(disc.radius) * scale_),
        disc.filled ? svg_color("fill", disc.color) : pen(disc.color, disc.width, false));
  }

  void operator()(const draw::Text& text) {
    if (text.text.empty() || !finite(text.at)) return;
    out_ += svg_text(text, measure_, scale_, origin_);
  }

  void operator()(const draw::Cells& cells) {
    if (!cells.source || !cells.colors || !(cells.rect.w > 0) || !(cells.rect.h > 0)) return;
    const CellGrid grid(cells);
    if (grid.empty()) return;
    if (grid.rows() <= kVectorCells && grid.cols() <= kVectorCells) {
      rectangles(cell_rectangles(grid));
    } else {
      image(grid);
    }
    hatch(grid);
  }

  void operator()(const draw::ColorBar& bar) {
    if (bar.colors && bar.rect.w > 0 && bar.rect.h > 0) rectangles(bar_rectangles(bar));
  }

  void operator()(const draw::Clip& clip) {
    begin_clip(x(clip.rect.x), y(clip.rect.y), wide(std::max(clip.rect.w, 0.0f)) * scale_,
               wide(std::max(clip.rect.h, 0.0f)) * scale_);
  }
  void operator()(const draw::Unclip&) {
    if (open_ == 0) return;
    out_ += "</g>\n";
    --open_;
  }

 private:
  double x(double v) const { return (v - wide(origin_.x)) * scale_; }
  double y(double v) const { return (v - wide(origin_.y)) * scale_; }
  double x(float v) const { return x(wide(v)); }
  double y(float v) const { return y(wide(v)); }
  std::string at(Point p) const { return num(x(p.x)) + " " + num(y(p.y)); }

  std::string pen(Rgba color, float width, bool dashed) const {
    std::string out = " fill=\"none\"" + svg_color("stroke", color);
    const double units = wide(width) * scale_;
    if (units != 1) out += fmt::format(" stroke-width=\"{}\"", num(units));
    if (dashed) out += fmt::format(" stroke-dasharray=\"{} {}\"", num(4 * scale_), num(3 * scale_));
    return out;
  }

  void rectangle(const Rect& rect, double radius, const std::string& color) {
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", num(x(rect.x)),
                        num(y(rect.y)), num(wide(rect.w) * scale_), num(wide(rect.h) * scale_));
    const double r = std::min({radius, wide(rect.w) / 2, wide(rect.h) / 2});
    if (r > 0) out_ += fmt::format(" rx=\"{}\"", num(r * scale_));
    out_ += color + "/>\n";
  }

  // A point without a place breaks the line.
  std::string trace(const std::vector<Point>& points, bool closed) const {
    std::string out;
    bool broken = true, first = true;
    for (const Point p : points) {
      if (!finite(p)) {
        broken = true;
        continue;
      }
      out += broken ? "M" : first ? "L" : " ";
      out += at(p);
      first = broken;
      broken = false;
    }
    if (closed && !out.empty()) out += "Z";
    return out;
  }

  // Paths are the shortest way to write many.
  void rectangles(const std::vector<ColorRect>& all) {
    for (std::size_t k = 0; k < all.size();) {
      std::string data;
      const Rgba color = all[k].color;
      for (; k < all.size() && all[k].color == color; ++k) {
        const ColorRect& r = all[k];
        data += fmt::format("M{} {}h{}v{}h{}z", num(x(r.x)), num(y(r.y)), num(r.w * scale_),
                            num(r.h * scale_), num(-r.w * scale_));
      }
      out_ += fmt::format("<path d=\"{}\"{}/>\n", data, svg_color("fill", color));
    }
  }

  void image(const CellGrid& grid) {
    const auto row = [&](int y, std::uint8_t* out) {
      for (int x = 0; x < static_cast<int>(grid.cols()); ++x) {
        const Rgba c = grid.color(grid.bin(y, x));
        for (const std::uint8_t part : {c.r, c.g, c.b, c.a}) *out++ = part;
      }
    };
    const std::string png = encode_png(
        {static_cast<int>(grid.cols()), static_cast<int>(grid.rows()), true, row}, {}, 1);
    begin_clip(x(grid.left()), y(grid.top()), (grid.x(grid.cols()) - grid.left()) * scale_,
               (grid.y(grid.rows()) - grid.top()) * scale_);
    // The grid may reach over the rectangle's edges.
    const double x0 = grid.uncut_x(0), y0 = grid.uncut_y(0);
    out_ += fmt::format(
        "<image style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" x=\"{}\" "
        "y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
        "href=\"data:image/png;base64,{}\"/>\n",
        num(x(x0)), num(y(y0)), num((grid.uncut_x(grid.cols()) - x0) * scale_),
        num((grid.uncut_y(grid.rows()) - y0) * scale_), core::to_base64(png));
    (*this)(draw::Unclip{});
  }

  void hatch(const CellGrid& grid) {
    std::string data;
    for (const HatchPiece& piece : hatch_pieces(grid)) {
      data += fmt::format("M{} {}L{} {}", num(x(piece.begin)), num(y(piece.sum - piece.begin)),
                          num(x(piece.end)), num(y(piece.sum - piece.end)));
    }
    if (data.empty()) return;
    out_ += fmt::format("<path d=\"{}\"{}/>\n", data,
                        pen(grid.hatch(), static_cast<float>(kHatchWidth), false));
  }

  void begin_clip(double left, double top, double w, double h) {
    const std::string name = fmt::format("{}clip{}", prefix_, ++clips_);
    out_ += fmt::format(
        "<clipPath id=\"{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>"
        "<g clip-path=\"url(#{0})\">\n",
        name, num(left), num(top), num(w), num(h));
    ++open_;
  }

  const PaperMeasure& measure_;
  double scale_;
  Point origin_;
  std::string_view prefix_;
  int& clips_;
  int open_ = 0;
  std::string out_;
};

}  // namespace

SvgPainter::SvgPainter(const PaperMeasure& measure, double scale, Point origin, std::string prefix)
    : measure_(measure), scale_(scale), origin_(origin), prefix_(std::move(prefix)) {}

std::string SvgPainter::elements(const figure::Drawing& drawing) {
  Elements elements(measure_, scale_, origin_, prefix_, clips_);
  for (const figure::Primitive& primitive : drawing.primitives) std::visit(elements, primitive);
  return elements.take();
}

std::string svg_document(Point size, const char* unit, const std::string& inside) {
  const std::string w = svg_number(wide(size.x)), h = svg_number(wide(size.y));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"{0}{2}\" height=\"{1}{2}\" viewBox=\"0 0 {0} {1}\">\n{3}</svg>\n",
      w, h, unit, inside);
}

std::string svg_rectangle(const Rect& rect, Rgba color) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n",
                     svg_number(wide(rect.x)), svg_number(wide(rect.y)), svg_number(wide(rect.w)),
                     svg_number(wide(rect.h)), svg_color("fill", color));
}

}  // namespace paper
