#include "app/paper/file/picture.h"

#include <cmath>

#include "app/paper/file/png_writer.h"
#include "app/paper/file/surface.h"
#include "app/paper/paper_painter.h"
#include "app/paper/svg/svg_painter.h"

namespace paper {
namespace {

void paint(const figure::Drawing& drawing, cairo_surface_t* surface, double scale,
           const PaperMeasure& measure) {
  const Cairo cairo(cairo_create(surface));
  cairo_scale(cairo.get(), scale, scale);
  cairo_translate(cairo.get(), -static_cast<double>(drawing.bounds.x),
                  -static_cast<double>(drawing.bounds.y));
  paint(drawing, cairo.get(), measure, Medium::raster);
  check(cairo_status(cairo.get()));
}

int pixels(float units, double scale) {
  return std::max(1, static_cast<int>(std::lround(static_cast<double>(units) * scale)));
}

Surface as_pixels(const figure::Drawing& drawing, double scale, const PaperMeasure& measure) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels(drawing.bounds.w, scale),
                                             pixels(drawing.bounds.h, scale)));
  paint(drawing, surface.get(), scale, measure);
  cairo_surface_flush(surface.get());
  return surface;
}

}  // namespace

Picture picture(const figure::Drawing& drawing, double scale, const PaperMeasure& measure) {
  const Surface surface = as_pixels(drawing, scale, measure);
  const PngRows rows = rows_of(surface.get());
  Picture out{rows.width, rows.height, {}};
  const std::size_t stride = static_cast<std::size_t>(rows.width) * 4;
  out.rgba.resize(stride * static_cast<std::size_t>(rows.height));
  for (int y = 0; y < rows.height; ++y) {
    rows.row(y, out.rgba.data() + stride * static_cast<std::size_t>(y));
  }
  return out;
}

std::string picture_png(const figure::Drawing& drawing, double scale) {
  const Surface surface = as_pixels(drawing, scale, PaperMeasure());
  return encode_png(rows_of(surface.get()), {{"Software", "attnscope"}}, static_cast<float>(scale));
}

std::string picture_svg(const figure::Drawing& drawing) {
  return svg_document(
      {drawing.bounds.w, drawing.bounds.h}, "px",
      SvgPainter(PaperMeasure(), 1, {drawing.bounds.x, drawing.bounds.y}).elements(drawing));
}

}  // namespace paper
