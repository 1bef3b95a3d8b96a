#include "core/heads/rollout.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core::heads {
MatrixD with_residual(const HeadRows& weights, double residual, const Cancel& cancel) {
  const Index n = weights.queries();
  if (weights.keys() != n) {
    throw InputError(Message(N_("attention rollout: expected as many keys as queries, got {} and "
                                "{}"),
                             weights.keys(), n));
  }
  if (!(residual >= 0 && residual <= 1)) {
    refuse("attention rollout", "a residual from 0 to 1", std::to_string(residual));
  }
  MatrixD mixed(n, n);
  std::vector<float> row(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    cancel.poll();
    weights.read(i, 1, row.data(), cancel);
    for (Index j = 0; j < n; ++j) {
      const float weight = row[static_cast<std::size_t>(j)];
      mixed(i, j) = is_masked(weight) ? 0 : (1 - residual) * static_cast<double>(weight);
    }
    mixed(i, i) += residual;
    const double sum = mixed.row(i).sum();
    if (sum != 0) mixed.row(i) /= sum;
  }
  return mixed;
}

MatrixD rolled_on(const MatrixD& mixed, const MatrixD& rolled, int threads, const Cancel& cancel) {
  if (mixed.cols() != rolled.rows()) {
    refuse("attention rollout", "layers of one size",
           std::to_string(rolled.rows()) + " and " + std::to_string(mixed.rows()));
  }
  MatrixD product = MatrixD::Zero(mixed.rows(), rolled.cols());
  parallel_for(mixed.rows(), threads, [&](Index i, int) {
    cancel.poll();
    for (Index k = 0; k < mixed.cols(); ++k) {
      if (mixed(i, k) != 0) product.row(i) += mixed(i, k) * rolled.row(k);
    }
  });
  return product;
}

std::vector<MatrixD> rollout_steps(const std::vector<HeadPointer>& layers, double residual,
                                   int threads, const Cancel& cancel) {
  if (layers.empty()) refuse("attention rollout", "at least one layer", "none");
  std::vector<MatrixD> steps;
  for (const HeadPointer& layer : layers) {
    cancel.progress(static_cast<float>(steps.size()) / static_cast<float>(layers.size()));
    MatrixD mixed = with_residual(*layer, residual, cancel.without_progress());
    steps.push_back(steps.empty()
                        ? std::move(mixed)
                        : rolled_on(mixed, steps.back(), threads, cancel.without_progress()));
  }
  return steps;
}

MatrixD rollout(const std::vector<HeadPointer>& layers, double residual, int threads,
                const Cancel& cancel) {
  return rollout_steps(layers, residual, threads, cancel).back();
}

}  // namespace core::heads
