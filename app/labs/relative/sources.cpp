#include "app/labs/relative/scheme.h"

#include <unordered_map>

#include "core/parallel.h"

namespace lab::relative {
namespace {

using core::Pool, core::Region;

// Pools cells: masked ones do not count, one NaN makes the whole NaN.
struct Pooled {
  double sum = 0, count = 0;
  float largest = 0;
  bool nan = false;

  void add(float value, double times) {
    if (core::is_masked(value)) return;
    nan |= std::isnan(value);
    sum += times * to_double(value);
    count += times;
    if (std::abs(value) > std::abs(largest)) largest = value;
  }
  float result(Pool pool) const {
    if (count == 0) return core::kMasked;
    if (nan) return std::nanf("");
    return pool == Pool::max ? largest : to_float(sum / count);
  }
};

// Rows that are computed together: enough for a matrix product to pay.
constexpr Index kBlockRows = 64;

class BlockSource final : public TileSource {
 public:
  BlockSource(Index n, bool causal, BlockFunction cells, double work)
      : n_(n), causal_(causal), cells_(std::move(cells)), work_(work) {}

  Index rows() const override { return n_; }
  Index cols() const override { return n_; }
  float value(Index row, Index col) const override {
    if (causal_ && col > row) return core::kMasked;
    return to_float(cells_({row, 1, col, 1})(0, 0));
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    // Strips of whole pooled rows, side by side on all cores.
    const Index height = std::max<Index>(1, kBlockRows >> level);
    const Index strips = (region.rows + height - 1) / height;
    core::parallel_for(strips, 0, [&](Index strip, int) {
      const Index first = strip * height, count = std::min(height, region.rows - first);
      pool_strip(level, {region.row + first, region.col, count, region.cols}, pool,
                 out + first * region.cols, cancel);
    });
  }

  double cost(int level, const Region& region, core::Pool /*pool*/) const override {
    return std::ldexp(to_double(region.rows * region.cols), 2 * level) * work_;
  }

 private:
  void pool_strip(int level, const Region& region, Pool pool, float* out,
                  const core::Cancel& cancel) const {
    const Index j0 = region.col << level;
    const Index j1 = std::min(n_, (region.col + region.cols) << level);
    const Index i0 = region.row << level;
    const Index i1 = std::min(n_, (region.row + region.rows) << level);
    std::vector<Pooled> pools(to_size(region.rows * region.cols));
    for (Index begin = i0; begin < i1; begin += kBlockRows) {
      cancel.poll();
      const Index end = std::min(i1, begin + kBlockRows);
      const Index right = causal_ ? std::min(j1, end) : j1;
      if (right <= j0) continue;
      const MatrixD cells = cells_({begin, end - begin, j0, right - j0});
      for (Index i = begin; i < end; ++i) {
        Pooled* line = pools.data() + ((i - i0) >> level) * region.cols;
        const double* row = cells.data() + (i - begin) * (right - j0);
        const Index last = causal_ ? std::min(right, i + 1) : right;
        // One pooled cell after the other, so that its sums stay in registers.
        for (Index j = j0; j < last;) {
          Pooled cell = line[(j - j0) >> level];
          const Index stop = std::min(last, j + (Index{1} << level));
          for (Index k = j; k < stop; ++k) cell.add(to_float(row[k - j0]), 1);
          line[(j - j0) >> level] = cell;
          j = stop;
        }
      }
    }
    for (const Pooled& cell : pools) *out++ = cell.result(pool);
  }

  Index n_;
  bool causal_;
  BlockFunction cells_;
  double work_;
};

class DistanceSource final : public TileSource {
 public:
  DistanceSource(Index n, bool causal, std::shared_ptr<const std::vector<float>> values)
      : n_(n), causal_(causal), values_(std::move(values)) {}

  Index rows() const override { return n_; }
  Index cols() const override { return n_; }
  float value(Index row, Index col) const override { return at(col - row); }

  // A whole block depends on column minus row of the block: each is pooled once.
  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    const Index size = Index{1} << level;
    std::unordered_map<Index, float> whole;
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        const Index i = (region.row + r) << level, j = (region.col + c) << level;
        const Index height = std::min(size, n_ - i), width = std::min(size, n_ - j);
        if (height < size || width < size) {
          *out++ = block(i, j, height, width).result(pool);
          continue;
        }
        const auto [found, is_new] = whole.try_emplace(j - i, 0.0f);
        if (is_new) found->second = block(i, j, size, size).result(pool);
        *out++ = found->second;
      }
    }
  }

  double cost(int level, const Region& region, core::Pool /*pool*/) const override {
    return std::ldexp(to_double(region.rows + region.cols), level + 1) +
           to_double(region.rows * region.cols);
  }

 private:
  float at(Index relative) const {
    if (causal_ && relative > 0) return core::kMasked;
    return (*values_)[to_size(relative + n_ - 1)];
  }

  // A block of height x width cells has min(...) cells of each distance.
  Pooled block(Index i, Index j, Index height, Index width) const {
    Pooled pooled;
    for (Index relative = j - (i + height - 1); relative <= j + width - 1 - i; ++relative) {
      const Index from_left = relative - (j - (i + height - 1)) + 1;
      const Index from_right = j + width - 1 - i - relative + 1;
      const Index times = std::min({from_left, from_right, height, width});
      pooled.add(at(relative), to_double(times));
    }
    return pooled;
  }

  Index n_;
  bool causal_;
  std::shared_ptr<const std::vector<float>> values_;
};

}  // namespace

std::shared_ptr<const TileSource> computed_source(Index n, bool causal, BlockFunction cells,
                                                  double work) {
  return std::make_shared<const BlockSource>(n, causal, std::move(cells), work);
}

std::shared_ptr<const TileSource> block_source(Index n, bool causal, BlockFunction cells,
                                               double work) {
  auto computed = computed_source(n, causal, std::move(cells), work);
  if (n > kMostKeptRows) return computed;
  Matrix kept(n, n);
  computed->pooled(0, {0, 0, n, n}, Pool::max, kept.data(), {});
  return std::make_shared<const DenseSource>(std::move(kept));
}

std::shared_ptr<const TileSource> distance_source(
    Index n, bool causal, std::shared_ptr<const std::vector<float>> values) {
  return std::make_shared<const DistanceSource>(n, causal, std::move(values));
}

}  // namespace lab::relative
