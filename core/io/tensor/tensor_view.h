// Two axes of a tensor as a matrix whose numbers are read where they are looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/io/tensor/tensor.h"
#include "core/tile.h"

namespace core {

// Axes of a view: one runs down, one across; without one there is a single row or column. Swapped,
// they show the transposed. `at` is the index along every other axis; those of the two shown are
// not looked at.
struct ViewAxes {
  std::optional<std::size_t> row, col;
  std::vector<Index> at;
};

// The last axis across, the one before it down, all others at 0. One axis is a single row.
ViewAxes last_axes(const Tensor& tensor);

// A matrix of rows x cols of the tensor's numbers, none of which it holds. Callable from any
// thread; reading throws InputError when the file was changed.
class TensorView {
 public:
  // InputError unless the axes are two of the tensor's and `at` has an index for each.
  TensorView(Tensor tensor, const ViewAxes& axes);
  explicit TensorView(const Tensor& tensor);  // of last_axes

  const Tensor& tensor() const { return tensor_; }
  Index rows() const { return rows_.size; }
  Index cols() const { return cols_.size; }
  // One number, exactly but for integers beyond 2^53 (number_type.h).
  double value(Index row, Index col) const;
  // Writes the region's numbers, row by row, to `out`, each rounded once where it must be. Scalar
  // is float or double.
  template <class Scalar>
  void read(const Region& region, Scalar* out, const Cancel& cancel = {}) const;

  // Whether the file has neighbours in a column nearer to each other than neighbours in a row.
  bool runs_down() const { return runs_down_; }
  // Takes a run of `count` numbers that goes from (row, col) on across, or down if runs_down().
  template <class Scalar>
  using TakeRun = std::function<void(Index row, Index col, const Scalar* numbers, Index count)>;
  // Reads a region in the order of the file, at most kLongestRun numbers at a time, so that whoever
  // pools them needs room for no more. Scalar is float or double.
  template <class Scalar>
  void each_run(const Region& region, const TakeRun<Scalar>& take, const Cancel& cancel = {}) const;
  static constexpr Index kLongestRun = 4096;

 private:
  // One of the two axes: how many, and how many bytes from one to the next.
  struct Axis {
    Index size = 1, stride = 0;
  };

  void require_axes(const ViewAxes& axes) const;
  void require_inside(const Region& region) const;
  std::uint64_t offset(Index row, Index col) const;

  Tensor tensor_;
  Axis rows_, cols_;
  bool runs_down_ = false;
  std::uint64_t first_ = 0;  // where the number at (0, 0) begins
};

}  // namespace core
