// The position-wise feed-forward network: W_2 f(W_1 x + b_1) + b_2 (Vaswani et al. 2017, equation
// 2), or gated, W_2 (f(W_g x) * W_1 x) (Shazeer 2020, equations 5 and 6).
#pragma once

#include <cmath>

#include "core/model/layer/activation.h"
#include "core/model/layer/linear.h"

namespace core::model {

struct FeedForward {
  Linear up, gate, down;  // gate: declared where it is gated
  Activation function = Activation::relu;
  bool gated = false;

  struct Form {
    Index width = 0;  // of the hidden layer
    Activation function = Activation::relu;
    bool gated = false;
    bool bias = true;

    bool operator==(const Form&) const = default;
  };

  static FeedForward declare(const Scope& scope, Index d_model, const Form& form) {
    FeedForward layer;
    layer.function = form.function;
    layer.gated = form.gated;
    // ReLU sets half of its inputs to 0 (He et al. 2015, equation 10).
    const Start start = Start::normal(std::sqrt(2 / static_cast<double>(d_model)));
    layer.up = Linear::declare(scope.at("up"), d_model, form.width, start, form.bias);
    if (form.gated) layer.gate = Linear::declare(scope.at("gate"), d_model, form.width, form.bias);
    layer.down = Linear::declare(scope.at("down"), form.width, d_model, form.bias);
    return layer;
  }

  // Names "up", "gate" where it is gated, "active" and "down".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences) const {
    const Tensor<S> wide = up(tape, x);
    tape.name("up", wide, sequences);
    Tensor<S> active;
    if (gated) {
      const Tensor<S> gates = gate(tape, x);
      tape.name("gate", gates, sequences);
      active = model::gate(tape, activation(tape, gates, function), wide);
    } else {
      active = activation_over(tape, wide, function);
    }
    tape.name("active", active, sequences);
    const Tensor<S> y = down(tape, active);
    tape.name("down", y, sequences);
    return y;
  }
};

}  // namespace core::model
