#include "app/figure/pyramid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "app/figure/tile_source.h"
#include "core/types.h"

namespace figure {
namespace {

constexpr int kTileLevel = 9;
constexpr Index kTile = Index{1} << kTileLevel;  // columns that stay in the first-level cache
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

bool visible(float cell) { return std::bit_cast<std::uint32_t>(cell) != core::kMaskedBits; }

// What the visible cells of a block have in common, for the greatest magnitude: the highest, the
// lowest, and whether one is not a number. The loops are plain ones over arrays, of which the
// compiler makes vectors.
struct Greatest {
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  float high[kTile], low[kTile];
  std::uint32_t nan[kTile];

  void clear() {
    std::fill_n(high, kTile, -kInfinity);
    std::fill_n(low, kTile, kInfinity);
    std::fill_n(nan, kTile, 0u);
  }
  void add(const float* __restrict cells, Index first, Index count) {
    float* __restrict highest = high + first, * __restrict lowest = low + first;
    std::uint32_t* __restrict special = nan + first;
    for (Index j = 0; j < count; ++j) {
      const float cell = cells[j];  // of what is masked, too, no comparison is true
      highest[j] = cell > highest[j] ? cell : highest[j];
      lowest[j] = cell < lowest[j] ? cell : lowest[j];
      special[j] |= cell != cell && visible(cell) ? 1u : 0u;
    }
  }
  // Column j of `to` becomes columns 2j and 2j + 1 of this.
  void halve(Index count, Greatest& to) const {
    for (Index j = 0; j < count; ++j) to.high[j] = std::max(high[2 * j], high[2 * j + 1]);
    for (Index j = 0; j < count; ++j) to.low[j] = std::min(low[2 * j], low[2 * j + 1]);
    for (Index j = 0; j < count; ++j) to.nan[j] = nan[2 * j] | nan[2 * j + 1];
  }
  void join(Index column, const Greatest& other, Index from) {
    high[column] = std::max(high[column], other.high[from]);
    low[column] = std::min(low[column], other.low[from]);
    nan[column] |= other.nan[from];
  }
  float result(Index column) const {
    if (nan[column] != 0) return kNaN;
    if (low[column] > high[column]) return core::kMasked;  // nothing was seen
    return -low[column] > high[column] ? low[column] : high[column];
  }
};

// The same for the mean.
struct Mean {
  double sums[kTile];
  double counts[kTile];

  void clear() {
    std::fill_n(sums, kTile, 0.0);
    std::fill_n(counts, kTile, 0.0);
  }
  void add(const float* cells, Index first, Index count) {
    for (Index j = 0; j < count; ++j) {
      const bool here = visible(cells[j]);
      sums[first + j] += static_cast<double>(here ? cells[j] : 0.0f);
      counts[first + j] += here ? 1.0 : 0.0;
    }
  }
  void halve(Index count, Mean& to) const {
    for (Index j = 0; j < count; ++j) to.sums[j] = sums[2 * j] + sums[2 * j + 1];
    for (Index j = 0; j < count; ++j) to.counts[j] = counts[2 * j] + counts[2 * j + 1];
  }
  void join(Index column, const Mean& other, Index from) {
    sums[column] += other.sums[from];
    counts[column] += other.counts[from];
  }
  float result(Index column) const {
    if (counts[column] == 0) return core::kMasked;
    const auto mean = static_cast<float>(sums[column] / counts[column]);
    return std::isnan(mean) ? kNaN : mean;
  }
};

// The visible part of a row's columns [begin, end): masks that are ranges cost nothing a cell.
template <class Columns>
void add_row(const MaskedCells& cells, Index row, Index begin, Index end, Columns& columns) {
  const float* const line = cells.data + row * cells.cols;
  if (!cells.mask) return columns.add(line + begin, 0, end - begin);
  const core::KeyRange range = cells.mask->range(row);
  const Index first = std::max(begin, range.begin), last = std::min(end, range.end);
  if (first >= last) return;
  if (cells.mask->is_ranges()) return columns.add(line + first, first - begin, last - first);
  float shown[kTile];
  for (Index j = first; j < last; ++j) {
    shown[j - first] = cells.mask->allowed(row, j) ? line[j] : core::kMasked;
  }
  columns.add(shown, first - begin, last - first);
}

// A tile of columns, and what it becomes when neighbours are joined: the two take turns.
template <class Columns>
struct Halving {
  Columns one, other;

  // Columns of the rows [first, last) joined to blocks of 2^level, at most a tile each.
  const Columns& blocks(const MaskedCells& cells, Index first, Index last, Index begin, Index end,
                        int level) {
    Columns *now = &one, *next = &other;
    now->clear();
    for (Index i = first; i < last; ++i) add_row(cells, i, begin, end, *now);
    // What lies behind the last column is clear, up to a whole block.
    Index count = pooled_size(end - begin, level) << level;
    for (int l = 0; l < level; ++l) {
      count /= 2;
      now->halve(count, *next);
      std::swap(now, next);
    }
    return *now;
  }
};

template <class Columns>
std::vector<float> build(const MaskedCells& cells, int level, const core::Cancel& cancel) {
  const Index rows = pooled_size(cells.rows, level), cols = pooled_size(cells.cols, level);
  std::vector<float> made(static_cast<std::size_t>(rows * cols));
  const auto halving = std::make_unique<Halving<Columns>>();
  const auto wide = std::make_unique<Columns>();  // a block that is wider than a tile
  const int within = std::min(level, kTileLevel);
  for (Index r = 0; r < rows; ++r) {
    float* const out = made.data() + r * cols;
    const Index first = r << level, last = std::min(cells.rows, (r + 1) << level);
    wide->clear();
    for (Index begin = 0; begin < cells.cols; begin += kTile) {
      cancel.poll();
      const Index end = std::min(cells.cols, begin + kTile);
      const Columns& blocks = halving->blocks(cells, first, last, begin, end, within);
      if (level <= kTileLevel) {
        const Index count = pooled_size(end - begin, level);
        for (Index j = 0; j < count; ++j) out[(begin >> level) + j] = blocks.result(j);
        continue;
      }
      wide->join(0, blocks, 0);
      if (end < cells.cols && end % (Index{1} << level) != 0) continue;
      out[begin >> level] = wide->result(0);
      wide->clear();
    }
  }
  return made;
}

}  // namespace

const std::vector<float>& Pyramid::get(const MaskedCells& cells, int level, core::Pool pool,
                                       const core::Cancel& cancel) {
  Level& wanted = levels_[place(level, pool)];
  if (wanted.ready.load(std::memory_order_acquire)) return wanted.cells;
  const std::scoped_lock lock(mutex_);
  if (!wanted.ready.load(std::memory_order_relaxed)) {
    wanted.cells = pool == core::Pool::max ? build<Greatest>(cells, level, cancel)
                                           : build<Mean>(cells, level, cancel);
    wanted.ready.store(true, std::memory_order_release);
  }
  return wanted.cells;
}

bool Pyramid::made(int level, core::Pool pool) const {
  return levels_[place(level, pool)].ready.load(std::memory_order_acquire);
}

}  // namespace figure
