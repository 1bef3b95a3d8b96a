#include "core/attention/fast/fast.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "core/attention/fast/packed.h"
#include "core/parallel.h"

namespace core {
namespace {

using kernels::Table;

// Scores of the rows under way should stay in the second cache: floats of them at most.
constexpr Index kRowsBudget = 150 * 1024;
constexpr Index kFewestRows = 6, kUsualRows = 48;
// Weights above this do not stay in the second cache anyway, and are written past it: a line that
// is written whole need not be read first.
constexpr Index kBypassFloats = Index{1} << 18;

// Rows that one task takes: whole tiles of 6.
Index rows_each(const AttentionShape& shape) {
  const Index fit = kRowsBudget / std::max<Index>(1, shape.m) / 6 * 6;
  return std::clamp(fit, kFewestRows, kUsualRows);
}

void prepare(const AttentionShape& shape, const AttentionOptions& options, int workers,
             Attention& result) {
  result.shape = shape;
  result.weights.resize(options.keep_weights ? static_cast<std::size_t>(shape.heads) : 0);
  for (HeadWeights& weights : result.weights) weights.resize(shape.n, shape.m);
  result.output.resize(shape.n, shape.heads * shape.d_v);
  result.row_max.resize(shape.heads, shape.n);
  result.row_sum.resize(shape.heads, shape.n);
  result.entropy.resize(shape.heads, shape.n);
  if (static_cast<int>(result.scratch.rows.size()) < workers) {
    result.scratch.rows.resize(static_cast<std::size_t>(workers));
  }
}

// Everything that a task reads besides its number.
struct Job {
  const Matrix& Q;
  const AttentionOptions& options;
  float scale;
  const Table& table;
  const detail::PackedHeads& heads;
  Attention& result;
};

void attend_rows(const Job& job, Index head, Index first, Index rows, FloatBuffer& scratch) {
  const AttentionShape& shape = job.result.shape;
  const Index queries_size = (rows * shape.d_k + 15) / 16 * 16;
  float* queries =
      scratch.reserve(queries_size + job.table.attend_scratch(rows, shape.m, shape.d_v));
  detail::scaled_queries(job.Q, shape, head, first, rows, job.scale, queries);
  kernels::RowMask masks[kernels::kMostRows];
  detail::row_masks(job.options.mask, shape, first, 0, {masks, static_cast<std::size_t>(rows)});

  Attention& result = job.result;
  float weighted[kernels::kMostRows];
  kernels::AttendBlock block = {};
  block.scores = {queries,
                  rows,
                  shape.d_k,
                  job.heads.keys(head),
                  shape.m,
                  masks,
                  detail::bias_of(job.options, head, first, shape.m),
                  shape.m};
  block.values = job.heads.values(head);
  if (job.options.keep_weights) {
    block.weights = result.weights[static_cast<std::size_t>(head)].data() + first * shape.m;
  }
  block.bypass = shape.heads * shape.n * shape.m > kBypassFloats;
  block.output_stride = result.output.cols();
  block.output = result.output.data() + first * block.output_stride + head * shape.d_v;
  block.stats = {&result.row_max(head, first), &result.row_sum(head, first), weighted};
  block.scratch = queries + queries_size;
  job.table.attend(block);
  for (Index r = 0; r < rows; ++r) {
    result.entropy(head, first + r) = detail::entropy(block.stats.sum[r], weighted[r]);
  }
}

}  // namespace

AttentionShape attention_shape(const Matrix& Q, const Matrix& K, const Matrix& V, Index heads) {
  const auto require = [](bool good, const char* expected, Index a, Index b) {
    if (!good) {
      throw InputError(std::string("attention: expected ") + expected + ", got " +
                       std::to_string(a) + " and " + std::to_string(b));
    }
  };
  require(heads >= 1, "at least one head for so many columns of Q", heads, Q.cols());
  require(Q.cols() == K.cols(), "as many columns in K as in Q", K.cols(), Q.cols());
  require(K.rows() == V.rows(), "as many rows in V as in K", V.rows(), K.rows());
  require(Q.cols() % heads == 0, "columns of Q that the heads divide evenly", Q.cols(), heads);
  require(V.cols() % heads == 0, "columns of V that the heads divide evenly", V.cols(), heads);
  return {Q.rows(), K.rows(), heads, Q.cols() / heads, V.cols() / heads};
}

float detail::entropy(float sum, float weighted) {
  if (sum == 0) return 0;
  const float nats = std::log(sum) - weighted / sum;
  return nats < 0 ? 0 : nats;  // rounding; NaN stays
}

void attend_fast_into(const Matrix& Q, const Matrix& K, const Matrix& V,
                      const AttentionOptions& options, Attention& result, const Cancel& cancel) {
  const AttentionShape shape = attention_shape(Q, K, V, options.head_count());
  const float scale = detail::checked_scale(shape, options);
  const Table& table = kernels_for(options.isa);
  const int workers = thread_count(options.threads);
  cancel.poll();
  prepare(shape, options, workers, result);
  const detail::PackedHeads heads(K, V, shape, table, workers, result.scratch.keys,
                                  result.scratch.values);
  const Job job{Q, options, scale, table, heads, result};
  const Index each = rows_each(shape), blocks = (shape.n + each - 1) / each;
  const Index tasks = blocks * shape.heads;
  std::atomic<Index> done{0};
  parallel_for(tasks, workers, [&](Index task, int worker) {
    cancel.poll();
    // The last rows first: under a causal mask they are the longest.
    const Index head = task / blocks, first = (blocks - 1 - task % blocks) * each;
    attend_rows(job, head, first, std::min(each, shape.n - first),
                result.scratch.rows[static_cast<std::size_t>(worker)]);
    cancel.progress(static_cast<float>(++done) / static_cast<float>(tasks));
  });
}

Attention attend_fast(const Matrix& Q, const Matrix& K, const Matrix& V,
                      const AttentionOptions& options, const Cancel& cancel) {
  Attention result;
  attend_fast_into(Q, K, V, options, result, cancel);
  return result;
}

}  // namespace core
