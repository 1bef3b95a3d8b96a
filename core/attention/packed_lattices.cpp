#include "core/attention/packed_lattices.h"

#include <algorithm>

#include "core/attention/packed.h"
#include "core/parallel.h"

namespace core::detail {
namespace {

// Positions that one task packs: whole panels of every width.
constexpr Index kChunk = 1024;

Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }
Index round_up(Index i, Index step) { return ceil_div(i, step) * step; }

// One head, and what its rows are packed with.
struct Head {
  const LatticeSource& source;
  const kernels::Table& table;
  Index head;
};

// Positions [begin, end) of the keys; `begin` is a multiple of the panels' width.
void pack_keys(const Head& in, const Lattice& lattice, Index begin, Index end, float* panels) {
  const RowsView& K = in.source.K;
  const Index width = in.table.width, d_k = in.source.d_k;
  std::vector<float> rows(lattice.step == 1 ? 0 : static_cast<std::size_t>(width * d_k));
  for (Index p = begin; p < end; p += width) {
    const Index cols = std::min(width, end - p);
    float* panel = panels + p * d_k;
    if (lattice.step == 1) {
      const float* from = K.data() + p * K.outerStride() + in.head * d_k;
      in.table.pack_rows(from, K.outerStride(), cols, d_k, panel);
      continue;
    }
    for (Index i = 0; i < cols; ++i) {
      const float* from = K.data() + lattice.key(p + i) * K.outerStride() + in.head * d_k;
      std::copy_n(from, d_k, rows.data() + i * d_k);
    }
    in.table.pack_rows(rows.data(), d_k, cols, d_k, panel);
  }
}

// The same of the values: stretches of one residue are rows at an equal distance.
void pack_values(const Head& in, const Lattice& lattice, Index begin, Index end, float* panels) {
  const Matrix& V = *in.source.V;
  const Index width = in.table.width, d_v = in.source.d_v, stride = lattice.step * V.cols();
  for (Index p = begin; p < end;) {
    const Index key = lattice.key(p);
    const Index stretch = std::min(end, lattice.first(key % lattice.step + 1)) - p;
    for (Index c = 0; c < d_v; c += width) {
      const float* from = V.data() + key * V.cols() + in.head * d_v + c;
      in.table.pack_columns(from, stride, stretch, std::min(width, d_v - c),
                            panels + c * lattice.m + p * width);
    }
    p += stretch;
  }
}

}  // namespace

Index PackedLattices::floats_each(const SparsePlan& plan, Index width, Index d_k, Index d_v) {
  const Index m = plan.mask().cols();
  return static_cast<Index>(plan.lattices().size()) *
         (round_up(m, width) * d_k + round_up(d_v, width) * m);
}

PackedLattices::PackedLattices(const LatticeSource& source, const SparsePlan& plan,
                               const kernels::Table& table, int threads, FloatBuffer& keys,
                               FloatBuffer& values)
    : head_(source.head),
      lattices_(static_cast<Index>(plan.lattices().size())),
      keys_each_(round_up(plan.mask().cols(), table.width) * source.d_k),
      values_each_(round_up(source.d_v, table.width) * plan.mask().cols()),
      d_v_(source.d_v),
      finite_(static_cast<std::size_t>(source.heads), 1) {
  if (lattices_ == 0) return;
  float* const all_keys = keys.reserve(source.heads * lattices_ * keys_each_);
  float* const all_values = values.reserve(source.heads * lattices_ * values_each_);
  keys_ = all_keys;
  values_ = all_values;
  const Index m = plan.mask().cols(), chunks = ceil_div(m, kChunk);
  std::vector<unsigned char> finite(static_cast<std::size_t>(source.heads * chunks), 1);
  parallel_for(source.heads * lattices_ * chunks, threads, [&](Index task, int) {
    const Index chunk = task % chunks, place = task / chunks;
    const Index which = place % lattices_, head = place / lattices_;
    const Index begin = chunk * kChunk, end = std::min(m, begin + kChunk);
    const Lattice& lattice = plan.lattices()[static_cast<std::size_t>(which)];
    const Head in{source, table, source.head + head};
    pack_keys(in, lattice, begin, end, all_keys + place * keys_each_);
    if (!source.V) return;
    pack_values(in, lattice, begin, end, all_values + place * values_each_);
    if (which > 0) return;  // each value is looked at once
    finite[static_cast<std::size_t>(head * chunks + chunk)] =
        all_finite(source.V->middleRows(begin, end - begin), in.head * d_v_, d_v_);
  });
  for (Index i = 0; i < source.heads * chunks; ++i) {
    if (!finite[static_cast<std::size_t>(i)]) finite_[static_cast<std::size_t>(i / chunks)] = 0;
  }
}

}  // namespace core::detail
