#include "core/heads/pooled_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace core::heads {
namespace {

// The number of largest magnitude, with its sign, or the mean; of a block of cells.
class PooledCell {
 public:
  void add(float number) {
    if (is_masked(number)) return;
    ++count_;
    nan_ = nan_ || std::isnan(number);
    sum_ += static_cast<double>(number);
    if (count_ == 1 || std::abs(number) > std::abs(largest_)) largest_ = number;
  }
  float result(Pool pool) const {
    if (count_ == 0) return kMasked;
    if (nan_) return std::numeric_limits<float>::quiet_NaN();
    return pool == Pool::max ? largest_ : static_cast<float>(sum_ / static_cast<double>(count_));
  }

 private:
  Index count_ = 0;
  bool nan_ = false;
  double sum_ = 0;
  float largest_ = 0;
};

}  // namespace

void pool_rows(const HeadRows& head, int level, const Region& region, Pool pool, float* out,
               const Cancel& cancel) {
  constexpr Index kBlock = 64;  // rows that are read at once
  const Index first = region.row << level, col = region.col << level;
  const Index end = std::min(head.queries(), (region.row + region.rows) << level);
  const Index col_end = std::min(head.keys(), (region.col + region.cols) << level);
  std::vector<PooledCell> cells(static_cast<std::size_t>(region.rows * region.cols));
  Matrix rows(std::min(kBlock, end - first), head.keys());
  for (Index begin = first; begin < end; begin += rows.rows()) {
    const Index count = std::min(rows.rows(), end - begin);
    cancel.poll();
    head.read(begin, count, rows.data(), cancel);
    for (Index i = 0; i < count; ++i) {
      PooledCell* const to = cells.data() + (((begin + i) >> level) - region.row) * region.cols;
      for (Index j = col; j < col_end; ++j) to[(j >> level) - region.col].add(rows(i, j));
    }
  }
  std::transform(cells.begin(), cells.end(), out,
                 [pool](const PooledCell& cell) { return cell.result(pool); });
}

}  // namespace core::heads
