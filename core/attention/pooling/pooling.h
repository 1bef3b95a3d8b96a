// Attention pooling of numbers: regression as a weighted mean of the values whose keys lie near the
// query. Keys and queries are numbers; row = query, column = key.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace core {

// The mean of all values, whatever the query: f(x) = sum(y) / m. m >= 1, else InputError.
double average_pooling(const VectorD& values);

enum class PoolingKernel { gaussian, boxcar, epanechnikov, triangular };

// K(u), a density over the real line (its integral is 1): the standard normal density; 1/2 within
// |u| <= 1; Epanechnikov's 3/4 (1 - u^2) within |u| <= 1 (Epanechnikov 1969); 1 - |u| within the
// same. 0 elsewhere; NaN for NaN.
double pooling_kernel(PoolingKernel kernel, double u);

// Result of kernel regression for n queries and m keys.
struct Pooled {
  MatrixD weights;          // (n, m); rows sum to 1, or are all 0 where no key is in reach
  VectorD prediction;       // (n); 0 where no key is in reach
  std::vector<bool> empty;  // (n): no key has a weight
};

// Nadaraya-Watson regression (Nadaraya 1964, Watson 1964): weights K((q - k) / h) divided by their
// sum. keys and values: (m), m >= 1; bandwidth h > 0 and finite; else InputError. A Gaussian's
// weights are a softmax of -(q - k)^2 / (2 h^2), so that a query far from every key still has its
// nearest one; the others leave queries that no key is within h of empty.
Pooled nadaraya_watson(const VectorD& queries, const VectorD& keys, const VectorD& values,
                       PoolingKernel kernel = PoolingKernel::gaussian, double bandwidth = 1);

// The parametric form softmax(-((q - k) w)^2 / 2): a Gaussian of bandwidth 1 / |w|.
Pooled parametric_pooling(const VectorD& queries, const VectorD& keys, const VectorD& values,
                          double w);

// The squared error of the parametric form on its own training points, summed, and its derivative
// by w. Point i is predicted from all points but itself.
struct ParametricLoss {
  double loss = 0, gradient = 0;
};
// x and y: (m), m >= 2, else InputError. The same result for any number of threads.
ParametricLoss parametric_loss(const VectorD& x, const VectorD& y, double w, int threads = 0,
                               const Cancel& cancel = {});

// One step of gradient descent and what it started from.
struct SgdStep {
  double loss, gradient;  // before the step
  double w;               // after it: w - rate * gradient
};
SgdStep parametric_step(const VectorD& x, const VectorD& y, double w, double rate, int threads = 0,
                        const Cancel& cancel = {});

}  // namespace core
