#include "core/block_tile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

// Rows that are computed together: enough for a matrix product to pay.
constexpr Index kBlockRows = 64;

struct Pooled {
  double sum = 0, count = 0;
  float largest = 0;
  bool nan = false;

  void add(float value, double times) {
    if (is_masked(value)) return;
    nan |= std::isnan(value);
    sum += times * static_cast<double>(value);
    count += times;
    if (std::abs(value) > std::abs(largest)) largest = value;
  }
  float result(Pool pool) const {
    if (count == 0) return kMasked;
    if (nan) return std::nanf("");
    return pool == Pool::max ? largest : static_cast<float>(sum / count);
  }
};

void check(const char* where, const SquareTile& tile) {
  const Region& r = tile.region;
  if (tile.n < 0) refuse(where, "a number of rows of at least 0", std::to_string(tile.n));
  if (tile.level < 0 || tile.level > 30) {
    refuse(where, "a level from 0 to 30", std::to_string(tile.level));
  }
  const Index cells = ceil_div(tile.n, Index{1} << tile.level);
  if (std::min({r.row, r.col, r.rows, r.cols}) < 0 || r.row + r.rows > cells ||
      r.col + r.cols > cells) {
    refuse(where, "a region inside " + shape_text(cells, cells) + " cells",
           "one that ends at " + shape_text(r.row + r.rows, r.col + r.cols));
  }
}

// One line of pooled cells takes in a line of cells, from column j0 to `end`.
void pool_line(const double* cells, Index j0, Index end, int level, Pooled* line) {
  // One pooled cell after the other, so that its sums stay in registers.
  for (Index j = j0; j < end;) {
    Pooled cell = line[(j - j0) >> level];
    const Index stop = std::min(end, j + (Index{1} << level));
    for (Index k = j; k < stop; ++k) cell.add(static_cast<float>(cells[k - j0]), 1);
    line[(j - j0) >> level] = cell;
    j = stop;
  }
}

void pool_strip(const BlockCells& cells, const SquareTile& tile, const Region& strip, float* out,
                const Cancel& cancel) {
  const Index j0 = strip.col << tile.level, i0 = strip.row << tile.level;
  const Index j1 = std::min(tile.n, (strip.col + strip.cols) << tile.level);
  const Index i1 = std::min(tile.n, (strip.row + strip.rows) << tile.level);
  std::vector<Pooled> pools(static_cast<std::size_t>(strip.rows * strip.cols));
  for (Index begin = i0; begin < i1; begin += kBlockRows) {
    cancel.poll();
    const Index end = std::min(i1, begin + kBlockRows);
    const Index right = tile.causal ? std::min(j1, end) : j1;
    if (right <= j0) continue;
    const MatrixD block = cells({begin, end - begin, j0, right - j0});
    for (Index i = begin; i < end; ++i) {
      pool_line(block.data() + (i - begin) * (right - j0), j0,
                tile.causal ? std::min(right, i + 1) : right, tile.level,
                pools.data() + ((i - i0) >> tile.level) * strip.cols);
    }
  }
  for (const Pooled& cell : pools) *out++ = cell.result(tile.pool);
}

// What a block of a Toeplitz matrix pools to: it has min(...) cells of each distance.
float pool_diagonals(const Vector& values, const SquareTile& tile, const Block& block) {
  const Index first = block.j0 - (block.i0 + block.rows - 1);
  const Index last = block.j0 + block.cols - 1 - block.i0;
  Pooled pooled;
  for (Index r = first; r <= last; ++r) {
    if (tile.causal && r > 0) break;
    const Index times = std::min({r - first + 1, last - r + 1, block.rows, block.cols});
    pooled.add(values(r + tile.n - 1), static_cast<double>(times));
  }
  return pooled.result(tile.pool);
}

}  // namespace

Matrix block_tile(const BlockCells& cells, const SquareTile& tile, int threads,
                  const Cancel& cancel) {
  check("block_tile", tile);
  const Region& region = tile.region;
  Matrix result(region.rows, region.cols);
  // Strips of whole pooled rows, side by side.
  const Index height = std::max<Index>(1, kBlockRows >> tile.level);
  parallel_for(ceil_div(region.rows, height), threads, [&](Index strip, int) {
    const Index first = strip * height, count = std::min(height, region.rows - first);
    pool_strip(cells, tile, {region.row + first, region.col, count, region.cols},
               result.data() + first * region.cols, cancel);
  });
  return result;
}

Matrix toeplitz_tile(const Vector& values, const SquareTile& tile, const Cancel& cancel) {
  check("toeplitz_tile", tile);
  const Index n = tile.n, size = Index{1} << tile.level;
  if (values.size() != std::max<Index>(2 * n - 1, 0)) {
    refuse("toeplitz_tile", std::to_string(2 * n - 1) + " values", std::to_string(values.size()));
  }
  Matrix result(tile.region.rows, tile.region.cols);
  std::unordered_map<Index, float> whole;  // a block that is not cut depends on j - i alone
  for (Index r = 0; r < result.rows(); ++r) {
    cancel.poll();
    for (Index c = 0; c < result.cols(); ++c) {
      const Index i = (tile.region.row + r) << tile.level, j = (tile.region.col + c) << tile.level;
      const Block block{i, std::min(size, n - i), j, std::min(size, n - j)};
      if (block.rows < size || block.cols < size) {
        result(r, c) = pool_diagonals(values, tile, block);
        continue;
      }
      const auto [found, is_new] = whole.try_emplace(j - i, 0.0f);
      if (is_new) found->second = pool_diagonals(values, tile, block);
      result(r, c) = found->second;
    }
  }
  return result;
}

}  // namespace core
