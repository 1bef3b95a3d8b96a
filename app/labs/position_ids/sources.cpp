#include "app/labs/position_ids/sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/shared/long_table.h"

namespace lab::position_ids {
namespace {

using core::Pool;
using core::Region;

class WrappedSource final : public figure::TileSource {
 public:
  WrappedSource(const core::RoundedIds& rounded, Index n, Index columns)
      : rounded_(rounded), n_(n), columns_(columns) {}

  Index rows() const override { return (n_ + columns_ - 1) / columns_; }
  Index cols() const override { return columns_; }
  float value(Index row, Index col) const override {
    const Index id = row * columns_ + col;
    return id < n_ ? group_color(rounded_, id) : core::kMasked;
  }
  void pooled(int level, const Region& region, Pool /*pool*/, float* out,
              const core::Cancel& cancel) const override {
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        *out++ = value((region.row + r) << level, (region.col + c) << level);
      }
    }
  }
  double cost(int /*level*/, const Region& region, core::Pool /*pool*/) const override {
    return 30 * static_cast<double>(region.rows * region.cols);
  }

 private:
  core::RoundedIds rounded_;
  Index n_, columns_;
};

// What a run of numbers has to say about all differences with another run.
struct Run {
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
  bool infinite = false, nan = false;

  void add(double x) {
    nan |= std::isnan(x);
    infinite |= std::isinf(x);
    least = std::min(least, x);
    most = std::max(most, x);
    sum += x;
  }
};

// Ids are never negative, so that infinities have one sign and their differences are NaN.
bool undefined(const Run& rows, const Run& cols) {
  return rows.nan || cols.nan || (rows.infinite && cols.infinite);
}

double larger(double a, double b) { return std::abs(b) > std::abs(a) ? b : a; }

class DifferenceSource final : public figure::TileSource {
 public:
  DifferenceSource(std::shared_ptr<const std::vector<double>> x, bool causal)
      : x_(std::move(x)), causal_(causal) {}

  Index rows() const override { return static_cast<Index>(x_->size()); }
  Index cols() const override { return rows(); }
  float value(Index row, Index col) const override {
    if (causal_ && col > row) return core::kMasked;
    return static_cast<float>(at(row) - at(col));
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    const std::vector<Run> rows = runs(level, region.row, region.rows);
    const std::vector<Run> cols = runs(level, region.col, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        const Index block_row = region.row + r, block_col = region.col + c;
        if (causal_ && block_col > block_row) {
          *out++ = core::kMasked;
        } else if (causal_ && block_col == block_row) {
          *out++ = triangle(level, block_row, pool);
        } else {
          const auto& row = rows[static_cast<std::size_t>(r)];
          const auto& col = cols[static_cast<std::size_t>(c)];
          *out++ = whole(row, col, counted(level, block_row), counted(level, block_col), pool);
        }
      }
    }
  }

  double cost(int level, const Region& region, core::Pool /*pool*/) const override {
    return std::ldexp(2 * static_cast<double>(region.rows + region.cols), level) +
           4 * static_cast<double>(region.rows * region.cols);
  }

 private:
  double at(Index k) const { return (*x_)[static_cast<std::size_t>(k)]; }
  Index counted(int level, Index block) const {
    return std::min(rows(), (block + 1) << level) - (block << level);
  }

  std::vector<Run> runs(int level, Index first, Index count) const {
    std::vector<Run> result(static_cast<std::size_t>(count));
    for (Index b = 0; b < count; ++b) {
      const Index begin = (first + b) << level, end = std::min(rows(), (first + b + 1) << level);
      for (Index k = begin; k < end; ++k) result[static_cast<std::size_t>(b)].add(at(k));
    }
    return result;
  }

  static float whole(const Run& row, const Run& col, Index height, Index width, Pool pool) {
    if (undefined(row, col)) return std::numeric_limits<float>::quiet_NaN();
    if (pool == Pool::max) {
      return static_cast<float>(larger(row.most - col.least, row.least - col.most));
    }
    return static_cast<float>(row.sum / static_cast<double>(height) -
                              col.sum / static_cast<double>(width));
  }

  // A block on the diagonal: its cells j <= i.
  float triangle(int level, Index block, Pool pool) const {
    const Index begin = block << level, end = begin + counted(level, block);
    Run before;
    double largest = 0, sum = 0, cells = 0;
    for (Index i = begin; i < end; ++i) {
      const double x = at(i);
      before.add(x);
      const auto count = static_cast<double>(i - begin + 1);
      if (!std::isfinite(x)) return std::numeric_limits<float>::quiet_NaN();  // minus itself
      largest = larger(larger(largest, x - before.least), x - before.most);
      sum += count * x - before.sum;
      cells += count;
    }
    return static_cast<float>(pool == Pool::max ? largest : sum / cells);
  }

  std::shared_ptr<const std::vector<double>> x_;
  bool causal_;
};

}  // namespace

float group_color(const core::RoundedIds& rounded, Index id) {
  const double value = rounded(id);
  if (!std::isfinite(value)) return core::kMasked;
  return static_cast<float>(rounded.rank(value) % kGroupColors);
}

std::shared_ptr<const figure::TileSource> strips_source(std::vector<core::RoundedIds> rows,
                                                        Index start, Index count) {
  const auto kept = std::make_shared<const std::vector<core::RoundedIds>>(std::move(rows));
  auto table = std::make_shared<LongTable>();
  table->rows = static_cast<Index>(kept->size());
  table->cols = count;
  table->value = [kept, start](Index row, Index col) {
    return group_color((*kept)[static_cast<std::size_t>(row)], start + col);
  };
  table->pooled = [value = table->value](int row_level, int col_level, const Region& region,
                                         Pool /*pool*/, const core::Cancel& cancel) {
    core::Matrix cells(region.rows, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        cells(r, c) = value((region.row + r) << row_level, (region.col + c) << col_level);
      }
    }
    return cells;
  };
  table->cost = [](int, int) { return 30.0; };
  return std::make_shared<const LongTableSource>(std::move(table));
}

std::shared_ptr<const figure::TileSource> wrapped_source(const core::RoundedIds& rounded, Index n,
                                                         Index columns) {
  return std::make_shared<const WrappedSource>(rounded, n, columns);
}

std::shared_ptr<const figure::TileSource> difference_source(
    std::shared_ptr<const std::vector<double>> x, bool causal) {
  return std::make_shared<const DifferenceSource>(std::move(x), causal);
}

}  // namespace lab::position_ids
