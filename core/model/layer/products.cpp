#include "core/model/layer/products.h"

#include <algorithm>

#include "core/attention/fast/isa.h"

namespace core::model {
namespace {

// Depth of b that is packed at a time: a packed piece stays in the first-level caches.
constexpr Index kDepth = 256;
// Rows of c for which one piece of b is used before the next.
constexpr Index kRows = 384;

using Stride = Eigen::OuterStride<>;
using Const = Eigen::Map<const MatrixD, 0, Stride>;

Const map(View<const double> v) { return {v.data, v.rows, v.cols, Stride(v.stride)}; }

}  // namespace

void Multiplier::operator()(Form form, View<const double> a, View<const double> b, View<double> c,
                            bool add) {
  Eigen::Map<MatrixD, 0, Stride> to(c.data, c.rows, c.cols, Stride(c.stride));
  if (!add) to.setZero();
  switch (form) {
    case Form::plain: to.noalias() += map(a) * map(b); break;
    case Form::right: to.noalias() += map(a) * map(b).transpose(); break;
    case Form::left: to.noalias() += map(a).transpose() * map(b); break;
  }
}

void Multiplier::operator()(Form form, View<const float> a, View<const float> b, View<float> c,
                            bool add) {
  const core::kernels::Table& table = kernels_for(Isa::best);
  const Index width = table.width, depth = form == Form::left ? a.rows : a.cols;
  float* panel = room_.reserve((kDepth + kRows) * width);
  float* edge = panel + kDepth * width;
  if (depth == 0 && !add) {
    for (Index i = 0; i < c.rows; ++i) std::fill_n(c.row(i), c.cols, 0.0F);
  }
  for (Index col = 0; col < c.cols; col += width) {
    const Index cols = std::min(width, c.cols - col);
    // The kernel writes whole vectors; a last, incomplete one goes through `edge`.
    const bool narrow = cols % table.lanes != 0;
    for (Index k = 0; k < depth; k += kDepth) {
      const Index now = std::min(kDepth, depth - k);
      const bool more = add || k > 0;
      if (form == Form::right) {
        table.pack_rows(b.row(col) + k, b.stride, cols, now, panel);
      } else {
        table.pack_columns(b.row(k) + col, b.stride, now, cols, panel);
      }
      for (Index row = 0; row < c.rows; row += kRows) {
        const Index rows = std::min(kRows, c.rows - row);
        float* to = narrow ? edge : c.row(row) + col;
        const Index stride = narrow ? width : c.stride;
        for (Index i = 0; narrow && more && i < rows; ++i) {
          std::copy_n(c.row(row + i) + col, cols, edge + i * width);
        }
        if (form == Form::left) {
          table.multiply_transposed(a.row(k) + row, a.stride, rows, panel, cols, now, to, stride,
                                    more);
        } else {
          table.multiply(a.row(row) + k, a.stride, rows, panel, cols, now, to, stride, more);
        }
        for (Index i = 0; narrow && i < rows; ++i) {
          std::copy_n(edge + i * width, cols, c.row(row + i) + col);
        }
      }
    }
  }
}

}  // namespace core::model
