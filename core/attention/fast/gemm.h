// Matrix products on all cores, at the processor's full vector width (Eigen has no run-time
// dispatch: compiled for any x86-64 it runs at a fifth of the speed).
#pragma once

#include <span>

#include "core/attention/fast/buffer.h"
#include "core/attention/fast/isa.h"
#include "core/types.h"

namespace core {

// The right side of a product that is no Matrix: stored in another format, or transposed. It is
// asked for pieces, from any thread.
class PanelSource {
 public:
  virtual ~PanelSource() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  // The rows [row, row + depth) of `cols` columns from `col` on as one panel of `table`
  // (kernels.h). `room` is for its own use.
  virtual void pack(const kernels::Table& table, Index row, Index depth, Index col, Index cols,
                    float* panel, FloatBuffer& room) const = 0;
};

// c = a b + bias. a is n x k, b is k x p; bias is null or p long, added to every row. c becomes n x
// p, its memory kept when the shape is the same; it must be neither a nor b.
struct Product {
  const Matrix* a = nullptr;
  const Matrix* b = nullptr;
  const Vector* bias = nullptr;
  Matrix* c = nullptr;
  const PanelSource* panels = nullptr;  // in place of b
};

// Computes several products, which must not need one another, as one loop over `threads` threads
// (0 = all cores). InputError when shapes do not fit; Cancelled leaves the results undefined. Sums
// run over rising k in pieces; the pieces, and so the result, do not depend on the threads.
void multiply_into(std::span<const Product> products, int threads, const Cancel& cancel = {},
                   Isa isa = Isa::best);

// a b + bias; see Product.
Matrix multiply(const Matrix& a, const Matrix& b, const Vector* bias = nullptr, int threads = 0);

}  // namespace core
