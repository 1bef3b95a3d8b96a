#include "core/attention/pooling/pooling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

constexpr Index kRowsAtOnce = 64;

void require_pairs(const char* where, const VectorD& keys, const VectorD& values, Index least) {
  if (keys.size() >= least && keys.size() == values.size()) return;
  refuse(where, "at least " + std::to_string(least) + " keys and as many values",
         std::to_string(keys.size()) + " and " + std::to_string(values.size()));
}

Pooled pooled(MatrixD weights, const VectorD& values) {
  Pooled result{std::move(weights), {}, {}};
  result.prediction = result.weights * values;
  for (Index i = 0; i < result.weights.rows(); ++i) {
    result.empty.push_back((result.weights.row(i).array() == 0).all());
  }
  return result;
}

// A row whose kernel values are divided by their sum; zeros stay zeros.
MatrixD normalized(MatrixD weights) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const double sum = weights.row(i).sum();
    if (sum != 0) weights.row(i) /= sum;
  }
  return weights;
}

// A left-out point: its error and the derivative of its prediction by w. With s = -(d w)^2 / 2 and
// p = softmax(s): df/dw = sum p_j (ds_j/dw) (y_j - f), ds/dw = -w d^2.
struct Point {
  double error, derivative;
};

Point left_out(const VectorD& x, const VectorD& y, double w, Index out) {
  const double half = w * w / 2;
  double largest = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < x.size(); ++j) {
    const double d = x(out) - x(j);
    if (j != out) largest = std::max(largest, -half * d * d);
  }
  double sum = 0, weighted = 0, squares = 0, both = 0;  // of e, e y, e d^2 and e d^2 y
  for (Index j = 0; j < x.size(); ++j) {
    if (j == out) continue;
    const double d = x(out) - x(j), square = d * d;
    const double e = std::exp(-half * square - largest);
    sum += e;
    weighted += e * y(j);
    squares += e * square;
    both += e * square * y(j);
  }
  const double f = weighted / sum;
  return {f - y(out), -w * (both - f * squares) / sum};
}

}  // namespace

double average_pooling(const VectorD& values) {
  if (values.size() == 0) refuse("average_pooling", "at least one value", "none");
  return values.mean();
}

double pooling_kernel(PoolingKernel kernel, double u) {
  const double size = std::abs(u);
  if (std::isnan(u)) return u;
  switch (kernel) {
    case PoolingKernel::gaussian: return gaussian_kernel(u);
    case PoolingKernel::boxcar: return size <= 1 ? 0.5 : 0;
    case PoolingKernel::epanechnikov: return size <= 1 ? 0.75 * (1 - u * u) : 0;
    case PoolingKernel::triangular: return std::max(0.0, 1 - size);
  }
  return 0;
}

Pooled nadaraya_watson(const VectorD& queries, const VectorD& keys, const VectorD& values,
                       PoolingKernel kernel, double bandwidth) {
  require_pairs("nadaraya_watson", keys, values, 1);
  if (!(bandwidth > 0) || !std::isfinite(bandwidth)) {
    refuse("nadaraya_watson", "a bandwidth above 0", std::to_string(bandwidth));
  }
  if (kernel == PoolingKernel::gaussian) {
    return parametric_pooling(queries, keys, values, 1 / bandwidth);
  }
  MatrixD weights(queries.size(), keys.size());
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      weights(i, j) = pooling_kernel(kernel, (queries(i) - keys(j)) / bandwidth);
    }
  }
  return pooled(normalized(std::move(weights)), values);
}

Pooled parametric_pooling(const VectorD& queries, const VectorD& keys, const VectorD& values,
                          double w) {
  require_pairs("parametric_pooling", keys, values, 1);
  if (!std::isfinite(w)) refuse("parametric_pooling", "a finite w", std::to_string(w));
  MatrixD weights(queries.size(), keys.size());
  for (Index i = 0; i < weights.rows(); ++i) {
    const VectorD scaled = w * (keys.array() - queries(i));
    weights.row(i) = softmax<double>(-0.5 * scaled.array().square()).transpose();
  }
  return pooled(std::move(weights), values);
}

ParametricLoss parametric_loss(const VectorD& x, const VectorD& y, double w, int threads,
                               const Cancel& cancel) {
  require_pairs("parametric_loss", x, y, 2);
  VectorD errors(x.size()), derivatives(x.size());
  const Index blocks = (x.size() + kRowsAtOnce - 1) / kRowsAtOnce;
  parallel_for(blocks, threads, [&](Index block, int) {
    cancel.poll();
    const Index end = std::min(x.size(), (block + 1) * kRowsAtOnce);
    for (Index i = block * kRowsAtOnce; i < end; ++i) {
      const Point point = left_out(x, y, w, i);
      errors(i) = point.error;
      derivatives(i) = point.derivative;
    }
  });
  return {errors.squaredNorm(), 2 * errors.dot(derivatives)};
}

SgdStep parametric_step(const VectorD& x, const VectorD& y, double w, double rate, int threads,
                        const Cancel& cancel) {
  const ParametricLoss at = parametric_loss(x, y, w, threads, cancel);
  return {at.loss, at.gradient, w - rate * at.gradient};
}

}  // namespace core
