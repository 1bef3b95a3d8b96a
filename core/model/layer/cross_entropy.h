// The loss of a prediction, and its accuracy.
#pragma once

#include <cstdint>

#include "core/model/learning/tape.h"

namespace core::model {

// The sum over rows of -log softmax(logits)[target], divided by `total`: the mean when total is the
// number of rows that count. Rows with a negative target do not count. With smoothing e the target
// distribution is 1 - e on the target and e / V on every word (Szegedy et al. 2016, section 7).
// targets (rows), below logits.cols, alive as long as the pass.
template <class S>
struct CrossEntropyStep {
  Tensor<S> logits, loss;
  const std::int32_t* targets;
  S total, smoothing;
  S* probabilities;  // (rows, V), of the rows that count
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// InputError when a target lies beyond the vocabulary, total is not above 0 or smoothing not in [0,
// 1).
template <class S>
Tensor<S> cross_entropy(Tape<S>& tape, const Tensor<S>& logits, const std::int32_t* targets,
                        S total, S smoothing = 0);

// -log softmax(logits)[target] of one row of `cols` logits; its probabilities go to
// `probabilities`.
double surprise(const float* logits, Index cols, std::int32_t target, float* probabilities);

// Whether the target has the largest logit of the row; of equal ones the first counts.
template <class S>
bool hit(const S* logits, Index cols, std::int32_t target);

// The number of rows that count and whose target has the largest logit.
template <class S>
Index hits(const Tensor<S>& logits, const std::int32_t* targets);

}  // namespace core::model
