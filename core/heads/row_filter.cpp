#include "core/heads/row_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/at_least.h"
#include "core/refuse.h"

namespace core::heads {
namespace {

constexpr double kFloatEpsilon = std::numeric_limits<float>::epsilon();

bool kept(const std::vector<bool>& list, Index at) {
  return list.empty() || list[static_cast<std::size_t>(at)];
}

void divide_by_sum(float* row, Index keys) {
  double sum = 0;
  for (Index j = 0; j < keys; ++j) {
    if (!is_masked(row[j])) sum += static_cast<double>(row[j]);
  }
  const bool divides = std::isfinite(sum) && sum != 0;
  for (Index j = 0; j < keys; ++j) {
    if (is_masked(row[j])) continue;
    row[j] = divides ? static_cast<float>(static_cast<double>(row[j]) / sum) : kMasked;
  }
}

class FilteredRows final : public HeadRows {
 public:
  FilteredRows(HeadPointer rows, RowFilter filter)
      : rows_(std::move(rows)), filter_(std::move(filter)) {}
  Index queries() const override { return rows_->queries(); }
  Index keys() const override { return rows_->keys(); }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    rows_->read(first, count, out, cancel);
    for (Index i = 0; i < count; ++i) {
      cancel.poll();
      filter_row(filter_, first + i, out + i * keys(), keys());
    }
  }

 private:
  HeadPointer rows_;
  RowFilter filter_;
};

void require_length(const std::vector<bool>& list, Index count, const char* what) {
  if (list.empty() || static_cast<Index>(list.size()) == count) return;
  refuse(what, std::to_string(count), std::to_string(list.size()));
}

}  // namespace

std::vector<bool> top_share(const std::vector<float>& row, double share) {
  std::vector<std::size_t> order;
  double sum = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (is_masked(row[j]) || !(row[j] > 0)) continue;
    order.push_back(j);
    sum += static_cast<double>(row[j]);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  std::vector<bool> taken(row.size(), false);
  double reached = 0;
  const auto count = static_cast<Index>(order.size());
  for (const std::size_t j : order) {
    if (at_least(reached, share * sum, count, kFloatEpsilon)) break;
    taken[j] = true;
    reached += static_cast<double>(row[j]);
  }
  return taken;
}

void filter_row(const RowFilter& filter, Index query, float* row, Index keys) {
  const bool looked_at = kept(filter.queries, query);
  for (Index j = 0; j < keys; ++j) {
    if (!looked_at || !kept(filter.keys, j)) row[j] = kMasked;
  }
  if (!looked_at) return;
  if (filter.share < 1) {
    const std::vector<bool> taken = top_share({row, row + keys}, filter.share);
    for (Index j = 0; j < keys; ++j) {
      if (!taken[static_cast<std::size_t>(j)]) row[j] = kMasked;
    }
  }
  if (filter.renormalize) divide_by_sum(row, keys);
}

HeadPointer filtered_rows(HeadPointer rows, RowFilter filter) {
  require_length(filter.queries, rows->queries(), "queries of a filter");
  require_length(filter.keys, rows->keys(), "keys of a filter");
  if (!(filter.share >= 0)) refuse("share of a filter", "0 or more", std::to_string(filter.share));
  return std::make_shared<const FilteredRows>(std::move(rows), std::move(filter));
}

}  // namespace core::heads
