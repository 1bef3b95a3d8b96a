#include "core/heads/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace core::heads {
namespace {

struct RowSum {
  double sum = 0;
  bool nan = false, negative = false, empty = true;
  double largest = 0;
  Index keys = 0;                 // that are not masked
  Index weighing = 0, last = -1;  // those with a weight other than 0, and the last one of them

  bool chose(Index own) const {
    return has_choice(keys) && (own != 0 || last != 0 || has_choice(weighing));
  }
};

RowSum look_at(const std::vector<float>& row) {
  RowSum seen;
  for (std::size_t key = 0; key < row.size(); ++key) {
    const float weight = row[key];
    if (is_masked(weight)) continue;
    ++seen.keys;
    if (weight != 0) {
      ++seen.weighing;
      seen.last = static_cast<Index>(key);
    }
    seen.nan = seen.nan || !std::isfinite(weight);
    seen.negative = seen.negative || weight < 0;
    seen.empty = seen.empty && weight == 0;
    seen.sum += static_cast<double>(weight);
    if (std::isfinite(weight)) seen.largest = std::max(seen.largest, static_cast<double>(weight));
  }
  return seen;
}

void count(const RowSum& row, Index query, double tolerance, RowFaults& faults) {
  ++faults.rows;
  faults.nan += row.nan;
  faults.negative += row.negative;
  faults.empty += row.empty;
  faults.largest = std::max(faults.largest, row.largest);
  if (row.nan || row.empty) return;
  const double off = std::abs(row.sum - 1);
  if (!(off > tolerance)) return;
  ++faults.not_one;
  if (faults.worst_row < 0 || off > std::abs(faults.worst_sum - 1)) {
    faults.worst_sum = row.sum;
    faults.worst_row = query;
  }
}

void add_row(const std::vector<float>& row, const RowSum& seen, Index own,
             const std::vector<bool>& marked, HeadStatistics& total) {
  ++total.counted;
  double entropy = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (is_masked(row[j]) || !(row[j] > 0)) continue;
    const double weight = static_cast<double>(row[j]) / seen.sum;
    const Index key = static_cast<Index>(j);
    entropy -= weight * std::log(weight);
    total.distance += weight * static_cast<double>(std::abs(key - own));
    if (key == 0) total.first += weight;
    if (key == own) total.diagonal += weight;
    if (key == own - 1) total.previous += weight;
    if (j < marked.size() && marked[j]) total.separators += weight;
  }
  total.entropy += entropy;
  total.entropy_share += entropy / std::log(static_cast<double>(seen.keys));
}

}  // namespace

void RowFaults::add(const RowFaults& other) {
  rows += other.rows;
  nan += other.nan;
  negative += other.negative;
  not_one += other.not_one;
  empty += other.empty;
  largest = std::max(largest, other.largest);
  if (other.worst_row < 0) return;
  if (worst_row < 0 || std::abs(other.worst_sum - 1) > std::abs(worst_sum - 1)) {
    worst_sum = other.worst_sum;
    worst_row = other.worst_row;
  }
}

double sum_tolerance(NumberType type) {
  switch (type) {
    case NumberType::float16: return 0x1p-9;
    case NumberType::bfloat16: return 0x1p-6;
    case NumberType::float32:
    case NumberType::float64: return 1e-4;
    default: return 0;
  }
}

std::vector<Index> spread_rows(Index rows, Index most) {
  const Index kept = most > 0 ? std::min(rows, most) : rows;
  std::vector<Index> all(static_cast<std::size_t>(kept));
  for (Index k = 0; k < kept; ++k) {
    // k rows / kept, without the product of two large numbers.
    all[static_cast<std::size_t>(k)] = k * (rows / kept) + k * (rows % kept) / kept;
  }
  return all;
}

HeadStatistics head_statistics(const HeadRows& head, const StatisticsOptions& options,
                               const Cancel& cancel) {
  HeadStatistics total;
  Index with_previous = 0;
  std::vector<float> row(static_cast<std::size_t>(head.keys()));
  for (const Index query : spread_rows(head.queries(), options.most_rows)) {
    cancel.poll();
    head.read(query, 1, row.data(), cancel);
    const RowSum seen = look_at(row);
    count(seen, query, options.tolerance, total.faults);
    const Index own = own_key(query, head.queries(), head.keys());
    if (seen.nan || seen.negative || seen.empty || !seen.chose(own)) continue;
    add_row(row, seen, own, options.separators, total);
    with_previous += own > 0;
  }
  const auto mean = [](double& sum, Index rows) {
    sum = rows > 0 ? sum / static_cast<double>(rows) : std::numeric_limits<double>::quiet_NaN();
  };
  for (double* sum : {&total.entropy, &total.entropy_share, &total.distance, &total.first,
                      &total.diagonal, &total.separators}) {
    mean(*sum, total.counted);
  }
  mean(total.previous, with_previous);
  return total;
}

double largest_magnitude(const HeadRows& head, Index rows, const Cancel& cancel) {
  double largest = 0;
  for (const Index query : spread_rows(head.queries(), rows)) {
    for (const float weight : head.row(query, cancel)) {
      if (std::isfinite(weight)) largest = std::max(largest, std::abs(static_cast<double>(weight)));
    }
  }
  return largest;
}

Index not_finite_rows(const HeadRows& head, Index rows, const Cancel& cancel) {
  Index found = 0;
  for (const Index query : spread_rows(head.queries(), rows)) {
    const std::vector<float> row = head.row(query, cancel);
    found += std::any_of(row.begin(), row.end(),
                         [](float weight) { return !std::isfinite(weight) && !is_masked(weight); });
  }
  return found;
}

}  // namespace core::heads
