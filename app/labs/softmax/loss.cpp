// Cross-entropy of one row, its gradient, and what differences make of it.
#include <algorithm>
#include <cmath>

#include "app/labs/softmax/model.h"
#include "core/attention/cross_entropy.h"
#include "core/finite_difference.h"

namespace lab::softmax {
namespace {

constexpr int kStepsPerDecade = 4, kDecades = 14;
constexpr int kAlong = 161;

double largest_difference(const VectorD& a, const VectorD& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace

Loss make_loss(const Parameters& p) {
  const VectorD x = VectorD::Map(p.logits.data(), p.count);
  const auto at = [&](const VectorD& logits) {
    const MatrixD one_row = (logits / p.temperature).transpose();
    return core::cross_entropy(one_row, {p.label - 1});
  };
  const core::ScalarField value = [&](const VectorD& logits) { return at(logits).loss; };
  Loss loss;
  const auto here = at(x);
  loss.value = here.loss;
  loss.gradient = here.grad_logits.row(0).transpose() / p.temperature;
  loss.central = core::central_difference(value, x, p.step);
  loss.forward = core::forward_difference(value, x, p.step);
  loss.central_error = largest_difference(loss.central, loss.gradient);
  loss.forward_error = largest_difference(loss.forward, loss.gradient);
  for (int k = 0; k <= kStepsPerDecade * kDecades; ++k) {
    const double h = std::pow(10.0, static_cast<double>(k) / kStepsPerDecade - kDecades);
    loss.steps.push_back(h);
    const VectorD central = core::central_difference(value, x, h);
    const VectorD forward = core::forward_difference(value, x, h);
    loss.central_errors.push_back(largest_difference(central, loss.gradient));
    loss.forward_errors.push_back(largest_difference(forward, loss.gradient));
  }
  const auto picked = p.logit - 1;
  const double reach = 6 * std::max(1.0, p.temperature);
  for (int k = 0; k < kAlong; ++k) {
    VectorD moved = x;
    moved(picked) += reach * (2.0 * k / (kAlong - 1) - 1);
    loss.along.push_back(moved(picked));
    loss.along_loss.push_back(value(moved));
  }
  return loss;
}

}  // namespace lab::softmax
