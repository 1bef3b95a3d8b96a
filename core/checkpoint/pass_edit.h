// What is changed in the numbers of a pass on its way: nothing, unless a class says otherwise.
#pragma once

#include "core/checkpoint/weights.h"

namespace core::checkpoint {

// Called from many passes at once.
class PassEdit {
 public:
  virtual ~PassEdit() = default;
  // The matrix that stands for a parameter's, which is `stored`.
  virtual Weights::Stored matrix(const Parameter& of, Weights::Stored stored) const;
  // Rows (n, inputs) that a product with a matrix is given.
  virtual void given(Matrix& /*rows*/) const {}
  // Keys, turned, and values, (n, key heads width) both, as a cache would keep them.
  virtual void kept(Matrix& /*keys*/, Matrix& /*values*/) const {}
};

inline Weights::Stored PassEdit::matrix(const Parameter& /*of*/, Weights::Stored stored) const {
  return stored;
}

}  // namespace core::checkpoint
