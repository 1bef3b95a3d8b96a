// Gated recurrent networks. The gated recurrent unit (Cho et al. 2014; in PyTorch's form the reset
// gate acts after the product):
//   r = sigma(W_ir x + b_ir + W_hr h + b_hr),  z = sigma(W_iz x + b_iz + W_hz h + b_hz),
//   n = tanh(W_in x + b_in + r (W_hn h + b_hn)),  h' = (1 - z) n + z h.
// The long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al.
// 2000):
//   i, f, o = sigma(W_i* x + b_i* + W_h* h + b_h*),  g = tanh(W_ig x + b_ig + W_hg h + b_hg),
//   c' = f c + i g,  h' = o tanh(c').
// The gates lie side by side, r z n or i f g o, so that one product makes all of them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/model/layer/linear.h"

namespace core::model {

enum class Cell { gru, lstm };
constexpr Index gates_of(Cell cell) { return cell == Cell::gru ? 3 : 4; }

// States of several layers, `count` tensors (batch, hidden) in the tape's memory; c for an LSTM
// only. With both directions: layer 0 forward, layer 0 backward, layer 1 forward, ...
template <class S>
struct States {
  Tensor<S>*h = nullptr, *c = nullptr;
  Index count = 0;

  // Values undefined.
  static States taken(Tape<S>& tape, Cell cell, Index count, Index batch, Index hidden);
  Tensor<S> cell(Index k) const { return c ? c[k] : Tensor<S>{}; }
  explicit operator bool() const { return count > 0; }
};

// One layer in one direction over all time steps. Padding does not change a state: the last state
// of a sequence is that of its last token, and the backward direction begins there. y is 0 at
// padding.
template <class S>
struct RecurrentStep {
  Cell cell;
  bool reversed;
  Tensor<S> gates;         // (rows, gates hidden): W_i x + b_i
  Tensor<S> weight, bias;  // W_h (hidden, gates hidden), b_h (1, gates hidden)
  Tensor<S> h0, c0;        // (batch, hidden), or none: 0
  Tensor<S> y;             // (rows, >= hidden): all states, from column `column` on; or none
  Index column;
  Tensor<S> h, c;  // (batch, hidden): the last states
  Sequences sequences;
  // States, and cells, before each step and after the last, (length + 1, batch, hidden), in the
  // order of the steps; and the values of the gates, (length, batch, (4 or 5) hidden).
  S *states, *cells, *kept;

  Index hidden() const { return weight.rows; }
  Index kept_width() const { return (gates_of(cell) + 1) * hidden(); }
  Index time(Index step) const { return reversed ? sequences.length - 1 - step : step; }
  bool counts(Index b, Index step) const { return time(step) < sequences.used(b); }
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// One layer in one direction. Weights and biases start as U(-1/sqrt(hidden), 1/sqrt(hidden)).
struct RecurrentLayer {
  Linear input, state;
  Cell cell = Cell::gru;

  static RecurrentLayer declare(const Scope& scope, Cell cell, Index in, Index hidden);
  Index hidden() const { return state.weight.rows; }

  // All steps at once. x (rows, in). Writes all states to y from `column` on, where there is a y,
  // and the last ones to h and c. Names "states" and the gates in the trace.
  template <class S>
  struct Run {
    Tensor<S> h0, c0, y;
    Index column = 0;
    Tensor<S> h, c;
    Sequences sequences;
    bool reversed = false;
  };
  template <class S>
  void operator()(Tape<S>& tape, const Tensor<S>& x, const Run<S>& run) const;

  // One token for each of a batch: `gates` are W_i x + b_i, (batch, gates hidden).
  template <class S>
  void step(Tape<S>& tape, const Tensor<S>& gates, const Tensor<S>& h0, const Tensor<S>& c0,
            const Tensor<S>& h, const Tensor<S>& c) const;
};

template <class S>
struct Recurred {
  Tensor<S> states;  // (rows, width) of the last layer: [forward | backward]
  States<S> last;
};

// Stacked layers; each reads the states of both directions of the one below.
struct Recurrent {
  struct Form {
    Cell cell = Cell::gru;
    Index layers = 1;
    bool both_ways = false;

    bool operator==(const Form&) const = default;
  };
  Form form;
  std::vector<RecurrentLayer> layers;  // in the order of States

  // InputError without a layer.
  static Recurrent declare(const Scope& scope, Index in, Index hidden, const Form& form);
  Index hidden() const { return layers.front().hidden(); }
  Index directions() const { return form.both_ways ? 2 : 1; }
  Index width() const { return directions() * hidden(); }
  Index count() const { return static_cast<Index>(layers.size()); }

  // x (rows, in). `start`: the states before the first tokens, or none: 0. Names "states" of each
  // layer and direction ("0.forward.states") and of the whole. InputError when shapes do not fit.
  template <class S>
  Recurred<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences,
                         const States<S>& start = {}) const;
};

}  // namespace core::model
