// Functions of single numbers, and element-wise sums and products of two tensors.
#pragma once

#include "core/model/learning/tape.h"

namespace core::model {

enum class Activation {
  relu,       // max(x, 0); its derivative at 0 is taken as 0
  gelu,       // x Phi(x), Phi the normal distribution function (Hendrycks and Gimpel 2016)
  gelu_tanh,  // x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, the same paper's approximation
  silu,       // x / (1 + exp(-x)), also called swish (Elfwing, Uchibe and Doya 2018)
  tanh,
  sigmoid,
};

template <class S>
struct ActivationStep {
  Tensor<S> x, y;
  Activation function;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

template <class S>
Tensor<S> activation(Tape<S>& tape, const Tensor<S>& x, Activation function) {
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  tape.record("activation", ActivationStep<S>{x, y, function});
  return y;
}

// ReLU in place: values and gradients use the memory of x.
template <class S>
struct ReluOverStep {
  Tensor<S> x;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// activation() of an x that nothing else uses, not even the backward pass of the step that made it:
// ReLU then needs no memory of its own. With a trace it does, so that the names keep their values.
template <class S>
Tensor<S> activation_over(Tape<S>& tape, const Tensor<S>& x, Activation function) {
  if (function != Activation::relu || tape.traces()) return activation(tape, x, function);
  tape.record("activation", ReluOverStep<S>{x});
  return x;
}

// y = a + b: the residual connection (He et al. 2016).
template <class S>
struct AddStep {
  Tensor<S> a, b, y;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};
template <class S>
Tensor<S> add(Tape<S>& tape, const Tensor<S>& a, const Tensor<S>& b) {
  const Tensor<S> y = tape.tensor(a.rows, a.cols);
  tape.record("add", AddStep<S>{a, b, y});
  return y;
}

// y += a. The gradient with respect to the old y is that with respect to the sum and stays where it
// is.
template <class S>
struct AddOverStep {
  Tensor<S> a, y;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// a + b in place of b, which nothing else uses, least of all a; see activation_over.
template <class S>
Tensor<S> add_over(Tape<S>& tape, const Tensor<S>& a, const Tensor<S>& b) {
  if (tape.traces()) return add(tape, a, b);
  tape.record("add", AddOverStep<S>{a, b});
  return b;
}

// y = a b, number by number: a gate (Shazeer 2020, "GLU variants improve Transformer").
template <class S>
struct GateStep {
  Tensor<S> a, b, y;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};
template <class S>
Tensor<S> gate(Tape<S>& tape, const Tensor<S>& a, const Tensor<S>& b) {
  const Tensor<S> y = tape.tensor(a.rows, a.cols);
  tape.record("gate", GateStep<S>{a, b, y});
  return y;
}

// Dropout: in training each number is 0 with probability `rate` and otherwise divided by 1 - rate
// (Srivastava et al. 2014, scaled in training). Which ones follows from Pass::dropout, the index of
// the mask in the pass and that of the number in the tensor, so it is the same whenever the pass is
// run again. 0 <= rate < 1.
template <class S>
struct DropoutStep {
  Tensor<S> x, y;
  S rate;
  std::uint64_t mask;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};
template <class S>
Tensor<S> dropout(Tape<S>& tape, const Tensor<S>& x, S rate) {
  if (!tape.pass().train || rate <= 0) return x;
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  tape.record("dropout", DropoutStep<S>{x, y, rate, tape.next_mask()});
  return y;
}

}  // namespace core::model
