#include "core/attention/pooling/pooling_sorted.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/attention/pooling/gauss_transform.h"
#include "core/attention/pooling/sliding_pooling.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

constexpr Index kAtOnce = 64;  // queries
constexpr Index kNone = -1;    // no key is left out

void require_sorted(const char* where, const VectorD& keys, const VectorD& values, Index least) {
  if (keys.size() < least || keys.size() != values.size()) {
    refuse(where, "at least " + std::to_string(least) + " keys and as many values",
           std::to_string(keys.size()) + " and " + std::to_string(values.size()));
  }
  if (!std::is_sorted(keys.begin(), keys.end())) refuse(where, "keys in rising order", "others");
}

// Waking threads would take longer than so many pairs do.
constexpr double kPairsForThreads = 2e5;
// And so many queries and keys where each is looked at once, in runs of so many queries.
constexpr Index kKeysForThreads = 20'000, kRunAtOnce = 2048;

int threads_for(Index queries, Index keys, int threads) {
  const double pairs = static_cast<double>(queries) * static_cast<double>(keys);
  return pairs < kPairsForThreads ? 1 : threads;
}

// Calls fn(i) for every query.
template <class Fn>
void for_each(Index count, int threads, const Cancel& cancel, const Fn& fn) {
  parallel_for((count + kAtOnce - 1) / kAtOnce, threads, [&](Index block, int) {
    cancel.poll();
    const Index end = std::min(count, (block + 1) * kAtOnce);
    for (Index i = block * kAtOnce; i < end; ++i) fn(i);
  });
}

// What a query adds up over its keys: weights, and weights times values; for the slope also both
// times the squared distance. All may carry one common factor.
struct Sums {
  double ones = 0, weighted = 0, squares = 0, weighted_squares = 0;
};

// A Gaussian's weight below exp(-kCut) < 3e-20 of the largest does not count.
constexpr double kCut = 45;

// Squared distance to the nearest key that is not left out.
double nearest_square(const VectorD& keys, double at, Index out) {
  const Index right = std::lower_bound(keys.begin(), keys.end(), at) - keys.begin();
  const auto square = [&](Index j) {
    const bool there = j >= 0 && j < keys.size();
    return there ? (at - keys(j)) * (at - keys(j)) : std::numeric_limits<double>::infinity();
  };
  // A left-out key is the query itself, so that the first key not below it is that one or one that
  // is as near.
  return std::min(square(right == out ? right + 1 : right), square(right - 1));
}

// Gaussians ---------------------------------------------------------------------------------------

// Weights exp(-(d w)^2 / 2) of sorted keys.
class Gaussians {
 public:
  Gaussians(const VectorD& keys, const VectorD& values, double w)
      : keys_(keys),
        values_(values),
        half_(std::min(w * w / 2, std::numeric_limits<double>::max())) {}

  // At query `at` from all keys but `out`: the keys that count, one by one.
  Sums one_by_one(double at, Index out) const {
    const auto begin = keys_.begin(), end = keys_.end();
    const double nearest = nearest_square(keys_, at, out);
    const double reach = std::sqrt(nearest + kCut / half_);
    Sums sums;
    for (auto key = std::lower_bound(begin, end, at - reach); key != end && *key <= at + reach;
         ++key) {
      const Index j = key - begin;
      if (j == out) continue;
      const double square = (at - *key) * (at - *key);
      const double e = std::exp(-half_ * (square - nearest));
      sums.ones += e;
      sums.weighted += e * values_(j);
      sums.squares += e * square;
      sums.weighted_squares += e * square * values_(j);
    }
    return sums;
  }

  // The sums at all queries, in rising order. `left_out`: query i is key i, which does not count.
  std::vector<Sums> at(const VectorD& queries, bool left_out, int wanted,
                       const Cancel& cancel) const {
    const int threads = threads_for(queries.size(), keys_.size(), wanted);
    const auto out = [&](Index i) { return left_out ? i : kNone; };
    std::vector<Sums> sums(static_cast<std::size_t>(queries.size()));
    std::optional<std::vector<GaussTransform::Sums>> fast;
    if (pairs_in_reach(queries) > kPairsWorthIt * static_cast<double>(keys_.size())) {
      fast = GaussTransform(keys_, values_, std::sqrt(half_)).at(queries, threads, cancel);
    }
    for_each(queries.size(), threads, cancel, [&](Index i) {
      const auto k = static_cast<std::size_t>(i);
      const std::optional<Sums> ready = fast ? usable((*fast)[k], out(i)) : std::nullopt;
      sums[k] = ready ? *ready : one_by_one(queries(i), out(i));
    });
    return sums;
  }

 private:
  // Pairs a key from which on the transform is quicker.
  static constexpr double kPairsWorthIt = 300;

  // How many pairs one_by_one would look at, about; 0 where the transform cannot be used.
  double pairs_in_reach(const VectorD& queries) const {
    const double span = keys_(keys_.size() - 1) - keys_(0);
    const double far = std::max(std::abs(queries.minCoeff()), std::abs(queries.maxCoeff()));
    if (!((span + far + std::abs(keys_(0))) * std::sqrt(half_) < 1e11)) return 0;
    const double reach = std::sqrt(kCut / half_);
    Index begin = 0, end = 0;
    double pairs = 0;
    for (const double at : queries) {
      while (begin < keys_.size() && keys_(begin) < at - reach) ++begin;
      while (end < keys_.size() && keys_(end) <= at + reach) ++end;
      pairs += static_cast<double>(end - begin);
    }
    return pairs;
  }

  // The transform's error is below 1e-15 of the keys in reach: a query whose weights add up to less
  // than a thousandth of them would lose too many digits.
  std::optional<Sums> usable(const GaussTransform::Sums& fast, Index out) const {
    Sums sums{fast.ones, fast.weighted, fast.squares / half_, fast.weighted_squares / half_};
    if (out != kNone) {
      sums.ones -= 1;
      sums.weighted -= values_(out);
    }
    if (!(sums.ones >= 1e-3 * fast.within_reach) || fast.within_reach == 0) return std::nullopt;
    if (half_ == 0) sums.squares = sums.weighted_squares = 0;  // nothing depends on the distance
    return sums;
  }

  const VectorD &keys_, &values_;
  double half_;
};

Smoothed smooth(const VectorD& queries, const VectorD& keys, const VectorD& values,
                PoolingKernel kernel, double bandwidth, bool left_out, int threads,
                const Cancel& cancel) {
  if (!(bandwidth > 0) || !std::isfinite(bandwidth)) {
    refuse("smoothed", "a bandwidth above 0", std::to_string(bandwidth));
  }
  std::vector<Sums> sums(static_cast<std::size_t>(queries.size()));
  if (queries.size() > 0 && kernel == PoolingKernel::gaussian) {
    sums = Gaussians(keys, values, 1 / bandwidth).at(queries, left_out, threads, cancel);
  } else {
    std::vector<SlidingPooling::Sums> slid(sums.size());
    const int enough = queries.size() + keys.size() < kKeysForThreads ? 1 : threads;
    cancel.poll();
    const SlidingPooling sliding(keys, values, kernel, bandwidth, enough);
    parallel_for(ceil_div(queries.size(), kRunAtOnce), enough, [&](Index run, int) {
      cancel.poll();
      const Index begin = run * kRunAtOnce, end = std::min(queries.size(), begin + kRunAtOnce);
      sliding.at(queries, begin, end, left_out, slid.data());
    });
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = {slid[i].ones, slid[i].weighted};
  }
  Smoothed result{VectorD::Zero(queries.size()), std::vector<bool>(sums.size())};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.empty[i] = !(sums[i].ones > 0);
    if (!result.empty[i])
      result.prediction(static_cast<Index>(i)) = sums[i].weighted / sums[i].ones;
  }
  return result;
}

}  // namespace

Smoothed smoothed(const VectorD& queries, const VectorD& keys, const VectorD& values,
                  PoolingKernel kernel, double bandwidth, int threads, const Cancel& cancel) {
  require_sorted("smoothed", keys, values, 1);
  if (!std::is_sorted(queries.begin(), queries.end())) {
    refuse("smoothed", "queries in rising order", "others");
  }
  return smooth(queries, keys, values, kernel, bandwidth, false, threads, cancel);
}

Smoothed smoothed_left_out(const VectorD& keys, const VectorD& values, PoolingKernel kernel,
                           double bandwidth, int threads, const Cancel& cancel) {
  require_sorted("smoothed_left_out", keys, values, 2);
  return smooth(keys, keys, values, kernel, bandwidth, true, threads, cancel);
}

// As in pooling.cpp: f = sum p_j y_j, df/dw = -w sum p_j d_j^2 (y_j - f).
ParametricLoss parametric_loss_sorted(const VectorD& x, const VectorD& y, double w, int threads,
                                      const Cancel& cancel) {
  require_sorted("parametric_loss_sorted", x, y, 2);
  if (!std::isfinite(w)) refuse("parametric_loss_sorted", "a finite w", std::to_string(w));
  const std::vector<Sums> all = Gaussians(x, y, w).at(x, true, threads, cancel);
  ParametricLoss result;
  for (Index i = 0; i < x.size(); ++i) {
    const Sums& sums = all[static_cast<std::size_t>(i)];
    const double f = sums.weighted / sums.ones, error = f - y(i);
    const double derivative = -w * (sums.weighted_squares - f * sums.squares) / sums.ones;
    result.loss += error * error;
    result.gradient += 2 * error * derivative;
  }
  return result;
}

PoolingRow::PoolingRow(double query, const VectorD& keys, const VectorD& values,
                       PoolingKernel kernel, double bandwidth)
    : query_(query), bandwidth_(bandwidth), kernel_(kernel) {
  require_sorted("PoolingRow", keys, values, 1);
  const bool endless = kernel == PoolingKernel::gaussian;
  if (!(bandwidth > 0) || (!endless && !std::isfinite(bandwidth))) {
    refuse("PoolingRow", "a bandwidth above 0", std::to_string(bandwidth));
  }
  if (!std::isfinite(query)) refuse("PoolingRow", "a finite query", std::to_string(query));
  double reach = bandwidth * (1 + 1e-9);
  if (endless) {
    nearest_ = nearest_square(keys, query, kNone);
    reach = std::sqrt(nearest_ + 2 * kCut * bandwidth * bandwidth);
  }
  const auto first = keys.begin(), last = keys.end();
  begin_ = std::lower_bound(first, last, query - reach) - first;
  end_ = std::upper_bound(first, last, query + reach) - first;
  double weighted = 0;
  for (Index j = begin_; j < end_; ++j) {
    const double one = share(keys(j));
    sum_ += one;
    squares_ += one * one;
    weighted += one * values(j);
    largest_ = std::max(largest_, one);
  }
  if (!empty()) prediction_ = weighted / sum_;
}

double PoolingRow::share(double key) const {
  const double distance = query_ - key;
  if (kernel_ != PoolingKernel::gaussian) return pooling_kernel(kernel_, distance / bandwidth_);
  const double beyond = distance * distance - nearest_;
  // Not divided first: a bandwidth may be so small or so large that its square is not a number.
  return beyond == 0 ? 1 : std::exp(-beyond / bandwidth_ / bandwidth_ / 2);
}

SgdStep parametric_step_sorted(const VectorD& x, const VectorD& y, double w, double rate,
                               int threads, const Cancel& cancel) {
  const ParametricLoss at = parametric_loss_sorted(x, y, w, threads, cancel);
  return {at.loss, at.gradient, w - rate * at.gradient};
}

}  // namespace core
