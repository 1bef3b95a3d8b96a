// Tables that are far longer than wide as heatmaps draw them: pooled over many rows without pooling
// over columns as much (see TileSource::repeated).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "app/figure/tile_source.h"

namespace lab {

// What a long table answers; callable from any thread.
struct LongTable {
  core::Index rows = 0, cols = 0;
  std::function<float(core::Index row, core::Index col)> value;
  // The region in cells of 2^row_level by 2^col_level.
  std::function<core::Matrix(int row_level, int col_level, const figure::Region& region,
                             figure::Pool pool, const core::Cancel& cancel)>
      pooled;
  // About how many multiply-adds a cell of the region takes at these levels.
  std::function<double(int row_level, int col_level)> cost;
};

class LongTableSource final : public figure::TileSource {
 public:
  explicit LongTableSource(std::shared_ptr<const LongTable> table, int row_bits = 0,
                           int col_bits = 0)
      : table_(std::move(table)), row_bits_(row_bits), col_bits_(col_bits) {}

  core::Index rows() const override { return table_->rows << row_bits_; }
  core::Index cols() const override { return table_->cols << col_bits_; }
  float value(core::Index row, core::Index col) const override {
    return table_->value(row >> row_bits_, col >> col_bits_);
  }
  void pooled(int level, const figure::Region& region, figure::Pool pool, float* out,
              const core::Cancel& cancel) const override;
  double cost(int level, const figure::Region& region, figure::Pool pool) const override;
  std::shared_ptr<const figure::TileSource> repeated(int row_bits, int col_bits) const override;

 private:
  std::shared_ptr<const LongTable> table_;
  int row_bits_, col_bits_;
  // Painters know sources by their address, so each repetition is made once.
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, std::shared_ptr<const LongTableSource>> repeated_;
};

// A table of cells that are quick to ask for one by one, `cost` multiply-adds each: what is pooled
// is asked for and looked through. Masked cells stand for nothing; the largest is the largest
// magnitude, with its sign.
std::shared_ptr<const LongTableSource> looked_through(
    core::Index rows, core::Index cols, double cost,
    std::function<float(core::Index row, core::Index col)> value);

}  // namespace lab
