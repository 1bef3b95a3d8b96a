#include "app/labs/absolute/table_source.h"

#include <algorithm>
#include <cmath>

#include "core/position/frequency.h"
#include "core/position/sinusoidal_tile.h"

namespace lab::absolute {
namespace {

using core::Matrix;
using figure::Pool;
using figure::Region;

class FormulaCells final : public TableCells {
 public:
  FormulaCells(Index n, Index d, const core::SinusoidalOptions& options)
      : n_(n), d_(d), options_(options), theta_(core::frequencies(d, options.base, options.rule)) {}

  Index rows() const override { return n_; }
  Index cols() const override { return d_; }
  float value(Index row, Index col) const override {
    const bool alternating = options_.layout == core::SinusoidalLayout::interleaved;
    const Index i = alternating ? col / 2 : col % (d_ / 2);
    const double angle = static_cast<double>(row) * theta_(i);
    const bool sine = col == core::sine_column(i, d_, options_.layout);
    return static_cast<float>(sine ? std::sin(angle) : std::cos(angle));
  }
  Matrix pooled(int row_level, int col_level, const Region& region, Pool pool,
                const core::Cancel& cancel) const override {
    core::SinusoidalTile tile{n_, d_, options_, row_level, region, pool};
    tile.col_level = col_level;
    return core::sinusoidal_tile(tile, 0, cancel);
  }
  double cost_of_cell() const override { return 4; }

 private:
  Index n_, d_;
  core::SinusoidalOptions options_;
  core::VectorD theta_;
};

class KeptCells final : public TableCells {
 public:
  KeptCells(Matrix table, Index filled) : table_(std::move(table)), filled_(filled) {}

  Index rows() const override { return table_.rows(); }
  Index cols() const override { return table_.cols(); }
  float value(Index row, Index col) const override {
    return row < filled_ ? table_(row, col) : core::kMasked;
  }
  Matrix pooled(int row_level, int col_level, const Region& region, Pool pool,
                const core::Cancel& cancel) const override {
    cancel.poll();
    Matrix result(region.rows, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      for (Index c = 0; c < region.cols; ++c) {
        result(r, c) = block((region.row + r) << row_level, Index{1} << row_level,
                             (region.col + c) << col_level, Index{1} << col_level, pool);
      }
    }
    return result;
  }
  double cost_of_cell() const override { return 1; }

 private:
  float block(Index row, Index high, Index col, Index wide, Pool pool) const {
    high = std::min(high, filled_ - row);
    wide = std::min(wide, cols() - col);
    if (high <= 0) return core::kMasked;
    const auto cells = table_.block(row, col, high, wide);
    if (pool == Pool::mean) return static_cast<float>(cells.cast<double>().mean());
    Index at_row = 0, at_col = 0;
    cells.cwiseAbs().maxCoeff(&at_row, &at_col);
    return cells(at_row, at_col);
  }

  Matrix table_;
  Index filled_;
};

// How an axis of repeated cells is pooled: the level of the cells themselves, and which of their
// pooled cells a range of pooled repetitions needs.
struct PooledAxis {
  int level, bits, asked;
  Index first, count;

  PooledAxis(int asked_level, int repeat_bits, Index begin, Index size)
      : level(std::max(asked_level - repeat_bits, 0)), bits(repeat_bits), asked(asked_level) {
    first = own(begin);
    count = size > 0 ? own(begin + size - 1) - first + 1 : 0;
  }
  // Several pooled repetitions may lie inside of one cell.
  Index own(Index pooled) const { return ((pooled << asked) >> bits) >> level; }
};

}  // namespace

std::shared_ptr<const TableCells> formula_cells(Index n, Index d,
                                                const core::SinusoidalOptions& options) {
  return std::make_shared<FormulaCells>(n, d, options);
}

std::shared_ptr<const TableCells> kept_cells(Matrix table, Index filled) {
  return std::make_shared<KeptCells>(std::move(table), filled);
}

void TableSource::pooled(int level, const Region& region, Pool pool, float* out,
                         const core::Cancel& cancel) const {
  const PooledAxis row(level, row_bits_, region.row, region.rows);
  const PooledAxis col(level, col_bits_, region.col, region.cols);
  const Matrix cells = cells_->pooled(row.level, col.level,
                                      {row.first, col.first, row.count, col.count}, pool, cancel);
  for (Index r = 0; r < region.rows; ++r) {
    for (Index c = 0; c < region.cols; ++c) {
      out[r * region.cols + c] =
          cells(row.own(region.row + r) - row.first, col.own(region.col + c) - col.first);
    }
  }
}

double TableSource::cost(int level, const Region& region, core::Pool /*pool*/) const {
  const PooledAxis row(level, row_bits_, region.row, region.rows);
  const PooledAxis col(level, col_bits_, region.col, region.cols);
  return std::ldexp(static_cast<double>(row.count * col.count), row.level + col.level) *
         cells_->cost_of_cell();
}

std::shared_ptr<const figure::TileSource> TableSource::repeated(int row_bits, int col_bits) const {
  const std::scoped_lock lock(mutex_);
  auto& kept = repeated_[{row_bits, col_bits}];
  if (!kept) kept = std::make_shared<TableSource>(cells_, row_bits, col_bits);
  return kept;
}

}  // namespace lab::absolute
