// Rows of a table, looked up by number; and a table of positions added to every sequence.
#pragma once

#include <cstdint>

#include "core/model/tape.h"

namespace core::model {

// y[i] = factor * table[ids[i]]. ids (rows) lie in [0, table.rows) and live as long as the pass.
// Vaswani et al. 2017, section 3.4, multiply by sqrt(d_model).
template <class S>
struct EmbeddingStep {
  Tensor<S> table, y;
  const std::int32_t* ids;
  S factor;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// InputError when an id lies outside of the table.
template <class S>
Tensor<S> embedding(Tape<S>& tape, const Tensor<S>& table, const std::int32_t* ids, Index rows,
                    S factor = 1);

// y = x + the first rows of the table, for each sequence.
template <class S>
struct AddPositionsStep {
  Tensor<S> x, table, y;
  Index length;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// table (at least sequences.length, x.cols), else InputError. Without a gradient it is a fixed one.
template <class S>
Tensor<S> add_positions(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& table,
                        const Sequences& sequences);

}  // namespace core::model
