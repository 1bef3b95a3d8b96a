#include "core/position/relative/alibi_tile.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/position/checks.h"

namespace core {
namespace {

void check(const VectorD& slopes, const AlibiFactorTile& tile) {
  const char* where = "alibi_factor_tile";
  position::require_at_least(where, "a number of slopes", 1, slopes.size());
  for (const double slope : slopes) position::require_positive(where, "slope", slope);
  position::require_at_least(where, "a number of distances", 0, tile.n);
  for (const int level : {tile.row_level, tile.col_level}) {
    if (level < 0 || level > 30) refuse(where, "a level from 0 to 30", std::to_string(level));
  }
  const Region& r = tile.region;
  const auto pooled = [](Index cells, int level) {
    return (cells + (Index{1} << level) - 1) >> level;
  };
  const Index rows = pooled(tile.n, tile.row_level), cols = pooled(slopes.size(), tile.col_level);
  position::require_at_least(where, "a region's corner and size", 0,
                             std::min({r.row, r.col, r.rows, r.cols}));
  if (r.row + r.rows > rows || r.col + r.cols > cols) {
    refuse(where, "a region inside " + shape_text(rows, cols) + " cells",
           "one that ends at " + shape_text(r.row + r.rows, r.col + r.cols));
  }
}

}  // namespace

Matrix alibi_factor_tile(const VectorD& slopes, const AlibiFactorTile& tile, const Cancel& cancel) {
  check(slopes, tile);
  const Region& r = tile.region;
  Matrix result(r.rows, r.cols);
  for (Index row = 0; row < r.rows; ++row) {
    cancel.poll();
    const Index first = (r.row + row) << tile.row_level;
    const auto count = static_cast<double>(std::min(Index{1} << tile.row_level, tile.n - first));
    for (Index col = 0; col < r.cols; ++col) {
      const Index begin = (r.col + col) << tile.col_level;
      const Index end = std::min(slopes.size(), begin + (Index{1} << tile.col_level));
      double largest = 0, sum = 0;
      for (Index h = begin; h < end; ++h) {
        const double slope = slopes(h), top = std::exp(-slope * static_cast<double>(first));
        largest = std::max(largest, top);
        sum += top * std::expm1(-slope * count) / (count * std::expm1(-slope));
      }
      const double mean = sum / static_cast<double>(end - begin);
      result(row, col) = static_cast<float>(tile.pool == Pool::max ? largest : mean);
    }
  }
  return result;
}

}  // namespace core
