// Attention pooling with very many keys: the same numbers as pooling.h, without the n x m weights.
// Keys stand in rising order. Differences to pooling.h are rounding and, with a Gaussian, weights
// below 3e-20 of the largest, which are left out: relative to the values' size less than 1e-11.
#pragma once

#include <vector>

#include "core/attention/pooling/pooling.h"

namespace core {

struct Smoothed {
  VectorD prediction;       // (n); 0 where no key is in reach
  std::vector<bool> empty;  // (n): no key has a weight
};

// nadaraya_watson's predictions at n queries in rising order from m keys in rising order. Costs
// O(n + m) with the kernels that end (sliding_pooling.h), and about as much with a Gaussian (a fast
// Gauss transform where many keys count, the keys within reach one by one where few do). InputError
// as there, and for what is not in rising order. The same for any number of threads.
Smoothed smoothed(const VectorD& queries, const VectorD& keys, const VectorD& values,
                  PoolingKernel kernel = PoolingKernel::gaussian, double bandwidth = 1,
                  int threads = 0, const Cancel& cancel = {});

// The same at the keys themselves, each predicted from all the others. m >= 2.
Smoothed smoothed_left_out(const VectorD& keys, const VectorD& values,
                           PoolingKernel kernel = PoolingKernel::gaussian, double bandwidth = 1,
                           int threads = 0, const Cancel& cancel = {});

// parametric_loss and parametric_step for x in rising order.
ParametricLoss parametric_loss_sorted(const VectorD& x, const VectorD& y, double w, int threads = 0,
                                      const Cancel& cancel = {});
SgdStep parametric_step_sorted(const VectorD& x, const VectorD& y, double w, double rate,
                               int threads = 0, const Cancel& cancel = {});

// How one query weighs its keys, without the weights in memory.
class PoolingRow {
 public:
  // keys in rising order, m >= 1. bandwidth > 0; a Gaussian's may be infinite: all keys alike.
  // Looks at the keys in reach once.
  PoolingRow(double query, const VectorD& keys, const VectorD& values, PoolingKernel kernel,
             double bandwidth);

  double query() const { return query_; }
  // What is divided by sum(): K(u), or of a Gaussian exp(-(u^2 - v^2) / 2) where v is of the key
  // that is nearest to the query: the softmax of its scores, less the largest.
  double share(double key) const;
  double sum() const { return sum_; }
  double weight(double key) const { return empty() ? 0 : share(key) / sum_; }
  bool empty() const { return !(sum_ > 0); }
  double largest() const { return empty() ? 0 : largest_ / sum_; }  // of the weights
  double prediction() const { return prediction_; }                 // 0 when empty
  // 1 / sum of the squared weights: m when all are alike, 1 when one has everything; 0 when empty.
  double neighbors() const { return empty() ? 0 : sum_ * sum_ / squares_; }
  // The keys [begin, end) that were looked at; all others have no weight, or less than 3e-20.
  Index begin() const { return begin_; }
  Index end() const { return end_; }

 private:
  double query_, bandwidth_;
  PoolingKernel kernel_;
  double nearest_ = 0;  // squared distance, of a Gaussian
  double sum_ = 0, squares_ = 0, largest_ = 0, prediction_ = 0;
  Index begin_ = 0, end_ = 0;
};

}  // namespace core
