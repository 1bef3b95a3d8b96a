#include "app/labs/shared/long_table.h"

#include <algorithm>

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
  return static_cast<double>(row.count * col.count) * table_->cost(row.own_level, col.own_level);
}

std::shared_ptr<const figure::TileSource> LongTableSource::repeated(int row_bits,
                                                                    int col_bits) const {
  const std::scoped_lock lock(mutex_);
  auto& kept = repeated_[{row_bits, col_bits}];
  if (!kept) kept = std::make_shared<LongTableSource>(table_, row_bits, col_bits);
  return kept;
}

}  // namespace lab
