#include "app/paper/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace paper {

using figure::Index;
using figure::ValueColors;

namespace {

constexpr double kOverlap = 0.6;  // of a rectangle under its neighbours

// The pieces of one hatch line, from left to right.
void hatch_line(const CellGrid& grid, double sum, std::vector<HatchPiece>& out) {
  const std::size_t first = out.size();
  for (Index row = grid.rows() - 1; row >= 0; --row) {  // a lower row lies further to the left
    const double from = std::max(sum - grid.y(row + 1), grid.x(0));
    const double to = std::min(sum - grid.y(row), grid.x(grid.cols()));
    if (from >= to) continue;
    for (Index col = grid.col_from(from); col < grid.cols() && grid.x(col) < to; ++col) {
      if (!grid.masked(row, col)) continue;
      const double begin = std::max(from, grid.x(col)), end = std::min(to, grid.x(col + 1));
      if (end <= begin) continue;
      if (out.size() > first && begin - out.back().end < 1e-6) {
        out.back().end = end;
      } else {
        out.push_back({begin, end, sum});
      }
    }
  }
}

}  // namespace

CellGrid::CellGrid(const figure::draw::Cells& cells)
    : cells_(cells), side_(Index{1} << cells.level) {
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

bool CellGrid::masked(Index row, Index col) const {
  return bin(row, col) == ValueColors::kMaskedBin;
}

bool CellGrid::any_masked() const {
  return std::find(bins_.begin(), bins_.end(), ValueColors::kMaskedBin) != bins_.end();
}

double CellGrid::x(Index col) const { return std::clamp(uncut_x(col), left(), right()); }
double CellGrid::y(Index row) const { return std::clamp(uncut_y(row), top(), bottom()); }

double CellGrid::uncut_x(Index col) const {
  const Index cell = std::min((region_.col + col) * side_, cells_.source->cols());
  return left() + (static_cast<double>(cell) - cells_.shown.x0) /
                      (cells_.shown.x1 - cells_.shown.x0) * (right() - left());
}

double CellGrid::uncut_y(Index row) const {
  const Index cell = std::min((region_.row + row) * side_, cells_.source->rows());
  return top() + (static_cast<double>(cell) - cells_.shown.y0) /
                     (cells_.shown.y1 - cells_.shown.y0) * (bottom() - top());
}

int CellGrid::col_at(double share) const {
  return at(share, cells_.shown.x0, cells_.shown.x1, cells_.source->cols(), region_.col, cols_);
}

int CellGrid::row_at(double share) const {
  return at(share, cells_.shown.y0, cells_.shown.y1, cells_.source->rows(), region_.row, rows_);
}

Index CellGrid::col_from(double x) const {
  const double cell =
      cells_.shown.x0 + (x - left()) / (right() - left()) * (cells_.shown.x1 - cells_.shown.x0);
  const Index col = static_cast<Index>(std::max(cell, 0.0)) / side_ - region_.col;
  return std::clamp<Index>(col - 1, 0, cols_ - 1);  // one before, against rounding
}

// Sets `first` and returns how many pooled cells the range [lo, hi] of cells touches.
Index CellGrid::seen(double lo, double hi, Index cells, Index& first) const {
  if (!(hi > lo)) return 0;
  const double side = static_cast<double>(side_);
  const auto most = static_cast<double>(figure::pooled_size(cells, cells_.level));
  const double begin = std::clamp(std::floor(lo / side), 0.0, most);
  const double end = std::clamp(std::ceil(hi / side), 0.0, most);
  first = static_cast<Index>(begin);
  return static_cast<Index>(end - begin);
}

int CellGrid::at(double share, double lo, double hi, Index cells, Index first, Index count) const {
  const double cell = lo + share * (hi - lo);
  if (!(cell >= 0) || !(cell < static_cast<double>(cells))) return -1;
  const Index k = (static_cast<Index>(cell) >> cells_.level) - first;
  return k >= 0 && k < count ? static_cast<int>(k) : -1;
}

std::vector<ColorRect> cell_rectangles(const CellGrid& grid) {
  std::vector<ColorRect> out;
  for (Index row = 0; row < grid.rows(); ++row) {
    const double top = grid.y(row);
    const double bottom = std::min(grid.y(row + 1) + kOverlap, grid.bottom());
    for (Index col = 0; col < grid.cols();) {
      const int bin = grid.bin(row, col);
      Index end = col + 1;
      while (end < grid.cols() && grid.bin(row, end) == bin) ++end;
      const double left = grid.x(col);
      const double right = std::min(grid.x(end) + kOverlap, grid.right());
      out.push_back({left, top, right - left, bottom - top, grid.color(bin)});
      col = end;
    }
  }
  return out;
}

std::vector<ColorRect> bar_rectangles(const figure::draw::ColorBar& bar) {
  const double x = static_cast<double>(bar.rect.x), y = static_cast<double>(bar.rect.y);
  const double w = static_cast<double>(bar.rect.w), h = static_cast<double>(bar.rect.h);
  std::vector<ColorRect> out;
  for (int k = 0; k < figure::kMapSize; ++k) {
    const double left = x + w * k / figure::kMapSize;
    const double right = std::min(x + w * (k + 1) / figure::kMapSize + kOverlap, x + w);
    out.push_back({left, y, right - left, h, bar.colors->colors()[static_cast<std::size_t>(k)]});
  }
  return out;
}

std::vector<HatchPiece> hatch_pieces(const CellGrid& grid) {
  std::vector<HatchPiece> out;
  if (!grid.any_masked()) return out;
  constexpr double kPeriod = static_cast<double>(kHatchPeriod);
  const double first = std::ceil((grid.left() + grid.top()) / kPeriod) * kPeriod;
  for (double sum = first; sum < grid.right() + grid.bottom(); sum += kPeriod) {
    hatch_line(grid, sum, out);
  }
  return out;
}

}  // namespace paper
