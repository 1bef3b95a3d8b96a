// Pictures of ids that are computed where they are looked at.
#include "app/labs/position_ids/model.h"
#include "app/labs/shared/cell_source.h"
#include "app/labs/shared/long_table.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/stairs.h"

namespace lab::position_ids {
namespace {

using core::Pool;
using core::Region;

constexpr double kRoundingCost = 30;  // multiply-adds that rounding an id takes about as long as

// What a run of numbers has to say about all differences with another run.
struct Run {
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
  double count = 0;
  bool infinite = false, nan = false;

  void add(double x) {
    nan |= std::isnan(x);
    infinite |= std::isinf(x);
    least = std::min(least, x);
    most = std::max(most, x);
    sum += x;
    ++count;
  }
};

double larger(double a, double b) { return std::abs(b) > std::abs(a) ? b : a; }

// All differences, columns minus rows, of two runs. Ids are never negative, so that infinities have
// one sign and their differences are NaN.
float whole(const Run& row, const Run& col, Pool pool) {
  if (row.nan || col.nan || (row.infinite && col.infinite)) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  if (pool == Pool::max) {
    return static_cast<float>(larger(col.least - row.most, col.most - row.least));
  }
  return static_cast<float>(col.sum / col.count - row.sum / row.count);
}

struct Differences {
  std::shared_ptr<const std::vector<double>> x;
  bool causal = false;

  Index size() const { return static_cast<Index>(x->size()); }
  double at(Index k) const { return (*x)[to_size(k)]; }
  float value(Index row, Index col) const {
    return causal && col > row ? core::kMasked : static_cast<float>(at(col) - at(row));
  }

  std::vector<Run> runs(int level, Index first, Index count) const {
    std::vector<Run> result(to_size(count));
    for (Index b = 0; b < count; ++b) {
      const core::CellSpan span = core::cell_span(first + b, level, size());
      for (Index k = span.begin; k < span.end; ++k) result[to_size(b)].add(at(k));
    }
    return result;
  }

  // A block on the diagonal: its cells j <= i.
  float triangle(int level, Index block, Pool pool) const {
    const core::CellSpan span = core::cell_span(block, level, size());
    Run before;
    double largest = 0, sum = 0, cells = 0;
    for (Index i = span.begin; i < span.end; ++i) {
      const double x_i = at(i);
      before.add(x_i);
      if (!std::isfinite(x_i)) return std::numeric_limits<float>::quiet_NaN();  // minus itself
      largest = larger(larger(largest, before.least - x_i), before.most - x_i);
      sum += before.sum - before.count * x_i;
      cells += before.count;
    }
    return static_cast<float>(pool == Pool::max ? largest : sum / cells);
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const {
    const std::vector<Run> rows = runs(level, region.row, region.rows);
    const std::vector<Run> cols = runs(level, region.col, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        const Index row = region.row + r, col = region.col + c;
        if (causal && col >= row) {
          *out++ = col > row ? core::kMasked : triangle(level, row, pool);
        } else {
          *out++ = whole(rows[to_size(r)], cols[to_size(c)], pool);
        }
      }
    }
  }
};

}  // namespace

float group_color(const core::RoundedIds& rounded, Index id) {
  const double value = rounded(id);
  if (!std::isfinite(value)) return core::kMasked;
  return static_cast<float>(rounded.rank(value) % kStepColors);
}

std::shared_ptr<const figure::TileSource> strips_source(std::vector<core::RoundedIds> rows,
                                                        Index start, Index count) {
  auto table = std::make_shared<LongTable>();
  table->rows = static_cast<Index>(rows.size());
  table->cols = count;
  table->value = [rows = std::move(rows), start](Index row, Index col) {
    return group_color(rows[to_size(row)], start + col);
  };
  table->pooled = [value = table->value](int row_level, int col_level, const Region& region,
                                         Pool /*pool*/, const core::Cancel& cancel) {
    Matrix cells(region.rows, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        cells(r, c) = value((region.row + r) << row_level, (region.col + c) << col_level);
      }
    }
    return cells;
  };
  table->cost = [](int, int) { return kRoundingCost; };
  return std::make_shared<const LongTableSource>(std::move(table));
}

std::shared_ptr<const figure::TileSource> wrapped_source(const core::RoundedIds& rounded, Index n,
                                                         Index columns) {
  return cell_source({.rows = (n + columns - 1) / columns,
                      .cols = columns,
                      .value =
                          [rounded, n, columns](Index row, Index col) {
                            const Index id = row * columns + col;
                            return id < n ? group_color(rounded, id) : core::kMasked;
                          },
                      .cost =
                          [](int, const Region& region) {
                            return kRoundingCost * to_double(region.rows * region.cols);
                          }});
}

std::shared_ptr<const figure::TileSource> difference_source(
    std::shared_ptr<const std::vector<double>> x, bool causal) {
  const Differences all{std::move(x), causal};
  Cells cells{all.size(), all.size()};
  cells.value = [all](Index row, Index col) { return all.value(row, col); };
  cells.pooled = [all](int level, const Region& region, Pool pool, float* out,
                       const core::Cancel& cancel) {
    all.pooled(level, region, pool, out, cancel);
  };
  cells.cost = [](int level, const Region& region) {
    return std::ldexp(2 * to_double(region.rows + region.cols), level) +
           4 * to_double(region.rows * region.cols);
  };
  return cell_source(std::move(cells));
}

}  // namespace lab::position_ids
