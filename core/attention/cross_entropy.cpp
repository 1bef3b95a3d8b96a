#include "core/attention/cross_entropy.h"

#include <string>

#include "core/attention/softmax.h"
#include "core/refuse.h"

namespace core {

template <class Scalar>
CrossEntropy<Scalar> cross_entropy(const MatrixOf<Scalar>& logits, const std::vector<Index>& labels,
                                   Reduction reduction) {
  const Index n = logits.rows();
  if (static_cast<Index>(labels.size()) != n) {
    refuse("cross_entropy", "one label per row, " + std::to_string(n),
           std::to_string(labels.size()));
  }
  if (reduction == Reduction::mean && n == 0) {
    refuse("cross_entropy", "at least one row to average over", "none");
  }
  CrossEntropy<Scalar> result;
  result.row_loss.resize(n);
  result.probabilities = softmax_rows(logits);
  result.grad_logits = result.probabilities;
  for (Index i = 0; i < n; ++i) {
    const Index label = labels[static_cast<size_t>(i)];
    if (label < 0 || label >= logits.cols()) {
      refuse("cross_entropy", "labels from 0 to " + std::to_string(logits.cols() - 1),
             std::to_string(label));
    }
    result.row_loss(i) = -log_softmax<Scalar>(logits.row(i))(label);
    result.grad_logits(i, label) -= Scalar(1);
    result.loss += result.row_loss(i);
  }
  if (reduction == Reduction::mean) {
    result.loss /= static_cast<Scalar>(n);
    result.grad_logits /= static_cast<Scalar>(n);
  }
  return result;
}

#define CORE_INSTANTIATE(Scalar)                                                                  \
  template CrossEntropy<Scalar> cross_entropy(const MatrixOf<Scalar>&, const std::vector<Index>&, \
                                              Reduction);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
