// What a prediction costs, and how often it is right.
#pragma once

#include <cstdint>

#include "core/model/learning/tape.h"

namespace core::model {

// The sum over rows of -log softmax(logits)[target], divided by `total`: the mean when total is how
// many rows count. Rows whose target is negative do not count. With smoothing e the target's
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

// Whether the row's largest logit, the first of several, is the target's.
template <class S>
bool hit(const S* logits, Index cols, std::int32_t target);

// How many of the rows that count have their largest logit at the target.
template <class S>
Index hits(const Tensor<S>& logits, const std::int32_t* targets);

}  // namespace core::model
