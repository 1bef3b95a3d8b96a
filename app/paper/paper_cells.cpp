#include "app/paper/paper_cells.h"

#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

#include "app/paper/cell_grid.h"

namespace paper {
namespace {

using figure::Index;
using figure::Rect;
using figure::Rgba;
using figure::ValueColors;

// Cairo's ARGB32 and RGB24: native words, colour premultiplied.
std::uint32_t word(Rgba c) {
  const auto part = [&](std::uint8_t v) {
    return (v * static_cast<std::uint32_t>(c.a) + 127) / 255;
  };
  return (static_cast<std::uint32_t>(c.a) << 24) | (part(c.r) << 16) | (part(c.g) << 8) | part(c.b);
}

// An image that Cairo owns.
struct Image {
  cairo_surface_t* surface;
  Image(int width, int height)
      : surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)) {
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
    cairo_surface_flush(surface);
  }
  ~Image() { cairo_surface_destroy(surface); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  std::uint32_t* row(int y) const {
    unsigned char* data = cairo_image_surface_get_data(surface);
    return reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) *
                                                       cairo_image_surface_get_stride(surface));
  }
};

// A rectangle in device pixels: those whose centres it holds, cut to the surface.
struct CellPixels {
  double x, y, w, h;  // the exact rectangle
  int x0, y0, x1, y1;
  bool empty() const { return x1 <= x0 || y1 <= y0; }
};

CellPixels pixels_of(const Rect& rect, cairo_t* cairo) {
  CellPixels p{static_cast<double>(rect.x),
               static_cast<double>(rect.y),
               static_cast<double>(rect.w),
               static_cast<double>(rect.h),
               0,
               0,
               0,
               0};
  cairo_user_to_device(cairo, &p.x, &p.y);
  cairo_user_to_device_distance(cairo, &p.w, &p.h);
  cairo_surface_t* target = cairo_get_target(cairo);
  const auto cut = [](double edge, int size) {
    return static_cast<int>(std::clamp(std::ceil(edge - 0.5), 0.0, static_cast<double>(size)));
  };
  const int width = cairo_image_surface_get_width(target);
  const int height = cairo_image_surface_get_height(target);
  p.x0 = cut(p.x, width);
  p.x1 = cut(p.x + p.w, width);
  p.y0 = cut(p.y, height);
  p.y1 = cut(p.y + p.h, height);
  return p;
}

// Puts an image of device pixels at its place, under the context's clip.
void put(cairo_t* cairo, const Image& image, const CellPixels& p) {
  cairo_surface_mark_dirty(image.surface);
  cairo_save(cairo);
  cairo_identity_matrix(cairo);
  cairo_set_source_surface(cairo, image.surface, p.x0, p.y0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
  cairo_rectangle(cairo, p.x0, p.y0, p.x1 - p.x0, p.y1 - p.y0);
  cairo_fill(cairo);
  cairo_restore(cairo);
}

void raster_cells(const CellGrid& grid, const figure::draw::Cells& cells, cairo_t* cairo) {
  const CellPixels p = pixels_of(cells.rect, cairo);
  if (p.empty()) return;
  double unit = 1, unused = 0;
  cairo_user_to_device_distance(cairo, &unit, &unused);
  const int period = std::max(2, static_cast<int>(std::lround(kHatchPeriod * unit)));
  const int thickness = std::max(1, static_cast<int>(std::lround(unit)));

  std::array<std::uint32_t, ValueColors::kBins> words;
  std::transform(cells.colors->colors().begin(), cells.colors->colors().end(), words.begin(), word);
  const std::uint32_t hatch = word(cells.colors->hatch());
  std::vector<int> cols(static_cast<std::size_t>(p.x1 - p.x0));
  for (int x = p.x0; x < p.x1; ++x) {
    cols[static_cast<std::size_t>(x - p.x0)] = grid.col_at((x + 0.5 - p.x) / p.w);
  }
  const Image image(p.x1 - p.x0, p.y1 - p.y0);
  for (int y = p.y0; y < p.y1; ++y) {
    const int row = grid.row_at((y + 0.5 - p.y) / p.h);
    if (row < 0) continue;
    std::uint32_t* out = image.row(y - p.y0);
    for (int x = p.x0; x < p.x1; ++x) {
      const int col = cols[static_cast<std::size_t>(x - p.x0)];
      if (col < 0) continue;
      const int bin = grid.bin(row, col);
      const bool line = bin == ValueColors::kMaskedBin && (x + y) % period < thickness;
      out[x - p.x0] = line ? hatch : words[static_cast<std::size_t>(bin)];
    }
  }
  put(cairo, image, p);
}

void fill_rectangles(const std::vector<ColorRect>& rectangles, cairo_t* cairo) {
  for (const ColorRect& r : rectangles) {
    set_color(cairo, r.color);
    cairo_rectangle(cairo, r.x, r.y, r.w, r.h);
    cairo_fill(cairo);
  }
}

void vector_image(const CellGrid& grid, cairo_t* cairo) {
  const Image image(static_cast<int>(grid.cols()), static_cast<int>(grid.rows()));
  for (int row = 0; row < grid.rows(); ++row) {
    for (int col = 0; col < grid.cols(); ++col) {
      image.row(row)[col] = word(grid.color(grid.bin(row, col)));
    }
  }
  cairo_surface_mark_dirty(image.surface);
  // The grid may reach over the rectangle's edges, so its own first and last edges set the scale.
  const double x0 = grid.uncut_x(0), y0 = grid.uncut_y(0);
  cairo_save(cairo);
  cairo_rectangle(cairo, grid.left(), grid.top(), grid.x(grid.cols()) - grid.left(),
                  grid.y(grid.rows()) - grid.top());
  cairo_clip(cairo);
  cairo_translate(cairo, x0, y0);
  cairo_scale(cairo, (grid.uncut_x(grid.cols()) - x0) / static_cast<double>(grid.cols()),
              (grid.uncut_y(grid.rows()) - y0) / static_cast<double>(grid.rows()));
  cairo_set_source_surface(cairo, image.surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_paint(cairo);
  cairo_restore(cairo);
}

void vector_hatch(const CellGrid& grid, cairo_t* cairo) {
  for (const HatchPiece& piece : hatch_pieces(grid)) {
    cairo_move_to(cairo, piece.begin, piece.sum - piece.begin);
    cairo_line_to(cairo, piece.end, piece.sum - piece.end);
  }
  set_color(cairo, grid.hatch());
  cairo_set_line_width(cairo, kHatchWidth);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
  cairo_set_dash(cairo, nullptr, 0, 0);
  cairo_stroke(cairo);
}

}  // namespace

void set_color(cairo_t* cairo, Rgba color) {
  cairo_set_source_rgba(cairo, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
}

void paint_cells(const figure::draw::Cells& cells, cairo_t* cairo, Medium medium) {
  if (!cells.source || !cells.colors || !(cells.rect.w > 0) || !(cells.rect.h > 0)) return;
  const CellGrid grid(cells);
  if (grid.empty()) return;
  if (medium == Medium::raster) return raster_cells(grid, cells, cairo);
  if (grid.rows() <= kVectorCells && grid.cols() <= kVectorCells) {
    fill_rectangles(cell_rectangles(grid), cairo);
  } else {
    vector_image(grid, cairo);
  }
  vector_hatch(grid, cairo);
}

void paint_color_bar(const figure::draw::ColorBar& bar, cairo_t* cairo, Medium medium) {
  if (!bar.colors || !(bar.rect.w > 0) || !(bar.rect.h > 0)) return;
  const auto color = [&](int k) { return bar.colors->colors()[static_cast<std::size_t>(k)]; };
  if (medium == Medium::raster) {
    const CellPixels p = pixels_of(bar.rect, cairo);
    if (p.empty()) return;
    const Image image(p.x1 - p.x0, p.y1 - p.y0);
    for (int y = 0; y < p.y1 - p.y0; ++y) {
      for (int x = p.x0; x < p.x1; ++x) {
        const double share = (x + 0.5 - p.x) / p.w;
        const int k =
            std::clamp(static_cast<int>(share * figure::kMapSize), 0, figure::kMapSize - 1);
        image.row(y)[x - p.x0] = word(color(k));
      }
    }
    return put(cairo, image, p);
  }
  fill_rectangles(bar_rectangles(bar), cairo);
}

}  // namespace paper
