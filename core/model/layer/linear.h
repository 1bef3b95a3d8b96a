// y = x W + b, the affine map that every projection is.
#pragma once

#include <cmath>

#include "core/model/learning/tape.h"

namespace core::model {

// W is (in, out), or (out, in) when it is `transposed`: then y = x W^T, as where the embedding is
// also the output layer (Press and Wolf 2017). x (rows, in), y (rows, out); b (1, out), or (rows,
// out) with a bias for each row, or none.
template <class S>
struct LinearStep {
  Tensor<S> x, weight, bias, y;
  bool transposed;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

template <class S>
Tensor<S> linear(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& weight,
                 const Tensor<S>& bias = {}, bool transposed = false) {
  const Tensor<S> y = tape.tensor(x.rows, transposed ? weight.rows : weight.cols);
  tape.record("linear", LinearStep<S>{x, weight, bias, y, transposed});
  return y;
}

struct Linear {
  Slot weight, bias;

  // Initial weights are N(0, 1/in) unless given, initial biases 0.
  static Linear declare(const Scope& scope, Index in, Index out, bool with_bias = true) {
    return declare(scope, in, out, Start::normal(1 / std::sqrt(static_cast<double>(in))),
                   with_bias);
  }
  static Linear declare(const Scope& scope, Index in, Index out, Start start,
                        bool with_bias = true) {
    return {scope.declare("weight", in, out, start),
            with_bias ? scope.declare("bias", 1, out, Start::zeros(), false) : Slot{}};
  }

  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x) const {
    return linear(tape, x, tape.parameter(weight),
                  bias.declared() ? tape.parameter(bias) : Tensor<S>{});
  }
};

}  // namespace core::model
