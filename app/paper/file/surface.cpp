#include "app/paper/file/surface.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string>

namespace paper {
namespace {

std::uint8_t straight(std::uint32_t part, std::uint32_t opacity) {
  if (opacity == 255) return static_cast<std::uint8_t>(part);
  return static_cast<std::uint8_t>(opacity == 0 ? 0 : (part * 255 + opacity / 2) / opacity);
}

}  // namespace

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(
        fmt::format("the figure could not be drawn: {}", cairo_status_to_string(status)));
  }
}

PngRows rows_of(cairo_surface_t* surface) {
  cairo_surface_flush(surface);
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  const int width = cairo_image_surface_get_width(surface);
  const bool alpha = cairo_image_surface_get_format(surface) == CAIRO_FORMAT_ARGB32;
  const auto row = [=](int y, std::uint8_t* out) {
    const auto* in =
        reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < width; ++x) {
      const std::uint32_t opacity = alpha ? in[x] >> 24 : 255;
      for (const int shift : {16, 8, 0}) *out++ = straight(in[x] >> shift & 255, opacity);
      if (alpha) *out++ = static_cast<std::uint8_t>(opacity);
    }
  };
  return {width, cairo_image_surface_get_height(surface), alpha, row};
}

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace paper
