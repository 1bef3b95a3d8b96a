#include "app/labs/shared/cell_source.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

using core::Index;
using figure::Pool;
using figure::Region;

class CellSource final : public figure::TileSource {
 public:
  explicit CellSource(Cells cells) : cells_(std::move(cells)) {}

  Index rows() const override { return cells_.rows; }
  Index cols() const override { return cells_.cols; }
  float value(Index row, Index col) const override { return cells_.value(row, col); }
  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    if (cells_.pooled) return cells_.pooled(level, region, pool, out, cancel);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        *out++ = value((region.row + r) << level, (region.col + c) << level);
      }
    }
  }
  double cost(int level, const Region& region, Pool /*pool*/) const override {
    return cells_.cost(level, region);
  }

 private:
  Cells cells_;
};

}  // namespace

Region Cells::under(int level, const Region& region, Index rows, Index cols) {
  const Index row = region.row << level, col = region.col << level;
  return {row, col, std::min(region.rows << level, rows - row),
          std::min(region.cols << level, cols - col)};
}

std::shared_ptr<const figure::TileSource> cell_source(Cells cells) {
  return std::make_shared<const CellSource>(std::move(cells));
}

}  // namespace lab
