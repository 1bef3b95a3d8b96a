// Keys and values as the groups of a sparse plan read them.
#pragma once

#include <vector>

#include "core/attention/fast/buffer.h"
#include "core/attention/kernels/kernels.h"
#include "core/attention/sparse/sparse_plan.h"

namespace core::detail {

// Rows of a matrix, without a copy.
using RowsView = Eigen::Ref<const Matrix>;

// What is packed: some heads of K, and of V unless it is null.
struct LatticeSource {
  RowsView K;         // m x (heads d_k)
  const Matrix* V;    // m x (heads d_v), or null
  Index d_k, d_v;     // d_v is 0 without V
  Index head, heads;  // the first one, and how many
  bool rows;          // also as rows without gaps, for scattered keys
};

// One head's rows: `stride` floats from one to the next.
struct HeadRows {
  const float* data;
  Index stride;
};

// Keys and values of some heads in the order of every lattice, in panels. The source must outlive
// this.
class PackedLattices {
 public:
  // Floats that one head takes.
  static Index floats_each(const SparsePlan& plan, Index width, Index d_k, Index d_v);

  // Into the two buffers, which must outlive this.
  PackedLattices(const LatticeSource& source, const SparsePlan& plan, const kernels::Table& table,
                 int threads, FloatBuffer& keys, FloatBuffer& values);

  const float* keys(Index head, Index lattice) const {
    return keys_ + (head - source_.head) * keys_each_ + lattice * lattice_keys_;
  }
  kernels::Values values(Index head, Index lattice) const {
    return {values_ + (head - source_.head) * values_each_ + lattice * lattice_values_, source_.d_v,
            finite(head)};
  }
  // Whether all values of a head are finite.
  bool finite(Index head) const {
    return finite_[static_cast<std::size_t>(head - source_.head)] != 0;
  }
  // Keys and values by number. A head's rows lie far apart in K and V, in few sets of the cache:
  // reading many of them is faster from a copy.
  HeadRows key_rows(Index head) const;
  HeadRows value_rows(Index head) const;

 private:
  bool pack(const SparsePlan& plan, const kernels::Table& table, Index head, Index begin,
            Index end);

  LatticeSource source_;
  float* keys_;
  float* values_;
  Index lattices_, lattice_keys_, lattice_values_, keys_each_, values_each_;
  std::vector<unsigned char> finite_;
};

}  // namespace core::detail
