// Attention pooling with very many keys: the same numbers as pooling.h, without the n x m weights.
// Keys stand in rising order. Differences to pooling.h are rounding and, with a Gaussian, weights
// below 3e-20 of the largest, which are left out: relative to the values' size less than 1e-11.
#pragma once

#include <vector>

#include "core/attention/pooling.h"

namespace core {

struct Smoothed {
  VectorD prediction;       // (n); 0 where no key is in reach
  std::vector<bool> empty;  // (n): no key has a weight
};

// nadaraya_watson's predictions at n queries in rising order from m keys in rising order. Costs
// O((n + m) sqrt(m)) with the kernels that end, and about O(n + m) with a Gaussian (a fast Gauss
// transform where many keys count, the keys within reach one by one where few do). InputError as
// there, and for what is not in rising order. The same for any number of threads.
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

}  // namespace core
