// The table of positions as heatmaps draw it: computed where it is looked at, or kept; pooled over
// many positions without pooling over dimensions.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "app/figure/tile_source.h"
#include "core/position/sinusoidal.h"

namespace lab::absolute {

using core::Index;

// Cells of a long table, pooled 2^row_level by 2^col_level.
class TableCells {
 public:
  virtual ~TableCells() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  virtual float value(Index row, Index col) const = 0;
  virtual core::Matrix pooled(int row_level, int col_level, const figure::Region& region,
                              figure::Pool pool, const core::Cancel& cancel) const = 0;
  // Multiply-adds for each cell of the table that a pooled cell stands for.
  virtual double cost_of_cell() const = 0;
};

// PE(p, c) of n positions from the formula; nothing is kept.
std::shared_ptr<const TableCells> formula_cells(Index n, Index d,
                                                const core::SinusoidalOptions& options);
// A matrix; rows from `filled` on are absent.
std::shared_ptr<const TableCells> kept_cells(core::Matrix table, Index filled);

class TableSource final : public figure::TileSource {
 public:
  explicit TableSource(std::shared_ptr<const TableCells> cells, int row_bits = 0, int col_bits = 0)
      : cells_(std::move(cells)), row_bits_(row_bits), col_bits_(col_bits) {}

  Index rows() const override { return cells_->rows() << row_bits_; }
  Index cols() const override { return cells_->cols() << col_bits_; }
  float value(Index row, Index col) const override {
    return cells_->value(row >> row_bits_, col >> col_bits_);
  }
  void pooled(int level, const figure::Region& region, figure::Pool pool, float* out,
              const core::Cancel& cancel) const override;
  double cost(int level, const figure::Region& region, figure::Pool pool) const override;
  std::shared_ptr<const figure::TileSource> repeated(int row_bits, int col_bits) const override;

 private:
  std::shared_ptr<const TableCells> cells_;
  int row_bits_, col_bits_;
  // Painters know sources by their address, so each repetition is made once.
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, std::shared_ptr<const TableSource>> repeated_;
};

}  // namespace lab::absolute
