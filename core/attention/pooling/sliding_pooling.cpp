#include "core/attention/pooling/sliding_pooling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.h"

namespace core {
namespace {

// So few keys are as quick one by one, and then as exact as the plain version.
constexpr Index kFew = 8;
// Weights below this on average would lose too many digits to the moments.
constexpr double kThin = 1e-3;
constexpr Index kMostColumns = 5;

Index columns_of(PoolingKernel kernel) {
  if (kernel == PoolingKernel::boxcar) return 1;
  return kernel == PoolingKernel::triangular ? 3 : kMostColumns;
}

// A sum that keeps what rounding takes away (Neumaier 1974): of any number of terms it is within
// an ulp, where their sizes add up to no more than 2^50 times the result.
struct Compensated {
  double sum = 0, lost = 0;
  void add(double term) {
    const double next = sum + term;
    lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  double value() const { return sum + lost; }
};

}  // namespace

SlidingPooling::SlidingPooling(const VectorD& keys, const VectorD& values, PoolingKernel kernel,
                               double bandwidth, int threads)
    : keys_(keys),
      values_(values),
      kernel_(kernel),
      bandwidth_(bandwidth),
      columns_(columns_of(kernel)),
      cell_of_(static_cast<std::size_t>(keys.size())),
      up_to_(keys.size(), columns_),
      from_(keys.size(), columns_) {
  make_cells();
  parallel_for(2, threads, [&](Index task, int) { run_up(task == 0, task == 0 ? up_to_ : from_); });
}

// From the first key on, each cell takes all keys that are within the bandwidth of its first one,
// by the very comparison that tells whether a key is in reach. So a query's reach, two bandwidths
// wide, begins or ends inside of a cell but never does both.
void SlidingPooling::make_cells() {
  for (Index j = 0; j < keys_.size(); ++j) {
    if (cells_.empty() || !(distance(keys_(j), cells_.back().begin) <= 1)) {
      cells_.push_back({j, j, keys_(j)});
    }
    Cell& cell = cells_.back();
    cell.end = j + 1;
    cell_of_[static_cast<std::size_t>(j)] = static_cast<Index>(cells_.size()) - 1;
  }
  for (Cell& cell : cells_) cell.middle = keys_(cell.begin) / 2 + keys_(cell.end - 1) / 2;
}

void SlidingPooling::run_up(bool forward, MatrixD& moments) const {
  for (const Cell& cell : cells_) {
    std::array<Compensated, kMostColumns> sums;
    for (Index k = 0; k < cell.end - cell.begin; ++k) {
      const Index j = forward ? cell.begin + k : cell.end - 1 - k;
      const double v = (keys_(j) - cell.middle) / bandwidth_, y = values_(j);
      const std::array<double, kMostColumns> terms{y, v, v * y, v * v, v * v * y};
      double* row = moments.data() + j * columns_;
      for (Index c = 0; c < columns_; ++c) {
        const auto at = static_cast<std::size_t>(c);
        sums[at].add(terms[at]);
        row[c] = sums[at].value();
      }
    }
  }
}

void SlidingPooling::at(const VectorD& queries, Index first, Index end, bool left_out,
                        Sums* out) const {
  // What lies left of the reach and what is not right of it come first among the keys, and both
  // grow with the query.
  const auto before = [&](double query, Index j) { return distance(query, j) > 1; };
  const auto not_after = [&](double query, Index j) { return distance(query, j) >= -1; };
  const Index m = keys_.size();
  if (first >= end) return;
  const auto start = [&](const auto& passed) {
    Index low = 0, high = m;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      passed(queries(first), middle) ? low = middle + 1 : high = middle;
    }
    return low;
  };
  Index lo = start(before), hi = std::max(lo, start(not_after)), peak = lo;
  for (Index i = first; i < end; ++i) {
    const double query = queries(i);
    while (lo < m && before(query, lo)) ++lo;
    hi = std::max(lo, hi);
    while (hi < m && not_after(query, hi)) ++hi;
    peak = std::max(lo, peak);
    while (peak < hi && keys_(peak) < query) ++peak;
    std::array<Range, 2> ranges = {Range{lo, hi, 0}, Range{}};
    if (left_out) {
      ranges = {Range{lo, i, 1}, Range{i + 1, hi, -1}};
    } else if (kernel_ == PoolingKernel::triangular) {
      ranges = {Range{lo, peak, 1}, Range{peak, hi, -1}};
    }
    Sums sums;
    for (const Range& range : ranges) add_range(query, range, sums);
    if (!(sums.ones > kThin * static_cast<double>(hi - lo))) {
      sums = {};
      for (const Range& range : ranges) add_keys(query, range, sums);
    }
    out[i] = sums;
  }
}

void SlidingPooling::add_range(double query, Range range, Sums& sums) const {
  for (Range part = range; part.begin < range.end; part.begin = part.end) {
    const auto at = static_cast<std::size_t>(part.begin);
    const Cell& cell = cells_[static_cast<std::size_t>(cell_of_[at])];
    part.end = std::min(range.end, cell.end);
    const bool few = part.end - part.begin <= kFew;
    if (!few && part.begin == cell.begin) {
      add_moments(query, cell, up_to_.data() + (part.end - 1) * columns_, part, sums);
    } else if (!few && part.end == cell.end) {
      add_moments(query, cell, from_.data() + part.begin * columns_, part, sums);
    } else {
      add_keys(query, part, sums);
    }
  }
}

// With z = (query - middle) / h and v = (key - middle) / h the distance is z - v.
void SlidingPooling::add_moments(double query, const Cell& cell, const double* moments, Range range,
                                 Sums& sums) const {
  const double z = (query - cell.middle) / bandwidth_;
  const auto n = static_cast<double>(range.end - range.begin);
  const double y = moments[0];
  switch (kernel_) {
    case PoolingKernel::boxcar:
      sums.ones += n / 2;
      sums.weighted += y / 2;
      return;
    case PoolingKernel::triangular:
      sums.ones += n - range.side * (z * n - moments[1]);
      sums.weighted += y - range.side * (z * y - moments[2]);
      return;
    case PoolingKernel::epanechnikov:
      sums.ones += 0.75 * (n - (z * (z * n - 2 * moments[1]) + moments[3]));
      sums.weighted += 0.75 * (y - (z * (z * y - 2 * moments[2]) + moments[4]));
      return;
    case PoolingKernel::gaussian: return;  // has no end
  }
}

void SlidingPooling::add_keys(double query, Range range, Sums& sums) const {
  for (Index j = range.begin; j < range.end; ++j) {
    const double weight = pooling_kernel(kernel_, distance(query, j));
    sums.ones += weight;
    sums.weighted += weight * values_(j);
  }
}

}  // namespace core
