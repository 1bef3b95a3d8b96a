#include "core/attention/fast/weight_tile.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/attention/fast/packed.h"
#include "core/parallel.h"

namespace core {
namespace {

using kernels::Table;

// Rows and keys whose scores are in the cache together; rows in whole tiles of 6, keys a power of
// two.
constexpr Index kTileRows = 48;
constexpr Index kTileKeys = 512;
// Rows that one task takes at least: packing is shared, but starting is not.
constexpr Index kTaskRows = 256;

// Everything that a task reads besides its number.
struct Job {
  const Matrix& Q;
  const AttentionOptions& options;
  float scale;
  const Table& table;
  const AttentionShape& shape;
  const Matrix &row_max, &row_sum;
  const TileRequest& request;
  const float* keys;  // panels of the tile's columns
  Matrix &sum, &far;

  Index cell() const { return Index{1} << request.level; }
};

// Rows [first, first + count) of the whole matrix.
void pool_rows(const Job& job, Index first, Index count, FloatBuffer& buffer) {
  const TileRequest& request = job.request;
  const Index queries_size = kTileRows * job.shape.d_k;  // a multiple of 16
  float* queries =
      buffer.reserve(queries_size + job.table.stream_scratch(kTileRows + 2, kTileKeys));
  const bool raw = request.kind == TileKind::score;
  detail::scaled_queries(job.Q, job.shape, request.head, first, count, raw ? 1 : job.scale,
                         queries);
  kernels::RowMask masks[kTileRows];
  detail::row_masks(job.options.mask, job.shape, first, request.c0,
                    {masks, static_cast<std::size_t>(count)});
  kernels::Tile tile = {};
  tile.scores = {queries, count,   job.shape.d_k, job.keys, request.c1 - request.c0,
                 masks,   nullptr, job.shape.m};
  const float* bias = detail::bias_of(job.options, request.head, first, job.shape.m);
  if (bias && !raw) tile.scores.bias = bias + request.c0;
  if (request.kind == TileKind::weight) {
    tile.max = &job.row_max(request.head, first);
    tile.sum = &job.row_sum(request.head, first);
  }
  tile.first = first - request.r0;
  tile.cell = job.cell();
  tile.pool_stride = job.sum.cols();
  tile.scratch = queries + queries_size;
  for (Index k = 0; k < tile.scores.m; k += kTileKeys) {
    tile.k0 = k;
    tile.k1 = std::min(tile.scores.m, k + kTileKeys);
    tile.pool_sum = job.sum.data() + k / tile.cell;
    tile.pool_far = job.far.data() + k / tile.cell;
    job.table.tile(tile);
  }
}

void pack_keys(const Matrix& K, const AttentionShape& shape, const TileRequest& request,
               const Table& table, int threads, FloatBuffer& packed) {
  const Index cols = request.c1 - request.c0, panels = ceil_div(cols, table.width);
  packed.reserve(panels * table.width * shape.d_k);
  parallel_for(panels, threads, [&](Index panel, int) {
    const Index j = panel * table.width;
    table.pack_rows(K.data() + (request.c0 + j) * K.cols() + request.head * shape.d_k, K.cols(),
                    std::min(table.width, cols - j), shape.d_k, packed.data() + j * shape.d_k);
  });
}

}  // namespace

void detail::check_tile(const AttentionShape& shape, const Matrix& row_max, const Matrix& row_sum,
                        const TileRequest& request) {
  const auto inside = [](Index begin, Index end, Index size) {
    return 0 <= begin && begin <= end && end <= size;
  };
  if (request.head < 0 || request.head >= shape.heads) {
    throw InputError("tile: expected a head from 0 to " + std::to_string(shape.heads - 1) +
                     ", got " + std::to_string(request.head));
  }
  if (!inside(request.r0, request.r1, shape.n) || !inside(request.c0, request.c1, shape.m)) {
    throw InputError("tile: expected rows within 0 to " + std::to_string(shape.n) +
                     " and columns within 0 to " + std::to_string(shape.m) + ", got " +
                     std::to_string(request.r0) + " to " + std::to_string(request.r1) + " and " +
                     std::to_string(request.c0) + " to " + std::to_string(request.c1));
  }
  if (request.level < 0 || request.level > 30) {
    throw InputError("tile: expected a level from 0 to 30, got " + std::to_string(request.level));
  }
  for (const Matrix* rows : {&row_max, &row_sum}) {
    if (request.kind != TileKind::weight) continue;
    if (rows->rows() == shape.heads && rows->cols() == shape.n) continue;
    throw InputError("tile: expected row_max and row_sum of " + std::to_string(shape.heads) +
                     " by " + std::to_string(shape.n) + ", got " + std::to_string(rows->rows()) +
                     " by " + std::to_string(rows->cols()));
  }
}

Matrix weight_tile(const Matrix& Q, const Matrix& K, const AttentionOptions& options,
                   const Matrix& row_max, const Matrix& row_sum, const TileRequest& request,
                   const Cancel& cancel) {
  const AttentionShape shape = attention_shape(Q, K, K, options.head_count());
  const float scale = detail::checked_scale(shape, options);
  detail::check_tile(shape, row_max, row_sum, request);
  const Table& table = kernels_for(options.isa);
  const int workers = thread_count(options.threads);
  const Index cell = Index{1} << request.level;
  const Index rows = request.r1 - request.r0, cols = request.c1 - request.c0;
  cancel.poll();

  FloatBuffer keys;
  pack_keys(K, shape, request, table, workers, keys);
  Matrix sum = Matrix::Zero(ceil_div(rows, cell), ceil_div(cols, cell));
  Matrix far = sum;
  const Job job{Q, options, scale, table, shape, row_max, row_sum, request, keys.data(), sum, far};
  // A task owns whole pooled rows.
  const Index each = std::max(kTaskRows / cell * cell, cell);
  std::vector<FloatBuffer> buffers(static_cast<std::size_t>(workers));
  parallel_for(ceil_div(rows, each), workers, [&](Index task, int worker) {
    const Index end = std::min(request.r1, request.r0 + (task + 1) * each);
    for (Index i = request.r0 + task * each; i < end; i += kTileRows) {
      cancel.poll();
      pool_rows(job, i, std::min(kTileRows, end - i), buffers[static_cast<std::size_t>(worker)]);
    }
  });

  const Matrix counts = detail::count_allowed(options.mask, shape, {request.r0, request.r1},
                                              {request.c0, request.c1}, request.level, workers);
  Matrix& cells = request.pooling == Pool::max ? far : sum;
  if (request.pooling == Pool::mean) sum.array() /= counts.array();
  return (counts.array() > 0).select(cells, kMasked);
}

}  // namespace core
