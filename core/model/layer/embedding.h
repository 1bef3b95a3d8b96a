// Rows of a table, looked up by id; and positions on them: a table added to every sequence, or a
// rotation of each row by an angle of its word and position.
#pragma once

#include <cstdint>

#include "core/model/learning/tape.h"

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

// table (at least sequences.length, x.cols), else InputError. Without a gradient the table is
// fixed.
template <class S>
Tensor<S> add_positions(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& table,
                        const Sequences& sequences);

// Complex-order embeddings (Wang et al. 2020, "Encoding word order in complex embeddings"). Columns
// 2k and 2k + 1 of x are the imaginary and the real part of a word's number r exp(i theta) (as in
// core::interleaved_parts), those of y the parts of r exp(i (omega p + theta)), where p is the
// row's position in its sequence and omega = frequency[ids[row]][k].
template <class S>
struct ComplexOrderStep {
  Tensor<S> x, frequency, y;  // frequency (words, x.cols / 2)
  const std::int32_t* ids;
  Index length;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// ids (x.rows) lie in the table and live as long as the pass. InputError when shapes do not fit.
template <class S>
Tensor<S> rotate_by_words(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& frequency,
                          const std::int32_t* ids, const Sequences& sequences);

}  // namespace core::model
