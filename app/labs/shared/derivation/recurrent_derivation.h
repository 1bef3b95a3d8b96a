// How a number of a gated recurrent network's state follows from its gates, the state before and
// what was read (core/model/recurrent/recurrent.h).
#pragma once

#include "app/labs/shared/derivation/model_derivation.h"
#include "core/model/recurrent/recurrent.h"

namespace lab {

// One number of the state of one layer, after one token.
struct StateNumber {
  core::model::Cell cell = core::model::Cell::gru;
  Matrix input_weight, input_bias, state_weight, state_bias;  // all gates side by side
  Numbers x, before;                                          // what is read; the state before
  std::vector<double> cells_before;                           // of an LSTM
  Index unit = 0;
  std::string state = "h", read = "x";  // their letters
  std::function<std::string(std::size_t)> term_name =
      {};  // a number of x as people find it: "c[3]"

  Index hidden() const { return state_weight.rows(); }
  // What gate `k` is given of x and of the state before, and its bias; r z n or i f g o.
  double of_x(Index k) const;
  double of_before(Index k) const;
  double bias(Index k) const;
  // r, z, n or i, f, g, o.
  std::vector<double> gates() const;
  double cell_state() const;  // of an LSTM: c
  double value() const;
};

// With the parameters of the layer that is called `scope`: "encoder.0.forward.".
StateNumber state_number(const core::model::Layout& layout, const float* values,
                         const std::string& scope, core::model::Cell cell);

void explain_state_number(const StateNumber& number, const Words& w, Derivation& lines);

}  // namespace lab
