#include "app/paper/paper_painter.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "app/paper/paper_cells.h"
#include "app/paper/places.h"

namespace paper {
namespace {

using figure::Point;
using figure::Rect;
namespace draw = figure::draw;

class Painter {
 public:
  Painter(cairo_t* cairo, const PaperMeasure& measure, Medium medium)
      : cairo_(cairo), measure_(measure), medium_(medium) {
    double unused = 0;
    cairo_user_to_device_distance(cairo_, &unit_, &unused);
  }
  ~Painter() {
    while (clips_ > 0) (*this)(draw::Unclip{});
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  void operator()(const draw::Fill& fill) {
    if (!(fill.rect.w > 0) || !(fill.rect.h > 0)) return;
    set_color(cairo_, fill.color);
    const bool whole = raster() && fill.radius <= 0 && wide(fill.rect.w) * unit_ >= 1 &&
                       wide(fill.rect.h) * unit_ >= 1;
    if (whole) cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_NONE);
    rounded(fill.rect, wide(fill.radius));
    cairo_fill(cairo_);
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
  }

  // The outline lies inside of its rectangle.
  void operator()(const draw::Outline& outline) {
    const float in = outline.width / 2;
    Rect rect = outline.rect;
    if (raster() && outline.radius <= 0) rect = on_pixels(rect);
    rect = {rect.x + in, rect.y + in, rect.w - outline.width, rect.h - outline.width};
    if (!(rect.w >= 0) || !(rect.h >= 0)) return;
    pen(outline.color, outline.width, false);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_MITER);
    rounded(rect, std::max(0.0, wide(outline.radius - in)));
    cairo_stroke(cairo_);
  }

  void operator()(const draw::Path& path) {
    if (path.points.empty()) return;
    if (path.filled) {
      set_color(cairo_, path.color);
      trace(path.points, true, 0);
      cairo_fill(cairo_);
      return;
    }
    pen(path.color, path.width, path.dashed);
    trace(path.points, path.closed, path.width);
    cairo_stroke(cairo_);
  }

  void operator()(const draw::Curve& curve) {
    if (!finite(curve.a) || !finite(curve.b) || !finite(curve.c) || !finite(curve.d)) return;
    pen(curve.color, curve.width, false);
    cairo_move_to(cairo_, wide(curve.a.x), wide(curve.a.y));
    cairo_curve_to(cairo_, wide(curve.b.x), wide(curve.b.y), wide(curve.c.x), wide(curve.c.y),
                   wide(curve.d.x), wide(curve.d.y));
    cairo_stroke(cairo_);
  }

  void operator()(const draw::Disc& disc) {
    if (!finite(disc.center) || !(disc.radius > 0)) return;
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, wide(disc.center.x), wide(disc.center.y), wide(disc.radius), 0,
              2 * std::numbers::pi);
    cairo_close_path(cairo_);
    if (disc.filled) {
      set_color(cairo_, disc.color);
      cairo_fill(cairo_);
    } else {
      pen(disc.color, disc.width, false);
      cairo_stroke(cairo_);
    }
  }

  void operator()(const draw::Text& text) {
    if (text.text.empty() || !finite(text.at)) return;
    set_color(cairo_, text.color);
    const Point size = measure_.size(text.text, text.style);
    const Point corner{-text.align_x * size.x, -text.align_y * size.y};
    cairo_save(cairo_);
    cairo_translate(cairo_, wide(text.at.x), wide(text.at.y));
    if (text.angle != 0) cairo_rotate(cairo_, wide(text.angle));
    measure_.draw(cairo_, text.text, text.style, corner, raster());
    cairo_restore(cairo_);
    cairo_new_path(cairo_);
  }

  void operator()(const draw::Cells& cells) { paint_cells(cells, cairo_, medium_); }
  void operator()(const draw::ColorBar& bar) { paint_color_bar(bar, cairo_, medium_); }

  void operator()(const draw::Clip& clip) {
    cairo_save(cairo_);
    ++clips_;
    if (raster()) cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(cairo_, wide(clip.rect.x), wide(clip.rect.y), wide(std::max(clip.rect.w, 0.0f)),
                    wide(std::max(clip.rect.h, 0.0f)));
    cairo_clip(cairo_);
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
  }
  void operator()(const draw::Unclip&) {
    if (clips_ == 0) return;
    cairo_restore(cairo_);
    --clips_;
  }

 private:
  bool raster() const { return medium_ == Medium::raster; }

  void pen(figure::Rgba color, float width, bool dashed) {
    set_color(cairo_, color);
    cairo_set_line_width(cairo_, wide(width));
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
    const double dashes[] = {4, 3};
    cairo_set_dash(cairo_, dashes, dashed ? 2 : 0, 0);
  }

  void rounded(const Rect& rect, double radius) {
    const double x = wide(rect.x), y = wide(rect.y), w = wide(rect.w), h = wide(rect.h);
    const double r = std::min({radius, w / 2, h / 2});
    if (r <= 0) return cairo_rectangle(cairo_, x, y, w, h);
    constexpr double kQuarter = std::numbers::pi / 2;
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, x + w - r, y + r, r, -kQuarter, 0);
    cairo_arc(cairo_, x + w - r, y + h - r, r, 0, kQuarter);
    cairo_arc(cairo_, x + r, y + h - r, r, kQuarter, 2 * kQuarter);
    cairo_arc(cairo_, x + r, y + r, r, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(cairo_);
  }

  // A point without a place breaks the line.
  void trace(const std::vector<Point>& points, bool closed, float width) {
    if (points.size() == 2 && raster() && !closed) return straight(points[0], points[1], width);
    bool broken = true;
    for (const Point p : points) {
      if (!finite(p)) {
        broken = true;
        continue;
      }
      if (broken) {
        cairo_move_to(cairo_, wide(p.x), wide(p.y));
      } else {
        cairo_line_to(cairo_, wide(p.x), wide(p.y));
      }
      broken = false;
    }
    if (closed) cairo_close_path(cairo_);
  }

  // A horizontal or vertical hairline stands on whole pixels instead of smeared over two.
  void straight(Point a, Point b, float width) {
    if (!finite(a) || !finite(b)) return;
    if (a.x == b.x) a.x = b.x = line_center(a.x, width, true);
    if (a.y == b.y) a.y = b.y = line_center(a.y, width, false);
    cairo_move_to(cairo_, wide(a.x), wide(a.y));
    cairo_line_to(cairo_, wide(b.x), wide(b.y));
  }

  float line_center(float at, float width, bool along_x) {
    double x = along_x ? wide(at) : 0, y = along_x ? 0 : wide(at);
    cairo_user_to_device(cairo_, &x, &y);
    const bool odd = std::lround(wide(width) * unit_) % 2 != 0;
    double& place = along_x ? x : y;
    place = odd ? std::floor(place) + 0.5 : std::round(place);
    cairo_device_to_user(cairo_, &x, &y);
    return static_cast<float>(along_x ? x : y);
  }

  Rect on_pixels(const Rect& rect) {
    double x0 = wide(rect.x), y0 = wide(rect.y), x1 = wide(rect.right()), y1 = wide(rect.bottom());
    cairo_user_to_device(cairo_, &x0, &y0);
    cairo_user_to_device(cairo_, &x1, &y1);
    x0 = std::round(x0), y0 = std::round(y0), x1 = std::round(x1), y1 = std::round(y1);
    cairo_device_to_user(cairo_, &x0, &y0);
    cairo_device_to_user(cairo_, &x1, &y1);
    return {static_cast<float>(x0), static_cast<float>(y0), static_cast<float>(x1 - x0),
            static_cast<float>(y1 - y0)};
  }

  cairo_t* cairo_;
  const PaperMeasure& measure_;
  Medium medium_;
  double unit_ = 1;  // device pixels a unit
  int clips_ = 0;
};

}  // namespace

void paint(const figure::Drawing& drawing, cairo_t* cairo, const PaperMeasure& measure,
           Medium medium) {
  Painter painter(cairo, measure, medium);
  for (const figure::Primitive& primitive : drawing.primitives) std::visit(painter, primitive);
}

}  // namespace paper
