#include "app/labs/shared/drawing/tensor_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/labs/page.h"

namespace lab {
namespace {

using core::Index;
using core::TensorView;

// In multiply-adds: of a number that is read and pooled; of going to another place of the file,
// which may be on a disk; and of going to another place of an array that must be inflated up to it,
// which is never done while the window waits.
constexpr double kNumberCost = 4, kPlaceCost = 20'000, kInflateCost = 1e7;

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

// The one of the largest magnitude, with its sign; of two the positive one.
class LargestOf {
 public:
  void add(const float* numbers, Index count) {
    float high = high_, low = low_;
    bool nan = false;
    for (Index k = 0; k < count; ++k) {
      const float number = numbers[k];
      high = number > high ? number : high;  // of NaN, no comparison is true
      low = number < low ? number : low;
      nan = nan || (std::isnan(number) && !core::is_masked(number));
    }
    high_ = high;
    low_ = low;
    nan_ = nan_ || nan;
  }
  float result() const {
    if (nan_) return kNoNumber;
    if (low_ > high_) return core::kMasked;  // nothing was seen
    return -low_ > high_ ? low_ : high_;
  }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float high_ = -kInfinity, low_ = kInfinity;
  bool nan_ = false;
};

class MeanOf {
 public:
  void add(const float* numbers, Index count) {
    double sum = sum_;
    Index seen = count_;
    for (Index k = 0; k < count; ++k) {
      const bool masked = core::is_masked(numbers[k]);
      sum += masked ? 0.0 : to_double(numbers[k]);
      seen += masked ? 0 : 1;
    }
    sum_ = sum;
    count_ = seen;
  }
  float result() const {
    if (count_ == 0) return core::kMasked;
    const auto mean = to_float(sum_ / to_double(count_));
    return std::isnan(mean) ? kNoNumber : mean;
  }

 private:
  double sum_ = 0;
  Index count_ = 0;
};

// Pyramid level of cells of 2^row_level by 2^col_level numbers.
struct Levels {
  int row, col;

  // The numbers behind a region of cells.
  core::Region numbers(const TensorView& view, const core::Region& cells) const {
    const Index row_begin = cells.row << row, col_begin = cells.col << col;
    const Index row_end = std::min(view.rows(), (cells.row + cells.rows) << row);
    const Index col_end = std::min(view.cols(), (cells.col + cells.cols) << col);
    return {row_begin, col_begin, row_end - row_begin, col_end - col_begin};
  }
};

template <class Pooled>
core::Matrix pooled_numbers(const TensorView& view, const Levels& levels,
                            const core::Region& region, const core::Cancel& cancel) {
  std::vector<Pooled> cells(to_size(region.rows * region.cols));
  const int along = view.runs_down() ? levels.row : levels.col;
  const auto pool = [&](Index row, Index col, const float* numbers, Index count) {
    const Index first = view.runs_down() ? row : col;
    const Index step = view.runs_down() ? region.cols : 1;
    auto* cell = cells.data() + ((row >> levels.row) - region.row) * region.cols +
                 ((col >> levels.col) - region.col);
    for (Index k = 0; k < count; cell += step) {
      const Index cell_end = (((first + k) >> along) + 1) << along;
      const Index end = std::min(count, cell_end - first);
      cell->add(numbers + k, end - k);
      k = end;
    }
  };
  view.each_run<float>(levels.numbers(view, region), pool, cancel);
  core::Matrix out(region.rows, region.cols);
  std::transform(cells.begin(), cells.end(), out.data(),
                 [](const Pooled& cell) { return cell.result(); });
  return out;
}

core::Matrix plain_numbers(const TensorView& view, const core::Region& region,
                           const core::Cancel& cancel) {
  core::Matrix out(region.rows, region.cols);
  view.read(region, out.data(), cancel);
  return out;
}

}  // namespace

std::shared_ptr<const LongTableSource> tensor_source(TensorView shown) {
  const auto view = std::make_shared<const TensorView>(std::move(shown));
  LongTable table;
  table.rows = view->rows();
  table.cols = view->cols();
  table.value = [view](Index row, Index col) {
    float number = 0;
    view->read({row, col, 1, 1}, &number);
    return number;
  };
  table.pooled = [view](int row_level, int col_level, const core::Region& region, core::Pool pool,
                        const core::Cancel& cancel) {
    const Levels levels{row_level, col_level};
    if (row_level == 0 && col_level == 0) return plain_numbers(*view, region, cancel);
    return pool == core::Pool::max ? pooled_numbers<LargestOf>(*view, levels, region, cancel)
                                   : pooled_numbers<MeanOf>(*view, levels, region, cancel);
  };
  const double place_cost = view->tensor().deflated ? kInflateCost : kPlaceCost;
  table.cost = [place_cost, down = view->runs_down()](int row_level, int col_level) {
    return std::ldexp(place_cost, down ? col_level : row_level) +
           std::ldexp(kNumberCost, row_level + col_level);
  };
  return std::make_shared<const LongTableSource>(
      std::make_shared<const LongTable>(std::move(table)));
}

}  // namespace lab
