#include "app/gl/cells.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace gl {
namespace {

using figure::ValueColors;

// Rounding may put the first or last pixel's centre this much outside of the image, in its cells.
constexpr double kSlack = 1e-6;

// Pixels that show no cell stand at the ends, as the mapping is monotone.
PixelSpan pixels_of(const PixelAxis& axis, double clip, double clip_size, int low, int high) {
  int begin = first_pixel(axis.at, low, high);
  int end = first_pixel(axis.at + axis.size, begin, high);
  begin = first_pixel(clip, begin, end);
  end = first_pixel(clip + clip_size, begin, end);
  while (begin < end && cell_of_pixel(axis, begin) < 0) ++begin;
  while (begin < end && cell_of_pixel(axis, end - 1) < 0) --end;
  PixelSpan span{begin, {}};
  span.cells.reserve(static_cast<std::size_t>(end - begin));
  for (int p = begin; p < end; ++p) span.cells.push_back(cell_of_pixel(axis, p));
  return span;
}

}  // namespace

PixelAxis column_axis(const CellsQuad& q) {
  return {q.cells.x0, q.cells.x1, q.shown.x0, q.shown.x1, q.rect.x, q.rect.w, q.cols};
}

PixelAxis row_axis(const CellsQuad& q) {
  return {q.cells.y0, q.cells.y1, q.shown.y0, q.shown.y1, q.rect.y, q.rect.h, q.rows};
}

int cell_of_pixel(const PixelAxis& a, int pixel) {
  const double center = pixel + 0.5;
  if (!(center >= a.at && center < a.at + a.size)) return -1;
  const double source = a.shown0 + (center - a.at) / a.size * (a.shown1 - a.shown0);
  const double cell = (source - a.cells0) / (a.cells1 - a.cells0) * a.count;
  if (!(cell >= -kSlack && cell <= a.count + kSlack)) return -1;
  return std::clamp(static_cast<int>(std::floor(cell)), 0, a.count - 1);
}

int period_of(float hatch_period) {
  return std::max(2, static_cast<int>(std::lround(hatch_period)));
}

bool hatched(int x, int y, float hatch_period) { return (x + y) % period_of(hatch_period) == 0; }

PixelSpan columns_of(const CellsQuad& quad, int low, int high) {
  return pixels_of(column_axis(quad), quad.clip.x, quad.clip.w, low, high);
}

PixelSpan rows_of(const CellsQuad& quad, int low, int high) {
  return pixels_of(row_axis(quad), quad.clip.y, quad.clip.h, low, high);
}

void check(const CellsQuad& quad) {
  if (!quad.values || !quad.colors || quad.rows < 0 || quad.cols < 0) {
    throw std::invalid_argument("heatmap \"" + quad.slot + "\" needs values and colours");
  }
}

std::uint32_t packed(figure::Rgba c) {
  return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8 |
         static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.a) << 24;
}

CellsPainter::CellsPainter(const CellsQuad& quad, const PixelSpan& columns, bool blue_first)
    : quad_(quad),
      columns_(columns),
      blue_first_(blue_first),
      period_(period_of(quad.hatch_period)),
      line_(columns.cells.size()) {}

std::uint32_t CellsPainter::ordered(figure::Rgba c) const {
  if (blue_first_) std::swap(c.r, c.b);
  return packed(c);
}

void CellsPainter::find_colors(std::int32_t row) {
  row_ = row;
  masked_.clear();
  const float* values = quad_.values + std::ptrdiff_t{row} * quad_.cols;
  int bin = 0;
  std::uint32_t color = 0;
  for (std::size_t i = 0; i < line_.size(); ++i) {
    const std::int32_t column = columns_.cells[i];
    if (i == 0 || column != columns_.cells[i - 1]) {
      bin = quad_.colors->bin(values[column]);
      color = ordered(quad_.colors->colors()[static_cast<std::size_t>(bin)]);
    }
    line_[i] = color;
    if (bin == ValueColors::kMaskedBin) masked_.push_back(static_cast<int>(i));
  }
}

void CellsPainter::paint(int y, std::int32_t row, std::uint32_t* out) {
  if (row != row_) find_colors(row);
  std::copy(line_.begin(), line_.end(), out);
  const std::uint32_t hatch = ordered(quad_.colors->hatch());
  for (const int i : masked_) {
    if ((columns_.begin + i + y) % period_ == 0) out[i] = hatch;
  }
}

}  // namespace gl
