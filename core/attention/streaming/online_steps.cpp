#include "core/attention/streaming/online_steps.h"

#include <algorithm>
#include <cmath>

#include "core/attention/streaming/online_softmax.h"
#include "core/refuse.h"

namespace core {

VectorD OnlineStep::output() const {
  if (sum == 0) return VectorD::Zero(accumulated.size());
  return accumulated / sum;
}

std::vector<OnlineStep> online_steps(const VectorD& scores, const MatrixD& V, Index block) {
  if (V.rows() != scores.size()) {
    refuse("online_steps", "as many values as scores", shape_text(V));
  }
  if (block < 1) refuse("online_steps", "a block of at least 1", std::to_string(block));
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  std::vector<OnlineStep> steps;
  OnlineSoftmax<double> seen;
  VectorD accumulated = VectorD::Zero(V.cols());
  for (Index first = 0; first < scores.size(); first += block) {
    const Index count = std::min(block, scores.size() - first);
    OnlineStep step{first, count, seen.max()};
    seen.push(scores.segment(first, count));
    step.max = seen.max();
    step.sum = seen.sum();
    step.exponentials = VectorD::Zero(count);
    if (step.max != kNothing) {
      step.factor = std::exp(step.max_before - step.max);
      step.exponentials = (scores.segment(first, count).array() - step.max).exp();
    }
    accumulated =
        accumulated * step.factor + V.middleRows(first, count).transpose() * step.exponentials;
    step.accumulated = accumulated;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace core
