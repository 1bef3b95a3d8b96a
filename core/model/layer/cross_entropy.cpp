#include "core/model/layer/cross_entropy.h"

#include <cmath>
#include <string>
#include <type_traits>

#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {
namespace {

template <class S>
double row_loss(const CrossEntropyStep<S>& step, Index i) {
  const S* x = step.logits.values().row(i);
  S* p = step.probabilities + i * step.logits.cols;
  if constexpr (std::is_same_v<S, float>) {
    return kernels::table().cross_entropy(
        {x, step.logits.cols, step.targets[i], step.smoothing, p});
  } else {
    const Eigen::Map<const VectorOf<S>> logits(x, step.logits.cols);
    Eigen::Map<VectorOf<S>> out(p, step.logits.cols);
    const S largest = logits.maxCoeff();
    out = (logits.array() - largest).exp();
    const S sum = out.sum();
    out /= sum;
    const S whole = largest + std::log(sum);
    return whole - (1 - step.smoothing) * x[step.targets[i]] - step.smoothing * logits.mean();
  }
}

}  // namespace

template <class S>
void CrossEntropyStep<S>::forward(Tape<S>&) const {
  double sum = 0;
  for (Index i = 0; i < logits.rows; ++i) {
    if (targets[i] >= 0) sum += row_loss(*this, i);
  }
  *loss.value = static_cast<S>(sum / static_cast<double>(total));
}

// (p - target distribution) / total.
template <class S>
void CrossEntropyStep<S>::backward(Tape<S>&) const {
  if (!logits.gradient) return;
  const S factor = *loss.gradient / total;
  const S spread = smoothing / static_cast<S>(logits.cols);
  for (Index i = 0; i < logits.rows; ++i) {
    if (targets[i] < 0) continue;
    const S* p = probabilities + i * logits.cols;
    S* dx = logits.gradients().row(i);
    add_scaled(p, logits.cols, factor, dx);
    for (Index j = 0; spread > 0 && j < logits.cols; ++j) dx[j] -= factor * spread;
    dx[targets[i]] -= factor * (1 - smoothing);
  }
}

template <class S>
Tensor<S> cross_entropy(Tape<S>& tape, const Tensor<S>& logits, const std::int32_t* targets,
                        S total, S smoothing) {
  const char* where = "cross entropy";
  for (Index i = 0; i < logits.rows; ++i) {
    if (targets[i] >= logits.cols) {
      refuse(where, "targets below " + std::to_string(logits.cols), std::to_string(targets[i]));
    }
  }
  if (!(total > 0)) refuse(where, "a total above 0", std::to_string(total));
  if (!(smoothing >= 0 && smoothing < 1)) {
    refuse(where, "a smoothing from 0 to below 1", std::to_string(smoothing));
  }
  const Tensor<S> loss = tape.tensor(1, 1);
  S* probabilities = tape.template room<S>(logits.size());
  tape.record("cross entropy",
              CrossEntropyStep<S>{logits, loss, targets, total, smoothing, probabilities});
  return loss;
}

double surprise(const float* logits, Index cols, std::int32_t target, float* probabilities) {
  return kernels::table().cross_entropy({logits, cols, target, 0.0F, probabilities});
}

// The index of the largest logit is searched only in rows whose target has the largest value:
// comparing values is far faster than finding the index.
template <class S>
bool hit(const S* logits, Index cols, std::int32_t target) {
  const Eigen::Map<const VectorOf<S>> row(logits, cols);
  return row[target] == row.maxCoeff() &&
         (target == 0 || row.head(target).maxCoeff() < row[target]);
}

template <class S>
Index hits(const Tensor<S>& logits, const std::int32_t* targets) {
  Index count = 0;
  for (Index i = 0; i < logits.rows; ++i) {
    count += targets[i] >= 0 && hit(logits.values().row(i), logits.cols, targets[i]);
  }
  return count;
}

#define ATTNSCOPE_INSTANTIATE(S)                                                           \
  template struct CrossEntropyStep<S>;                                                     \
  template Tensor<S> cross_entropy(Tape<S>&, const Tensor<S>&, const std::int32_t*, S, S); \
  template bool hit(const S*, Index, std::int32_t);                                        \
  template Index hits(const Tensor<S>&, const std::int32_t*);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
