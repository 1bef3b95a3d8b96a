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

// The right side of products, packed once for the kernels of `isa`: who multiplies by the same
// matrix again and again need not pack it each time.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  // Packs b on `threads` threads (0 = all cores). InputError as kernels_for.
  explicit PackedMatrix(const Matrix& b, int threads = 0, Isa isa = Isa::best);
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  // Whose panels these are; null where nothing is packed.
  const kernels::Table* table() const { return table_; }
  // The rows from `row` on of the panel that begins with column `col`, a multiple of its width.
  const float* panel(Index row, Index col) const {
    return panels_.data() + col * rows_ + row * table_->width;
  }

 private:
  const kernels::Table* table_ = nullptr;
  Index rows_ = 0, cols_ = 0;
  FloatBuffer panels_;
};

// c = a b + bias. a is n x k, b is k x p; bias is null or p long, added to every row. c becomes n x
// p, its memory kept when the shape is the same; it must be neither a nor b.
struct Product {
  const Matrix* a = nullptr;
  const Matrix* b = nullptr;
  const Vector* bias = nullptr;
  Matrix* c = nullptr;
  const PanelSource* panels = nullptr;   // in place of b
  const PackedMatrix* packed = nullptr;  // in place of both
};

// Computes several products, which must not need one another, as one loop over `threads` threads
// (0 = all cores). InputError when shapes do not fit or one is packed for other kernels; Cancelled
// leaves the results undefined. Sums run over rising k in pieces; the pieces, and so the result, do
// not depend on the threads.
void multiply_into(std::span<const Product> products, int threads, const Cancel& cancel = {},
                   Isa isa = Isa::best);

// a b + bias; see Product.
Matrix multiply(const Matrix& a, const Matrix& b, const Vector* bias = nullptr, int threads = 0);

}  // namespace core
