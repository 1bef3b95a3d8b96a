// Keys and values as the groups of a sparse plan read them.
#pragma once

#include <vector>

#include "core/attention/buffer.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/sparse_plan.h"

namespace core::detail {

// Rows of a matrix, without a copy.
using RowsView = Eigen::Ref<const Matrix>;

// What is packed: some heads of K, and of V unless it is null.
struct LatticeSource {
  RowsView K;         // m x (heads d_k)
  const Matrix* V;    // m x (heads d_v), or null
  Index d_k, d_v;     // d_v is 0 without V
  Index head, heads;  // the first one, and how many
};

// Keys and values of some heads in the order of every lattice, in panels.
class PackedLattices {
 public:
  // Floats that one head takes.
  static Index floats_each(const SparsePlan& plan, Index width, Index d_k, Index d_v);

  // Into the two buffers, which must outlive this.
  PackedLattices(const LatticeSource& source, const SparsePlan& plan, const kernels::Table& table,
                 int threads, FloatBuffer& keys, FloatBuffer& values);

  const float* keys(Index head, Index lattice) const {
    return keys_ + slot(head, lattice) * keys_each_;
  }
  kernels::Values values(Index head, Index lattice) const {
    return {values_ + slot(head, lattice) * values_each_, d_v_,
            finite_[static_cast<std::size_t>(head - head_)] != 0};
  }

 private:
  Index slot(Index head, Index lattice) const { return (head - head_) * lattices_ + lattice; }

  const float* keys_ = nullptr;
  const float* values_ = nullptr;
  Index head_, lattices_, keys_each_, values_each_, d_v_;
  std::vector<unsigned char> finite_;  // of each head's values
};

}  // namespace core::detail
