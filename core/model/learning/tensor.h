// Matrices of a tape with their gradients, and the rows of each sequence.
#pragma once

#include "core/types.h"

namespace core::model {

// A matrix of a pass, row-major without gaps: its values, and the gradient of the loss with respect
// to them. A sequence has one row for each token; the sequences of a batch follow one another.
template <class S>
struct Tensor {
  S* value = nullptr;
  S* gradient = nullptr;  // null: not wanted
  Index rows = 0, cols = 0;

  Index size() const { return rows * cols; }
  Eigen::Map<MatrixOf<S>> matrix() const { return {value, rows, cols}; }
  Eigen::Map<MatrixOf<S>> gradient_matrix() const { return {gradient, rows, cols}; }
  View<S> values() const { return {value, rows, cols}; }
  View<S> gradients() const { return {gradient, rows, cols}; }
  // `count` rows from `first` on, in the same memory.
  Tensor rows_from(Index first, Index count) const {
    return {value + first * cols, gradient ? gradient + first * cols : nullptr, count, cols};
  }
  // The same numbers in another shape.
  Tensor as(Index other_rows, Index other_cols) const {
    return {value, gradient, other_rows, other_cols};
  }
  explicit operator bool() const { return value != nullptr; }
};

// Sequences of equal length side by side: `batch` times `length` rows. Where lengths are given,
// only the first lengths[b] rows of sequence b count; the others are padding.
struct Sequences {
  Index batch = 1, length = 0;
  const Index* lengths = nullptr;  // (batch), alive until the tape is reset; null: all of it

  Index rows() const { return batch * length; }
  Index used(Index b) const { return lengths ? lengths[b] : length; }
};

}  // namespace core::model
