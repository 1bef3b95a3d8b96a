#include "core/position/sinusoidal/sinusoidal_tile.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/position/checks.h"

namespace core {
namespace {

// Number of positions whose cells are computed at a time.
constexpr Index kChunk = 1024;

int col_level(const SinusoidalTile& tile) {
  return tile.col_level < 0 ? tile.level : tile.col_level;
}

void check(const SinusoidalTile& tile) {
  const char* where = "sinusoidal_tile";
  position::require_even_width(where, tile.d);
  position::require_at_least(where, "a number of positions", 0, tile.n);
  for (const int level : {tile.level, col_level(tile)}) {
    if (level < 0 || level > 30) refuse(where, "a level from 0 to 30", std::to_string(level));
  }
  const Region& r = tile.region;
  const auto pooled = [](Index cells, int level) {
    return (cells + (Index{1} << level) - 1) >> level;
  };
  const Index rows = pooled(tile.n, tile.level), cols = pooled(tile.d, col_level(tile));
  position::require_at_least(where, "a region's corner and size", 0,
                             std::min({r.row, r.col, r.rows, r.cols}));
  if (r.row + r.rows > rows || r.col + r.cols > cols) {
    refuse(where, "a region inside " + shape_text(rows, cols) + " cells",
           "one that ends at " + shape_text(r.row + r.rows, r.col + r.cols));
  }
}

// Updates a pooled row with the values of largest magnitude in one row of cells.
void take_largest(const SinusoidalTile& tile, const Matrix& cells, Index row,
                  Eigen::Ref<Eigen::RowVectorXf> largest) {
  for (Index c = 0; c < largest.size(); ++c) {
    const CellSpan columns = cell_span(tile.region.col + c, col_level(tile), tile.d);
    for (Index column = columns.begin; column < columns.end; ++column) {
      const float value = cells(row, column);
      if (std::abs(value) > std::abs(largest(c))) largest(c) = value;
    }
  }
}

Matrix largest_tile(const SinusoidalTile& tile, int threads, const Cancel& cancel) {
  const Region& r = tile.region;
  Matrix result = Matrix::Zero(r.rows, r.cols);
  // A band is the whole pooled rows that fit into a chunk, or one pooled row that takes several
  // chunks.
  const Index band = std::max<Index>(kChunk >> tile.level, 1);
  parallel_for((r.rows + band - 1) / band, threads, [&](Index index, int) {
    const Index first_row = index * band, last_row = std::min(r.rows, first_row + band) - 1;
    const Index begin = cell_span(r.row + first_row, tile.level, tile.n).begin;
    const Index end = cell_span(r.row + last_row, tile.level, tile.n).end;
    Matrix cells;
    for (Index at = begin; at < end; at += kChunk) {
      cancel.poll();
      sinusoidal_table_into(cells, std::min(kChunk, end - at), tile.d, tile.options, at, 1);
      for (Index p = 0; p < cells.rows(); ++p) {
        take_largest(tile, cells, p, result.row(((at + p) >> tile.level) - r.row));
      }
    }
  });
  return result;
}

// Means of sine and cosine over one span of positions, as a row of the table.
VectorD mean_row(const SinusoidalTile& tile, const VectorD& theta, CellSpan positions) {
  const auto count = static_cast<double>(positions.end - positions.begin);
  const double middle = static_cast<double>(positions.begin + positions.end - 1) / 2;
  VectorD row(tile.d);
  for (Index i = 0; i < theta.size(); ++i) {
    // sin(theta / 2) is 0 for theta = 0 only: no other double is a multiple of 2 pi.
    const double half = std::sin(theta(i) / 2);
    const double size = half == 0 ? 1 : std::sin(count * theta(i) / 2) / (count * half);
    row(sine_column(i, tile.d, tile.options.layout)) = size * std::sin(middle * theta(i));
    row(cosine_column(i, tile.d, tile.options.layout)) = size * std::cos(middle * theta(i));
  }
  return row;
}

Matrix mean_tile(const SinusoidalTile& tile, int threads, const Cancel& cancel) {
  const Region& r = tile.region;
  const VectorD theta = frequencies(tile.d, tile.options.base, tile.options.rule);
  Matrix result(r.rows, r.cols);
  parallel_for(r.rows, threads, [&](Index row, int) {
    cancel.poll();
    const VectorD mean = mean_row(tile, theta, cell_span(r.row + row, tile.level, tile.n));
    for (Index c = 0; c < r.cols; ++c) {
      const CellSpan columns = cell_span(r.col + c, col_level(tile), tile.d);
      result(row, c) =
          static_cast<float>(mean.segment(columns.begin, columns.end - columns.begin).mean());
    }
  });
  return result;
}

}  // namespace

double sinusoidal_value(Index p, Index column, Index d, const SinusoidalOptions& options) {
  position::require_at_least("sinusoidal_value", "a position", 0, p);
  const VectorD theta = frequencies(d, options.base, options.rule);
  if (column < 0 || column >= d) {
    refuse("sinusoidal_value", "a column from 0 to below " + std::to_string(d),
           std::to_string(column));
  }
  return sinusoidal_value(p, column, theta, options.layout);
}

double sinusoidal_value(Index p, Index column, const VectorD& theta, SinusoidalLayout layout) {
  const bool interleaved = layout == SinusoidalLayout::interleaved;
  const Index i = interleaved ? column / 2 : column % theta.size();
  const double angle = static_cast<double>(p) * theta(i);
  return column == sine_column(i, 2 * theta.size(), layout) ? std::sin(angle) : std::cos(angle);
}

Matrix sinusoidal_tile(const SinusoidalTile& tile, int threads, const Cancel& cancel) {
  check(tile);
  return tile.pool == Pool::max ? largest_tile(tile, threads, cancel)
                                : mean_tile(tile, threads, cancel);
}

}  // namespace core
