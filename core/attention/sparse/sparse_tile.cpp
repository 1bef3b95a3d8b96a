#include "core/attention/sparse/sparse_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/attention/fast/block_scores.h"
#include "core/attention/fast/packed.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

using detail::BlockScores;
using detail::RunLayout;
using detail::SparseBlock;
using detail::SparsePlan;

// Rows that one task takes at least.
constexpr Index kTaskRows = 256;
// Keys that are read by number more often than this, on average, are copied first.
constexpr Index kWorthACopy = 4;

// The rows and columns of the request, counted from its corner.
SparseMask cut(const SparseMask& mask, const TileRequest& request) {
  SparseMaskBuilder builder(request.r1 - request.r0, request.c1 - request.c0);
  std::vector<KeyRun> runs;
  for (Index i = request.r0; i < request.r1; ++i) {
    runs.clear();
    for (const KeyRun& run : mask.row(i)) {
      const Index skipped = std::max<Index>(0, ceil_div(request.c0 - run.begin, run.step));
      const Index begin = run.begin + skipped * run.step;
      const Index count =
          std::min<Index>(run.count - skipped, ceil_div(request.c1 - begin, Index{run.step}));
      if (count <= 0) continue;
      runs.push_back({static_cast<std::int32_t>(begin - request.c0),
                      static_cast<std::int32_t>(count), count > 1 ? run.step : 1});
    }
    builder.add_row(runs);
  }
  return builder.finish();
}

// Sums are kept in double: a cell of the whole picture may hold millions of pairs.
struct Cells {
  Cells(Index rows, Index cols)
      : sum(MatrixD::Zero(rows, cols)),
        count(MatrixD::Zero(rows, cols)),
        far(Matrix::Zero(rows, cols)) {}

  Matrix pooled(Pool pooling) const {
    if (pooling == Pool::max) return (count.array() > 0).select(far, kMasked);
    return (count.array() > 0).select((sum.array() / count.array()).cast<float>(), kMasked);
  }

  MatrixD sum, count;
  Matrix far;  // the value of largest size, with its sign
};

// Everything that a task reads besides its number.
struct Job {
  const detail::ScoreSource& source;
  const TileRequest& request;
  const Matrix &row_max, &row_sum;
  Cells& cells;
};

// What `count` scores, `stride` apart, add to cell (a, b).
void pool(const Job& job, Index a, Index b, const float* from, Index stride, Index count) {
  constexpr Index kFew = 8;
  float& far = job.cells.far(a, b);
  job.cells.count(a, b) += static_cast<double>(count);
  if (stride == 1 && count >= kFew) {
    float sum = 0;
    job.source.table.pool(from, count, &sum, &far);
    job.cells.sum(a, b) += static_cast<double>(sum);
    return;
  }
  for (Index t = 0; t < count; ++t) {
    const float x = from[t * stride];
    job.cells.sum(a, b) += static_cast<double>(x);
    const float size = std::abs(x), known = std::abs(far);
    if (size > known || (size == known && x > far) || x != x) far = x;
  }
}

// Row `row` of the block, which holds what is asked for, into its row of cells.
void pool_row(const Job& job, const SparseBlock& block, BlockScores& scores, Index row) {
  const int level = job.request.level;
  const Index a = (block.first + row) >> level;
  const RunLayout* layout = block.row_layouts(row).data();
  for (const KeyRun& run : scores.runs(row)) {
    const float* from = scores.data() + layout->offset;
    for (Index t = 0; t < run.count;) {
      const Index key = run.begin + t * run.step, b = key >> level;
      const Index here = ceil_div(((b + 1) << level) - key, Index{run.step});
      const Index count = std::min(run.count - t, here);
      pool(job, a, b, from + t * layout->stride, layout->stride, count);
      t += count;
    }
    ++layout;
  }
}

// Scores of a row become weights. A row that has no finite normaliser is NaN.
void weigh_row(const Job& job, const SparseBlock& block, BlockScores& scores, Index row) {
  const Index i = job.request.r0 + block.first + row;
  const float max = job.row_max(job.request.head, i), sum = job.row_sum(job.request.head, i);
  if (!(sum > 0)) {
    scores.fill_row(row, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  for (const kernels::Segment& segment : scores.segments(row)) {
    job.source.table.weigh(segment, max, 1 / sum);
  }
}

// Rows [first, end) of the request, block by block.
void pool_rows(const Job& job, Index first, Index end, FloatBuffer& room, const Cancel& cancel) {
  const SparsePlan& plan = job.source.plan;
  SparseBlock block;
  BlockScores scores(job.source, room);
  for (Index i = first; i < end; i = block.end) {
    cancel.poll();
    plan.plan(i, plan.block_end(i, end), block);
    scores.compute(block, job.request.head);
    for (Index row = 0; row < block.rows(); ++row) {
      if (job.request.kind == TileKind::weight) weigh_row(job, block, scores, row);
      pool_row(job, block, scores, row);
    }
  }
}

void check_mask(const SparseMask& mask, const AttentionShape& shape) {
  if (mask.rows() == shape.n && mask.cols() == shape.m) return;
  refuse("tile", "a mask of " + shape_text(shape.n, shape.m), shape_text(mask.rows(), mask.cols()));
}

}  // namespace

Matrix sparse_tile(const Matrix& Q, const Matrix& K, const SparseMask& mask,
                   const AttentionOptions& options, const Matrix& row_max, const Matrix& row_sum,
                   const TileRequest& request, const Cancel& cancel) {
  const AttentionShape shape = attention_shape(Q, K, K, options.head_count());
  check_mask(mask, shape);
  const float given = detail::checked_sparse_scale("tile", shape, options);
  detail::check_tile(shape, row_max, row_sum, request);
  const kernels::Table& table = kernels_for(options.isa);
  const int workers = thread_count(options.threads);
  cancel.poll();

  const Index rows = request.r1 - request.r0, cols = request.c1 - request.c0;
  std::optional<SparseMask> part;  // a copy, unless all is asked for
  if (rows != shape.n || cols != shape.m) part = cut(mask, request);
  const SparsePlan plan(part ? *part : mask, table.lanes);
  const auto Q_part = Q.middleRows(request.r0, rows), K_part = K.middleRows(request.c0, cols);
  FloatBuffer keys, no_values;
  const bool copy = plan.mask().kept() >= kWorthACopy * cols && plan.lattices().empty();
  const detail::PackedLattices packed({K_part, nullptr, shape.d_k, 0, request.head, 1, copy}, plan,
                                      table, workers, keys, no_values);
  const float scale = request.kind == TileKind::score ? 1 : given;
  const detail::ScoreSource source{Q_part, K_part, shape.d_k, scale, plan, table, packed};

  // A task owns whole rows of cells.
  const Index cell = Index{1} << request.level;
  const Index each = ceil_div(std::max(kTaskRows, plan.rows_each()), cell) * cell;
  Cells cells(ceil_div(rows, cell), ceil_div(cols, cell));
  const Job job{source, request, row_max, row_sum, cells};
  std::vector<FloatBuffer> rooms(static_cast<std::size_t>(workers));
  parallel_for(ceil_div(rows, each), workers, [&](Index task, int worker) {
    pool_rows(job, task * each, std::min(rows, (task + 1) * each),
              rooms[static_cast<std::size_t>(worker)], cancel);
  });
  return cells.pooled(request.pooling);
}

}  // namespace core
