// FLOATER (Liu et al. 2020, "Learning to encode position for transformer with continuous dynamical
// model", section 3): positions are read off the trajectory of a learned dynamical system,
//   p(t + 1) = p(t) + the integral of h(tau, p(tau)),  h = tanh([p; tau] W_1 + b_1) W_2 + b_2,
// which is core::FloaterMlp. As in the paper, every layer has its own p(0), and all layers share
// the system. From one position to the next it takes one step of the classical Runge-Kutta method,
// and the backward pass differentiates these steps exactly.
#pragma once

#include "core/model/layer/linear.h"

namespace core::model {

// y (layers length, d): the trajectory of layer l from row l length on; its row 0 is row l of
// `start`. Time advances by `delta` between positions.
template <class S>
struct FlowStep {
  Tensor<S> start;                       // (layers, d)
  Tensor<S> in, in_bias, out, out_bias;  // (d + 1, hidden), the last row for tau; (hidden, d)
  Tensor<S> y;
  Index length;
  S delta;
  // For each step and each of its four stages: the point of evaluation (layers, d), and the result
  // of tanh there (layers, hidden).
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
    double delta = 0.1;      // time between two positions
    double deviation = 0.5;  // standard deviation of the initial p(0)
  };
  Slot start;
  Linear in, out;
  double delta = 0.1;

  // Names "start", "in." and "out.".
  static Flow declare(const Scope& scope, Index layers, Index d, const Form& form);
  explicit operator bool() const { return start.declared(); }

  // The trajectories of all layers, (layers length, d). Names "flow".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, Index length) const;
};

}  // namespace core::model
