#include "app/paper/file/picture.h"

#include <cairo-svg.h>

#include <cmath>

#include "app/paper/file/png_writer.h"
#include "app/paper/file/surface.h"
#include "app/paper/paper_painter.h"

namespace paper {
namespace {

void draw(const figure::Drawing& drawing, cairo_surface_t* surface, double scale, Medium medium) {
  const Cairo cairo(cairo_create(surface));
  cairo_scale(cairo.get(), scale, scale);
  cairo_translate(cairo.get(), -static_cast<double>(drawing.bounds.x),
                  -static_cast<double>(drawing.bounds.y));
  paint(drawing, cairo.get(), PaperMeasure(), medium);
  check(cairo_status(cairo.get()));
}

int pixels(float units, double scale) {
  return std::max(1, static_cast<int>(std::lround(static_cast<double>(units) * scale)));
}

Surface as_pixels(const figure::Drawing& drawing, double scale) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels(drawing.bounds.w, scale),
                                             pixels(drawing.bounds.h, scale)));
  draw(drawing, surface.get(), scale, Medium::raster);
  cairo_surface_flush(surface.get());
  return surface;
}

}  // namespace

Picture picture(const figure::Drawing& drawing, double scale) {
  const Surface surface = as_pixels(drawing, scale);
  Picture out{cairo_image_surface_get_width(surface.get()),
              cairo_image_surface_get_height(surface.get()),
              {}};
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < out.height; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < out.width; ++x) {
      // Cairo's colours are premultiplied.
      const std::uint32_t alpha = row[x] >> 24;
      for (const int shift : {16, 8, 0}) {
        const std::uint32_t part = row[x] >> shift & 255;
        out.rgba.push_back(
            static_cast<std::uint8_t>(alpha == 0 ? 0 : (part * 255 + alpha / 2) / alpha));
      }
      out.rgba.push_back(static_cast<std::uint8_t>(alpha));
    }
  }
  return out;
}

std::string picture_png(const figure::Drawing& drawing, double scale) {
  const Surface surface = as_pixels(drawing, scale);
  return encode_png(surface.get(), {{"Software", "attnscope"}}, static_cast<float>(scale));
}

std::string picture_svg(const figure::Drawing& drawing) {
  std::string bytes;
  const Surface surface(cairo_svg_surface_create_for_stream(append_bytes, &bytes,
                                                            static_cast<double>(drawing.bounds.w),
                                                            static_cast<double>(drawing.bounds.h)));
  cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
  draw(drawing, surface.get(), 1, Medium::vector);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace paper
