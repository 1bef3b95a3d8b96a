#include "core/attention/sparse/packed_lattices.h"

#include <algorithm>

#include "core/parallel.h"

namespace core::detail {
namespace {

// Positions that one task packs: whole panels of every width.
constexpr Index kChunk = 64;

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
    : source_(source), finite_(static_cast<std::size_t>(source.heads), 1) {
  const Index m = plan.mask().cols(), chunks = ceil_div(m, kChunk);
  lattices_ = static_cast<Index>(plan.lattices().size());
  lattice_keys_ = round_up(m, table.width) * source.d_k;
  lattice_values_ = round_up(source.d_v, table.width) * m;
  keys_each_ = lattices_ * lattice_keys_ + (source.rows ? m * source.d_k : 0);
  values_each_ = lattices_ * lattice_values_ + (source.rows ? m * source.d_v : 0);
  keys_ = keys.reserve(source.heads * keys_each_);
  values_ = values.reserve(source.heads * values_each_);
  // One byte each: threads write no bits of the same one.
  std::vector<unsigned char> finite(static_cast<std::size_t>(source.heads * chunks), 1);
  parallel_for(source.heads * chunks, threads, [&](Index task, int) {
    const Index head = source.head + task % source.heads, begin = task / source.heads * kChunk;
    finite[static_cast<std::size_t>(task)] =
        pack(plan, table, head, begin, std::min(m, begin + kChunk));
  });
  for (Index task = 0; task < source.heads * chunks; ++task) {
    if (!finite[static_cast<std::size_t>(task)]) {
      finite_[static_cast<std::size_t>(task % source.heads)] = 0;
    }
  }
}

// Positions [begin, end) of every lattice. False when a value is not finite.
bool PackedLattices::pack(const SparsePlan& plan, const kernels::Table& table, Index head,
                          Index begin, Index end) {
  const Head in{source_, table, head};
  const Index slot = head - source_.head;
  bool finite = true;
  for (Index i = 0; i < lattices_; ++i) {
    const Lattice& lattice = plan.lattices()[static_cast<std::size_t>(i)];
    pack_keys(in, lattice, begin, end, keys_ + slot * keys_each_ + i * lattice_keys_);
    if (!source_.V) continue;
    float* panels = values_ + slot * values_each_ + i * lattice_values_;
    pack_values(in, lattice, begin, end, panels);
    for (Index c = 0; c < source_.d_v; c += table.width) {
      finite = finite && table.all_finite(panels + c * lattice.m + begin * table.width,
                                          (end - begin) * table.width);
    }
  }
  if (!source_.rows) return finite;
  float* key_rows = keys_ + slot * keys_each_ + lattices_ * lattice_keys_;
  float* value_rows = values_ + slot * values_each_ + lattices_ * lattice_values_;
  for (Index i = begin; i < end; ++i) {
    const float* key = source_.K.data() + i * source_.K.outerStride() + head * source_.d_k;
    std::copy_n(key, source_.d_k, key_rows + i * source_.d_k);
    if (!source_.V) continue;
    const float* value = source_.V->data() + i * source_.V->cols() + head * source_.d_v;
    std::copy_n(value, source_.d_v, value_rows + i * source_.d_v);
  }
  return finite;
}

HeadRows PackedLattices::key_rows(Index head) const {
  if (!source_.rows) return {source_.K.data() + head * source_.d_k, source_.K.outerStride()};
  return {keys_ + (head - source_.head) * keys_each_ + lattices_ * lattice_keys_, source_.d_k};
}

HeadRows PackedLattices::value_rows(Index head) const {
  if (!source_.V) return {nullptr, 0};
  if (!source_.rows) return {source_.V->data() + head * source_.d_v, source_.V->cols()};
  return {values_ + (head - source_.head) * values_each_ + lattices_ * lattice_values_,
          source_.d_v};
}

}  // namespace core::detail
