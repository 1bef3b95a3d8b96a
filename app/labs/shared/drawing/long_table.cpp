#include "app/labs/shared/drawing/long_table.h"

#include <algorithm>
#include <cmath>

#include "app/labs/lab.h"

namespace lab {
namespace {

using core::Index;

// Which of the table's own pooled cells a range of pooled repetitions needs along one axis: each
// cell stands 2^bits times, 2^level of these are asked for as one.
struct Along {
  int level, bits, own_level;
  Index first, count;

  Along(int asked, int repeat_bits, Index begin, Index size)
      : level(asked), bits(repeat_bits), own_level(std::max(asked - repeat_bits, 0)) {
    first = own(begin);
    count = size > 0 ? own(begin + size - 1) - first + 1 : 0;
  }
  Index own(Index pooled) const { return ((pooled << level) >> bits) >> own_level; }
};

// What stands for a block of cells.
float pooled_block(const LongTable& table, const figure::Region& block, figure::Pool pool) {
  const Index row_end = std::min(table.rows, block.row + block.rows);
  const Index col_end = std::min(table.cols, block.col + block.cols);
  double sum = 0;
  float largest = core::kMasked;
  Index count = 0;
  for (Index r = block.row; r < row_end; ++r) {
    for (Index c = block.col; c < col_end; ++c) {
      const float cell = table.value(r, c);
      if (core::is_masked(cell)) continue;
      if (count == 0 || std::abs(cell) > std::abs(largest)) largest = cell;
      sum += to_double(cell);
      ++count;
    }
  }
  if (count == 0 || pool == figure::Pool::max) return largest;
  return to_float(sum / to_double(count));
}

}  // namespace

void LongTableSource::pooled(int level, const figure::Region& region, figure::Pool pool, float* out,
                             const core::Cancel& cancel) const {
  const Along row(level, row_bits_, region.row, region.rows);
  const Along col(level, col_bits_, region.col, region.cols);
  const core::Matrix cells = table_->pooled(
      row.own_level, col.own_level, {row.first, col.first, row.count, col.count}, pool, cancel);
  for (Index r = 0; r < region.rows; ++r) {
    for (Index c = 0; c < region.cols; ++c) {
      out[r * region.cols + c] =
          cells(row.own(region.row + r) - row.first, col.own(region.col + c) - col.first);
    }
  }
}

double LongTableSource::cost(int level, const figure::Region& region, figure::Pool /*pool*/) const {
  const Along row(level, row_bits_, region.row, region.rows);
  const Along col(level, col_bits_, region.col, region.cols);
  return to_double(row.count * col.count) * table_->cost(row.own_level, col.own_level);
}

std::shared_ptr<const figure::TileSource> LongTableSource::repeated(int row_bits,
                                                                    int col_bits) const {
  const std::scoped_lock lock(mutex_);
  auto& kept = repeated_[{row_bits, col_bits}];
  if (!kept) kept = std::make_shared<LongTableSource>(table_, row_bits, col_bits);
  return kept;
}

std::shared_ptr<const LongTableSource> looked_through(Index rows, Index cols, double cost,
                                                      std::function<float(Index, Index)> value) {
  const LongTable plain{rows, cols, std::move(value), {}, {}};
  LongTable table = plain;
  table.pooled = [plain](int row_level, int col_level, const figure::Region& region,
                         figure::Pool pool, const core::Cancel& cancel) {
    core::Matrix cells(region.rows, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        cells(r, c) = pooled_block(plain,
                                   {(region.row + r) << row_level, (region.col + c) << col_level,
                                    Index{1} << row_level, Index{1} << col_level},
                                   pool);
      }
    }
    return cells;
  };
  table.cost = [cost](int row_level, int col_level) {
    return std::ldexp(cost, row_level + col_level);
  };
  return std::make_shared<const LongTableSource>(
      std::make_shared<const LongTable>(std::move(table)));
}

}  // namespace lab
