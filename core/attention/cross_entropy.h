// The loss of a classifier and its gradient.
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

enum class Reduction { sum, mean };

template <class Scalar>
struct CrossEntropy {
  Scalar loss = 0;                 // the rows' losses, summed or averaged
  VectorOf<Scalar> row_loss;       // (n): -log p of each row's label, not reduced
  MatrixOf<Scalar> probabilities;  // (n, V): softmax of each row
  MatrixOf<Scalar> grad_logits;    // (n, V): d loss / d logits
};

// loss_i = logsumexp(logits_i) - logits_i[label_i]; d loss_i / d logits_i = p_i - onehot(label_i),
// the whole vector (the mean divides both by n). logits: (n, V); n labels, each in [0, V), else
// InputError. The mean of no rows is an InputError too. Natural logarithm.
template <class Scalar>
CrossEntropy<Scalar> cross_entropy(const MatrixOf<Scalar>& logits, const std::vector<Index>& labels,
                                   Reduction reduction = Reduction::mean);

}  // namespace core
