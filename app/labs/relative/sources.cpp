#include "app/labs/relative/sources.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace lab::relative {
namespace {

using core::Pool;
using core::Region;

// Pools cells: masked ones do not count, one NaN makes the whole NaN.
struct Pooled {
  double sum = 0, count = 0;
  float largest = 0;
  bool nan = false;

  void add(float value, double times) {
    if (core::is_masked(value)) return;
    nan |= std::isnan(value);
    sum += times * static_cast<double>(value);
    count += times;
    if (std::abs(value) > std::abs(largest)) largest = value;
  }
  float result(Pool pool) const {
    if (count == 0) return core::kMasked;
    if (nan) return std::nanf("");
    return pool == Pool::max ? largest : static_cast<float>(sum / count);
  }
};

class RowSource final : public figure::TileSource {
 public:
  RowSource(Index n, bool causal, RowFunction row, double work)
      : n_(n), causal_(causal), row_(std::move(row)), work_(work) {}

  Index rows() const override { return n_; }
  Index cols() const override { return n_; }
  float value(Index row, Index col) const override {
    if (causal_ && col > row) return core::kMasked;
    double cell = 0;
    row_(row, col, 1, &cell);
    return static_cast<float>(cell);
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    const Index j0 = region.col << level, j1 = std::min(n_, (region.col + region.cols) << level);
    std::vector<double> cells(static_cast<std::size_t>(j1 - j0));
    std::vector<Pooled> line(static_cast<std::size_t>(region.cols));
    for (Index r = 0; r < region.rows; ++r) {
      std::fill(line.begin(), line.end(), Pooled{});
      const Index i0 = (region.row + r) << level;
      for (Index i = i0; i < std::min(n_, i0 + (Index{1} << level)); ++i) {
        cancel.poll();
        const Index end = causal_ ? std::min(j1, i + 1) : j1;
        if (end <= j0) continue;
        row_(i, j0, end - j0, cells.data());
        for (Index j = j0; j < end; ++j) {
          line[static_cast<std::size_t>((j - j0) >> level)].add(
              static_cast<float>(cells[static_cast<std::size_t>(j - j0)]), 1);
        }
      }
      for (const Pooled& cell : line) *out++ = cell.result(pool);
    }
  }

  double cost(int level, const Region& region) const override {
    return std::ldexp(static_cast<double>(region.rows * region.cols), 2 * level) * work_;
  }

 private:
  Index n_;
  bool causal_;
  RowFunction row_;
  double work_;
};

class DistanceSource final : public figure::TileSource {
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

  double cost(int level, const Region& region) const override {
    return std::ldexp(static_cast<double>(region.rows + region.cols), level + 1) +
           static_cast<double>(region.rows * region.cols);
  }

 private:
  float at(Index relative) const {
    if (causal_ && relative > 0) return core::kMasked;
    return (*values_)[static_cast<std::size_t>(relative + n_ - 1)];
  }

  // A block of height x width cells has min(...) cells of each distance.
  Pooled block(Index i, Index j, Index height, Index width) const {
    Pooled pooled;
    for (Index relative = j - (i + height - 1); relative <= j + width - 1 - i; ++relative) {
      const Index from_left = relative - (j - (i + height - 1)) + 1;
      const Index from_right = j + width - 1 - i - relative + 1;
      const Index times = std::min({from_left, from_right, height, width});
      pooled.add(at(relative), static_cast<double>(times));
    }
    return pooled;
  }

  Index n_;
  bool causal_;
  std::shared_ptr<const std::vector<float>> values_;
};

}  // namespace

std::shared_ptr<const figure::TileSource> computed_source(Index n, bool causal, RowFunction row,
                                                          double work) {
  return std::make_shared<const RowSource>(n, causal, std::move(row), work);
}

std::shared_ptr<const figure::TileSource> row_source(Index n, bool causal, RowFunction row,
                                                     double work) {
  auto computed = computed_source(n, causal, std::move(row), work);
  if (n > kMostKeptRows) return computed;
  core::Matrix cells(n, n);
  computed->pooled(0, {0, 0, n, n}, Pool::max, cells.data(), {});
  return std::make_shared<const figure::DenseSource>(std::move(cells));
}

std::shared_ptr<const figure::TileSource> distance_source(
    Index n, bool causal, std::shared_ptr<const std::vector<float>> values) {
  return std::make_shared<const DistanceSource>(n, causal, std::move(values));
}

}  // namespace lab::relative
