#include "core/attention/sparse.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "core/attention/block_scores.h"
#include "core/attention/packed.h"
#include "core/attention/packed_lattices.h"
#include "core/attention/sparse_plan.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

using detail::PackedLattices;
using detail::SparseBlock;
using detail::SparsePlan;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Floats of packed keys and values at a time: as many heads as fit, at least one.
constexpr Index kPackedBudget = Index{24} << 20;

void prepare(const SparseMask& mask, const SparseOptions& options, int workers,
             SparseAttention& result) {
  const AttentionShape& shape = result.shape;
  result.output.resize(shape.n, shape.heads * shape.d_v);
  result.row_max.resize(shape.heads, shape.n);
  result.row_sum.resize(shape.heads, shape.n);
  result.entropy.resize(shape.heads, shape.n);
  const auto enough = static_cast<std::size_t>(workers);
  if (result.scratch.scores.size() < enough) {
    result.scratch.scores.resize(enough);
    result.scratch.outputs.resize(enough);
  }
  result.weights.resize(options.keep_weights ? static_cast<std::size_t>(shape.heads) : 0);
  result.first.clear();
  if (!options.keep_weights) return;
  for (FloatBuffer& weights : result.weights) weights.reserve(mask.kept());
  result.first.reserve(static_cast<std::size_t>(shape.n) + 1);
  result.first.push_back(0);
  for (Index i = 0; i < shape.n; ++i) result.first.push_back(result.first.back() + mask.kept(i));
}

// Every block of rows, the costliest first: the last ones to end are then short.
std::vector<SparseBlock> planned_blocks(const SparsePlan& plan, int threads, const Cancel& cancel) {
  std::vector<SparseBlock> blocks;
  const Index n = plan.mask().rows();
  for (Index i = 0; i < n;) {
    blocks.emplace_back().first = i;
    blocks.back().end = i = plan.block_end(i, n);
  }
  parallel_for(static_cast<Index>(blocks.size()), threads, [&](Index b, int) {
    cancel.poll();
    SparseBlock& block = blocks[static_cast<std::size_t>(b)];
    plan.plan(block.first, block.end, block);
  });
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const SparseBlock& a, const SparseBlock& b) { return a.cost > b.cost; });
  return blocks;
}

// One block of rows of one head, from scores to output.
class BlockTask {
 public:
  BlockTask(const detail::ScoreSource& source, const Matrix& V, const SparseBlock& block,
            Index head, SparseAttention& result, int worker)
      : source_(source),
        V_(V),
        block_(block),
        head_(head),
        result_(result),
        scores_(result.scratch.scores[static_cast<std::size_t>(worker)]) {
    const Index width = source.table.width, rows = block.end - block.first;
    padded_ = (result.shape.d_v + width - 1) / width * width;
    sums_ = result.scratch.outputs[static_cast<std::size_t>(worker)].reserve(rows * padded_);
    std::fill_n(sums_, rows * padded_, 0.F);
  }

  void run() {
    scores_.compute(source_, block_, head_);
    Index run = 0;
    for (Index row = 0; row < block_.end - block_.first; ++row) {
      const Index runs = static_cast<Index>(mask_row(row).size());
      soften(row, run);
      if (!result_.weights.empty()) write_weights(row, run);
      add_scattered(row, run);
      run += runs;
    }
    add_groups();
    for (Index row = 0; row < block_.end - block_.first; ++row) {
      const float* sums = sums_ + row * padded_;
      const Index d_v = result_.shape.d_v;
      source_.table.scale(
          sums, d_v, factor(row),
          result_.output.data() + (block_.first + row) * result_.output.cols() + head_ * d_v);
    }
  }

 private:
  std::span<const KeyRun> mask_row(Index row) const {
    return source_.plan.mask().row(block_.first + row);
  }

  // What normalises a row's exponentials. A spoilt row is NaN already.
  float factor(Index row) const {
    const float sum = result_.row_sum(head_, block_.first + row);
    return sum > 0 ? 1 / sum : 1;
  }

  void soften(Index row, Index run) {
    const Index i = block_.first + row;
    float max = -kInfinity, sum = 0, weighted = 0;
    if (!mask_row(row).empty()) {
      const auto segments = scores_.segments(source_.plan, block_, row, run);
      source_.table.soften(segments.data(), static_cast<Index>(segments.size()), &max, &sum,
                           &weighted);
      if (!(sum > 0)) {
        spoil(row, run, segments);
        max = sum = weighted = kNan;
      }
    }
    result_.row_max(head_, i) = max;
    result_.row_sum(head_, i) = sum;
    result_.entropy(head_, i) = detail::entropy(sum, weighted);
  }

  // A row with a NaN, or without a finite maximum, is NaN wherever it keeps a key.
  void spoil(Index row, Index run, std::span<const kernels::Segment> segments) {
    for (const kernels::Segment& segment : segments) std::fill_n(segment.s, segment.count, 0.F);
    for (const KeyRun& each : mask_row(row)) {
      std::fill_n(scores_.data() + place(run++), each.count, kNan);
    }
  }

  void write_weights(Index row, Index run) {
    const auto i = static_cast<std::size_t>(block_.first + row);
    float* to = result_.weights[static_cast<std::size_t>(head_)].data() + result_.first[i];
    for (const KeyRun& each : mask_row(row)) {
      source_.table.scale(scores_.data() + place(run++), each.count, factor(row), to);
      to += each.count;
    }
  }

  void add_scattered(Index row, Index run) {
    const Index count = block_.scattered[static_cast<std::size_t>(row)];
    if (count == 0) return;
    const auto keys = scores_.scattered_keys(source_.plan, block_, row, run);
    const Index d_v = result_.shape.d_v;
    const float* s = scores_.data() + block_.scattered_at[static_cast<std::size_t>(row)];
    source_.table.gathered_values({V_.data() + head_ * d_v, V_.cols(), d_v, keys.data(), count}, s,
                                  sums_ + row * padded_);
  }

  void add_groups() {
    for (const detail::PlannedGroup& planned : block_.groups) {
      const detail::GroupView view(block_, planned, scores_.data());
      float* outputs[kernels::kGroupRows];
      for (Index r = 0; r < planned.rows; ++r) {
        const auto item = static_cast<std::size_t>(planned.item + r);
        outputs[r] = sums_ + block_.items[item].row * padded_;
      }
      source_.table.group_values(view.group, source_.packed.values(head_, planned.lattice),
                                 result_.shape.m, outputs);
    }
  }

  Index place(Index run) const { return block_.places[static_cast<std::size_t>(run)].offset; }

  const detail::ScoreSource& source_;
  const Matrix& V_;
  const SparseBlock& block_;
  Index head_;
  SparseAttention& result_;
  detail::BlockScores scores_;
  Index padded_ = 0;
  float* sums_ = nullptr;  // of each row, `padded_` floats: exponentials times values
};

}  // namespace

void attend_sparse_into(const Matrix& Q, const Matrix& K, const Matrix& V, const SparseMask& mask,
                        const SparseOptions& options, SparseAttention& result,
                        const Cancel& cancel) {
  const AttentionShape shape = result.shape = attention_shape(Q, K, V, options.heads);
  if (mask.rows() != shape.n || mask.cols() != shape.m) {
    refuse("attention", "a mask of " + shape_text(shape.n, shape.m),
           shape_text(mask.rows(), mask.cols()));
  }
  const kernels::Table& table = kernels_for(options.isa);
  const int workers = thread_count(options.threads);
  cancel.poll();
  prepare(mask, options, workers, result);
  const SparsePlan plan(mask, table.lanes);
  const std::vector<SparseBlock> blocks = planned_blocks(plan, workers, cancel);
  const auto count = static_cast<Index>(blocks.size());
  const Index each = PackedLattices::floats_each(plan, table.width, shape.d_k, shape.d_v);
  const Index together =
      std::clamp<Index>(kPackedBudget / std::max<Index>(1, each), 1, shape.heads);
  std::atomic<Index> done{0};
  for (Index head = 0; head < shape.heads; head += together) {
    const Index heads = std::min(together, shape.heads - head);
    const PackedLattices packed({K, &V, shape.d_k, shape.d_v, head, heads}, plan, table, workers,
                                result.scratch.keys, result.scratch.values);
    const detail::ScoreSource source{Q, K, shape.d_k, options.scale, plan, table, packed};
    parallel_for(count * heads, workers, [&](Index task, int worker) {
      cancel.poll();
      const SparseBlock& block = blocks[static_cast<std::size_t>(task / heads)];
      BlockTask(source, V, block, head + task % heads, result, worker).run();
      cancel.progress(static_cast<float>(++done) / static_cast<float>(count * shape.heads));
    });
  }
}

SparseAttention attend_sparse(const Matrix& Q, const Matrix& K, const Matrix& V,
                              const SparseMask& mask, const SparseOptions& options,
                              const Cancel& cancel) {
  SparseAttention result;
  attend_sparse_into(Q, K, V, mask, options, result, cancel);
  return result;
}

}  // namespace core
