// The matrix products of a layer's forward and backward pass, on one thread: for small matrices, so
// without system calls and with few checks.
#pragma once

#include "core/attention/fast/buffer.h"
#include "core/types.h"

namespace core::model {

// A matrix in memory that belongs to others, rows `stride` apart.
template <class S>
struct View {
  S* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;

  View() = default;
  View(S* d, Index r, Index c) : View(d, r, c, c) {}
  View(S* d, Index r, Index c, Index s) : data(d), rows(r), cols(c), stride(s) {}
  operator View<const S>() const { return {data, rows, cols, stride}; }
  // `count` columns from `first` on.
  View columns(Index first, Index count) const { return {data + first, rows, count, stride}; }
  View rows_from(Index first, Index count) const {
    return {data + first * stride, count, cols, stride};
  }
  S* row(Index i) const { return data + i * stride; }
};

enum class Form {
  plain,  // c = a b:   n x k, k x p
  right,  // c = a b^T: n x k, p x k
  left,   // c = a^T b: k x n, k x p
};

// Keeps the memory into which it packs matrices. Floats use this processor's vectors
// (core/attention/fast/isa.h), doubles Eigen, plainly. Sums run over increasing k.
class Multiplier {
 public:
  // c (n x p) = the product, or c += it. Shapes must fit; c overlaps neither a nor b.
  void operator()(Form form, View<const float> a, View<const float> b, View<float> c, bool add);
  void operator()(Form form, View<const double> a, View<const double> b, View<double> c, bool add);

 private:
  FloatBuffer room_;
};

}  // namespace core::model
