#include "core/attention/sparse/sparse.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/attention/fast/block_scores.h"
#include "core/attention/fast/packed.h"
#include "core/attention/sparse/packed_lattices.h"
#include "core/attention/sparse/sparse_plan.h"
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

void prepare(const SparseMask& mask, const AttentionOptions& options, int workers,
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
  BlockTask(const detail::ScoreSource& source, const SparseBlock& block, Index head,
            SparseAttention& result, int worker)
      : source_(source),
        block_(block),
        head_(head),
        result_(result),
        scores_(source, result.scratch.scores[static_cast<std::size_t>(worker)]) {
    const Index width = source.table.width;
    padded_ = (result.shape.d_v + width - 1) / width * width;
    sums_ =
        result.scratch.outputs[static_cast<std::size_t>(worker)].reserve(block.rows() * padded_);
    std::fill_n(sums_, block.rows() * padded_, 0.F);
  }

  void run() {
    scores_.compute(block_, head_);
    for (Index row = 0; row < block_.rows(); ++row) {
      soften(row);
      if (!result_.weights.empty()) write_weights(row);
    }
    add_values();
    for (Index row = 0; row < block_.rows(); ++row) {
      source_.table.scale(sums_ + row * padded_, result_.shape.d_v, factor(row), output(row));
    }
  }

 private:
  float* output(Index row) const {
    return result_.output.data() + (block_.first + row) * result_.output.cols() +
           head_ * result_.shape.d_v;
  }

  // What normalises a row's exponentials. A spoilt row is NaN already.
  float factor(Index row) const {
    const float sum = result_.row_sum(head_, block_.first + row);
    return sum > 0 ? 1 / sum : 1;
  }

  void soften(Index row) {
    float max = -kInfinity, sum = 0, weighted = 0;
    if (!scores_.runs(row).empty()) {
      const auto segments = scores_.segments(row);
      source_.table.soften(segments.data(), static_cast<Index>(segments.size()), &max, &sum,
                           &weighted);
      if (!(sum > 0)) {
        scores_.fill_row(row, kNan);
        max = sum = weighted = kNan;
      }
    }
    const Index i = block_.first + row;
    result_.row_max(head_, i) = max;
    result_.row_sum(head_, i) = sum;
    result_.entropy(head_, i) = detail::entropy(sum, weighted);
  }

  void write_weights(Index row) {
    float* weights = result_.weights[static_cast<std::size_t>(head_)].data();
    const auto i = static_cast<std::size_t>(block_.first + row);
    scores_.copy_row(row, factor(row), weights + result_.first[i]);
  }

  void add_values() {
    if (!source_.packed.finite(head_)) {
      for (Index row = 0; row < block_.rows(); ++row) add_kept(row);
      return;
    }
    for (Index row = 0; row < block_.rows(); ++row) {
      if (block_.row_keys(row).empty()) continue;
      const float* s = scores_.data() + block_.scattered_at[static_cast<std::size_t>(row)];
      add_gathered(row, block_.row_keys(row), s);
    }
    for (const detail::PlannedGroup& planned : block_.groups) {
      const detail::GroupView view(block_, planned, scores_.data());
      float* sums[kernels::kGroupRows];
      for (Index r = 0; r < planned.rows; ++r) {
        const Index row = block_.items[static_cast<std::size_t>(planned.item + r)].row;
        sums[r] = sums_ + row * padded_;
        // Will be written soon, and lies far from the row before.
        for (Index c = 0; c < result_.shape.d_v; c += 16) __builtin_prefetch(output(row) + c, 1);
      }
      source_.table.group_values(view.group, source_.packed.values(head_, planned.lattice),
                                 result_.shape.m, sums);
    }
  }

  // Where some values are not finite: reads those of kept keys only, for 0 * NaN would be NaN.
  void add_kept(Index row) {
    std::vector<std::int32_t> keys;
    for (const KeyRun& run : scores_.runs(row)) {
      for (std::int32_t t = 0; t < run.count; ++t) keys.push_back(run.begin + t * run.step);
    }
    std::vector<float> s(keys.size());
    scores_.copy_row(row, 1, s.data());
    add_gathered(row, keys, s.data());
  }

  void add_gathered(Index row, std::span<const std::int32_t> keys, const float* s) {
    const detail::HeadRows rows = source_.packed.value_rows(head_);
    source_.table.gathered_values(
        {rows.data, rows.stride, result_.shape.d_v, keys.data(), static_cast<Index>(keys.size())},
        s, sums_ + row * padded_);
  }

  const detail::ScoreSource& source_;
  const SparseBlock& block_;
  Index head_;
  SparseAttention& result_;
  detail::BlockScores scores_;
  Index padded_ = 0;
  float* sums_ = nullptr;  // of each row, `padded_` floats: exponentials times values
};

// Whether so many keys are read by number that copying all of them first is worth it.
bool many_scattered(const std::vector<SparseBlock>& blocks, Index m) {
  Index count = 0;
  for (const SparseBlock& block : blocks) {
    count += static_cast<Index>(block.keys.size());
  }
  return count >= m;
}

}  // namespace

void attend_sparse_into(const Matrix& Q, const Matrix& K, const Matrix& V, const SparseMask& mask,
                        const AttentionOptions& options, SparseAttention& result,
                        const Cancel& cancel) {
  const AttentionShape shape = result.shape = attention_shape(Q, K, V, options.head_count());
  if (mask.rows() != shape.n || mask.cols() != shape.m) {
    refuse("attention", "a mask of " + shape_text(shape.n, shape.m),
           shape_text(mask.rows(), mask.cols()));
  }
  const float scale = detail::checked_sparse_scale("attention", shape, options);
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
  const bool copy = many_scattered(blocks, shape.m);
  std::atomic<Index> done{0};
  for (Index head = 0; head < shape.heads; head += together) {
    const Index heads = std::min(together, shape.heads - head);
    const PackedLattices packed({K, &V, shape.d_k, shape.d_v, head, heads, copy}, plan, table,
                                workers, result.scratch.keys, result.scratch.values);
    const detail::ScoreSource source{Q, K, shape.d_k, scale, plan, table, packed};
    parallel_for(count * heads, workers, [&](Index task, int worker) {
      cancel.poll();
      // All heads of a block together: their queries and outputs are neighbours. But keys that are
      // read by number come from the whole head, which then had better stay in the cache.
      const Index b = copy ? task % count : task / heads, h = copy ? task / count : task % heads;
      BlockTask(source, blocks[static_cast<std::size_t>(b)], head + h, result, worker).run();
      cancel.progress(static_cast<float>(++done) / static_cast<float>(count * shape.heads));
    });
  }
}

SparseAttention attend_sparse(const Matrix& Q, const Matrix& K, const Matrix& V,
                              const SparseMask& mask, const AttentionOptions& options,
                              const Cancel& cancel) {
  SparseAttention result;
  attend_sparse_into(Q, K, V, mask, options, result, cancel);
  return result;
}

}  // namespace core
