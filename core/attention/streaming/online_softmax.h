// Softmax of a row that arrives in blocks, in one pass: Milakov and Gimelshein 2018,
// arXiv:1805.02867, algorithm 3. The state is the maximum so far and the sum of exp(x - maximum).
#pragma once

#include <limits>

#include "core/types.h"

namespace core {

// Scalar is float or double. -inf entries add nothing; a NaN stays in the state for good.
template <class Scalar>
class OnlineSoftmax {
 public:
  // -inf before any finite entry came.
  Scalar max() const { return max_; }
  // sum_j exp(x_j - max); 0 before any finite entry came.
  Scalar sum() const { return sum_; }

  // Takes in a block of any size, also 0.
  void push(const VectorOf<Scalar>& block);
  // Takes in everything that `other` saw: the order of pushes and merges only changes rounding.
  void merge(const OnlineSoftmax& other);

  // The weight that an entry x of the row has, given all that came; 0 when only -inf came.
  Scalar weight(Scalar x) const;
  VectorOf<Scalar> weights(const VectorOf<Scalar>& x) const;
  // log sum_j exp(x_j).
  Scalar logsumexp() const;

 private:
  Scalar max_ = -std::numeric_limits<Scalar>::infinity();
  Scalar sum_ = 0;
};

}  // namespace core
