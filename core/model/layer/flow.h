// FLOATER (Liu et al. 2020, "Learning to encode position for transformer with continuous dynamical
// model", section 3): places are read off the course of a learned dynamical system,
//   p(t + 1) = p(t) + the integral of h(tau, p(tau)),  h = tanh([p; tau] W_1 + b_1) W_2 + b_2,
// which is core::FloaterMlp. Every layer has its own beginning p(0); the system is one for all
// layers, as there. A place is one step of the classical method of Runge and Kutta, so the backward
// pass is that of the steps themselves, exactly.
#pragma once

#include "core/model/layer/linear.h"

namespace core::model {

// y (layers length, d): the course of layer l in rows l length and on, its row 0 being row l of
// `start`. Time goes on by `delta` a place.
template <class S>
struct FlowStep {
  Tensor<S> start;                       // (layers, d)
  Tensor<S> in, in_bias, out, out_bias;  // (d + 1, hidden), the last row for tau; (hidden, d)
  Tensor<S> y;
  Index length;
  S delta;
  // For each step and each of its four stages: where it was evaluated (layers, d), and what the
  // tanh gave there (layers, hidden).
  S* kept;

  Index layers() const { return start.rows; }
  Index d() const { return start.cols; }
  Index hidden() const { return out.rows; }
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

struct Flow {
  struct Form {
    Index hidden = 32;
    double delta = 0.1;      // time from place to place
    double deviation = 0.5;  // of the start of p(0)
  };
  Slot start;
  Linear in, out;
  double delta = 0.1;

  // Names "start", "in." and "out.".
  static Flow declare(const Scope& scope, Index layers, Index d, const Form& form);
  explicit operator bool() const { return start.declared(); }

  // The courses of all layers, (layers length, d). Names "flow".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, Index length) const;
};

}  // namespace core::model
