#include "app/paper/paper_cells.h"

#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace paper {
namespace {

using figure::Index;
using figure::Rect;
using figure::Rgba;
using figure::ValueColors;

// How far a rectangle reaches under its right and lower neighbours, so that no viewer's smoothing
// shows the paper between them.
constexpr double kOverlap = 0.6;

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

// The pooled cells that are seen, as bins, and where their edges lie in the context's units.
class Grid {
 public:
  explicit Grid(const figure::draw::Cells& cells) : cells_(cells), side_(Index{1} << cells.level) {
    rows_ = seen(cells.shown.y0, cells.shown.y1, cells.source->rows(), region_.row);
    cols_ = seen(cells.shown.x0, cells.shown.x1, cells.source->cols(), region_.col);
    region_.rows = rows_;
    region_.cols = cols_;
    if (empty()) return;
    std::vector<float> values(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_));
    cells.source->pooled(cells.level, region_, cells.pool, values.data(), {});
    bins_.resize(values.size());
    std::transform(values.begin(), values.end(), bins_.begin(),
                   [&](float v) { return static_cast<std::uint16_t>(cells.colors->bin(v)); });
  }

  bool empty() const { return rows_ <= 0 || cols_ <= 0; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  int bin(Index row, Index col) const {
    return bins_[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_) +
                 static_cast<std::size_t>(col)];
  }
  Rgba color(int bin) const { return cells_.colors->colors()[static_cast<std::size_t>(bin)]; }
  bool masked(Index row, Index col) const { return bin(row, col) == ValueColors::kMaskedBin; }

  // The edge before a column or row of the grid, cut to the rectangle.
  double x(Index col) const { return std::clamp(uncut_x(col), left(), right()); }
  double y(Index row) const { return std::clamp(uncut_y(row), top(), bottom()); }
  double left() const { return static_cast<double>(cells_.rect.x); }
  double right() const { return left() + static_cast<double>(cells_.rect.w); }
  double top() const { return static_cast<double>(cells_.rect.y); }
  double bottom() const { return top() + static_cast<double>(cells_.rect.h); }

  // Which column of the grid lies at a share of the rectangle; -1: none.
  int col_at(double share) const {
    return at(share, cells_.shown.x0, cells_.shown.x1, cells_.source->cols(), region_.col, cols_);
  }
  int row_at(double share) const {
    return at(share, cells_.shown.y0, cells_.shown.y1, cells_.source->rows(), region_.row, rows_);
  }

  // The last pooled cell may be cut short by the end of the source.
  double uncut_x(Index col) const {
    const Index cell = std::min((region_.col + col) * side_, cells_.source->cols());
    return left() + (static_cast<double>(cell) - cells_.shown.x0) /
                        (cells_.shown.x1 - cells_.shown.x0) * (right() - left());
  }
  double uncut_y(Index row) const {
    const Index cell = std::min((region_.row + row) * side_, cells_.source->rows());
    return top() + (static_cast<double>(cell) - cells_.shown.y0) /
                       (cells_.shown.y1 - cells_.shown.y0) * (bottom() - top());
  }

  bool any_masked() const {
    return std::find(bins_.begin(), bins_.end(), ValueColors::kMaskedBin) != bins_.end();
  }
  // The column that holds `x`, or the first or last one.
  Index col_from(double x) const {
    const double cell =
        cells_.shown.x0 + (x - left()) / (right() - left()) * (cells_.shown.x1 - cells_.shown.x0);
    const Index col = static_cast<Index>(std::max(cell, 0.0)) / side_ - region_.col;
    return std::clamp<Index>(col - 1, 0, cols_ - 1);  // one before, against rounding
  }

 private:
  // Sets `first` and returns how many pooled cells the range [lo, hi] of cells touches.
  Index seen(double lo, double hi, Index cells, Index& first) const {
    if (!(hi > lo)) return 0;
    const double side = static_cast<double>(side_);
    const auto most = static_cast<double>(figure::pooled_size(cells, cells_.level));
    const double begin = std::clamp(std::floor(lo / side), 0.0, most);
    const double end = std::clamp(std::ceil(hi / side), 0.0, most);
    first = static_cast<Index>(begin);
    return static_cast<Index>(end - begin);
  }
  int at(double share, double lo, double hi, Index cells, Index first, Index count) const {
    const double cell = lo + share * (hi - lo);
    if (!(cell >= 0) || !(cell < static_cast<double>(cells))) return -1;
    const Index k = (static_cast<Index>(cell) >> cells_.level) - first;
    return k >= 0 && k < count ? static_cast<int>(k) : -1;
  }
  const figure::draw::Cells& cells_;
  Index side_, rows_ = 0, cols_ = 0;
  core::Region region_;
  std::vector<std::uint16_t> bins_;
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

void raster_cells(const Grid& grid, const figure::draw::Cells& cells, cairo_t* cairo) {
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

void vector_rectangles(const Grid& grid, cairo_t* cairo) {
  for (Index row = 0; row < grid.rows(); ++row) {
    const double top = grid.y(row);
    const double bottom = std::min(grid.y(row + 1) + kOverlap, grid.bottom());
    for (Index col = 0; col < grid.cols();) {
      const int bin = grid.bin(row, col);
      Index end = col + 1;
      while (end < grid.cols() && grid.bin(row, end) == bin) ++end;
      const double left = grid.x(col);
      const double right = std::min(grid.x(end) + kOverlap, grid.right());
      set_color(cairo, grid.color(bin));
      cairo_rectangle(cairo, left, top, right - left, bottom - top);
      cairo_fill(cairo);
      col = end;
    }
  }
}

void vector_image(const Grid& grid, cairo_t* cairo) {
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

// The pieces of the line x + y = sum that lie over masked cells, from left to right, joined where
// they touch so that no seam shows.
void hatch_line(const Grid& grid, double sum, cairo_t* cairo) {
  std::vector<std::pair<double, double>> pieces;
  for (Index row = grid.rows() - 1; row >= 0; --row) {  // a lower row lies further to the left
    const double from = std::max(sum - grid.y(row + 1), grid.x(0));
    const double to = std::min(sum - grid.y(row), grid.x(grid.cols()));
    if (from >= to) continue;
    for (Index col = grid.col_from(from); col < grid.cols() && grid.x(col) < to; ++col) {
      if (!grid.masked(row, col)) continue;
      const double begin = std::max(from, grid.x(col)), end = std::min(to, grid.x(col + 1));
      if (end <= begin) continue;
      if (!pieces.empty() && begin - pieces.back().second < 1e-6) {
        pieces.back().second = end;
      } else {
        pieces.emplace_back(begin, end);
      }
    }
  }
  for (const auto& [begin, end] : pieces) {
    cairo_move_to(cairo, begin, sum - begin);
    cairo_line_to(cairo, end, sum - end);
  }
}

void vector_hatch(const Grid& grid, const figure::draw::Cells& cells, cairo_t* cairo) {
  if (!grid.any_masked()) return;
  const double first = std::ceil((grid.left() + grid.top()) / kHatchPeriod) * kHatchPeriod;
  for (double sum = first; sum < grid.right() + grid.bottom(); sum += kHatchPeriod) {
    hatch_line(grid, sum, cairo);
  }
  set_color(cairo, cells.colors->hatch());
  // A pixel of the screen's hatch in each row is a line this wide across its direction.
  cairo_set_line_width(cairo, std::sqrt(0.5));
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
  const Grid grid(cells);
  if (grid.empty()) return;
  if (medium == Medium::raster) return raster_cells(grid, cells, cairo);
  if (grid.rows() <= kVectorCells && grid.cols() <= kVectorCells) {
    vector_rectangles(grid, cairo);
  } else {
    vector_image(grid, cairo);
  }
  vector_hatch(grid, cells, cairo);
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
  const double x = static_cast<double>(bar.rect.x), y = static_cast<double>(bar.rect.y);
  const double w = static_cast<double>(bar.rect.w), h = static_cast<double>(bar.rect.h);
  for (int k = 0; k < figure::kMapSize; ++k) {
    const double left = x + w * k / figure::kMapSize;
    const double right = std::min(x + w * (k + 1) / figure::kMapSize + kOverlap, x + w);
    set_color(cairo, color(k));
    cairo_rectangle(cairo, left, y, right - left, h);
    cairo_fill(cairo);
  }
}

}  // namespace paper
