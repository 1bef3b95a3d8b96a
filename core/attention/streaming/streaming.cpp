#include "core/attention/streaming/streaming.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "core/attention/fast/packed.h"
#include "core/parallel.h"

namespace core {
namespace {

using kernels::RowMask;
using kernels::Table;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Rows and keys whose scores are in the cache together. Powers of two, so that they hold whole
// cells.
constexpr Index kStreamRows = 64;
constexpr Index kStreamKeys = 512;

// Everything that a task reads besides its number.
struct Job {
  const Matrix& Q;
  const AttentionOptions& options;
  float scale;
  const Table& table;
  const detail::PackedHeads& heads;
  const Matrix& counts;  // allowed pairs in each cell of the overview; empty without one
  StreamedAttention& result;
  Index cell, keys_each;

  bool overview() const { return !result.overview_max.empty(); }
  Index cells() const { return overview() ? ceil_div(result.shape.m, cell) : 0; }
  Index chunks() const { return ceil_div(result.shape.m, keys_each); }
  Index padded_d_v() const { return ceil_div(result.shape.d_v, table.width) * table.width; }
};

// What one worker needs for kStreamRows rows, cut from one buffer.
struct Room {
  float *queries, *output, *weighted, *reference, *cell_sum, *cell_max, *scratch;

  Room(const Job& job, FloatBuffer& buffer) {
    const Index sizes[] = {kStreamRows * job.result.shape.d_k,
                           kStreamRows * job.padded_d_v(),
                           kStreamRows,
                           kStreamRows * job.chunks(),
                           kStreamRows * job.cells(),
                           kStreamRows * job.cells(),
                           job.table.stream_scratch(kStreamRows, job.keys_each)};
    float** const parts[] = {&queries,  &output,   &weighted, &reference,
                             &cell_sum, &cell_max, &scratch};
    Index total = 0;
    for (const Index size : sizes) total += size;  // multiples of kStreamRows: all on cache lines
    float* next = buffer.reserve(total);
    for (int i = 0; i < 7; ++i) {
      *parts[i] = next;
      next += sizes[i];
    }
  }
};

// Some rows of one head and where in the room they are.
struct Rows {
  Index head, first, count;
  RowMask masks[kStreamRows];

  bool see(Index k0, Index k1) const {
    return std::any_of(masks, masks + count, [&](const RowMask& mask) {
      return std::max<Index>(mask.begin, k0) < std::min<Index>(mask.end, k1);
    });
  }
};

void stream_keys(const Job& job, const Rows& rows, const Room& room, Index chunk) {
  const AttentionShape& shape = job.result.shape;
  const Index k0 = chunk * job.keys_each, k1 = std::min(shape.m, k0 + job.keys_each);
  float* reference = room.reference + chunk * kStreamRows;
  if (!rows.see(k0, k1)) {
    std::fill_n(reference, rows.count, -kInfinity);
    return;
  }
  kernels::StreamChunk part = {};
  part.scores = {room.queries,
                 rows.count,
                 shape.d_k,
                 job.heads.keys(rows.head),
                 shape.m,
                 rows.masks,
                 detail::bias_of(job.options, rows.head, rows.first, shape.m),
                 shape.m};
  part.values = job.heads.values(rows.head);
  part.k0 = k0;
  part.k1 = k1;
  part.stats = {&job.result.row_max(rows.head, rows.first),
                &job.result.row_sum(rows.head, rows.first), room.weighted};
  part.output = room.output;
  part.output_stride = job.padded_d_v();
  part.cell = job.cell;
  part.cell_sum = job.overview() ? room.cell_sum + k0 / job.cell : nullptr;
  part.cell_max = job.overview() ? room.cell_max + k0 / job.cell : nullptr;
  part.cell_stride = job.cells();
  part.reference = reference;
  part.scratch = room.scratch;
  job.table.stream(part);
}

bool any_allowed(const RowMask& mask, Index k0, Index k1) {
  const Index begin = std::max<Index>(mask.begin, k0), end = std::min<Index>(mask.end, k1);
  if (begin >= end) return false;
  return !mask.bits ||
         std::any_of(mask.bits + begin, mask.bits + end, [](auto bit) { return bit; });
}

// Adds row r to its row of the overview, now that its maximum and normaliser are known.
void pool_row(const Job& job, const Rows& rows, const Room& room, Index r) {
  const auto head = static_cast<std::size_t>(rows.head);
  const Index pooled = (rows.first + r) / job.cell, cells = job.cells();
  float* max = job.result.overview_max[head].data() + pooled * cells;
  float* mean = job.result.overview_mean[head].data() + pooled * cells;
  const float row_max = job.result.row_max(rows.head, rows.first + r);
  const float row_sum = job.result.row_sum(rows.head, rows.first + r);
  if (std::isnan(row_sum)) {
    for (Index c = 0; c < cells; ++c) {
      if (any_allowed(rows.masks[r], c * job.cell, (c + 1) * job.cell)) max[c] = mean[c] = kNan;
    }
    return;
  }
  const Index each = job.keys_each / job.cell;
  for (Index chunk = 0; chunk < job.chunks(); ++chunk) {
    const float reference = room.reference[chunk * kStreamRows + r];
    if (reference == -kInfinity) continue;
    const float factor = std::exp(reference - row_max) / row_sum;
    const float* cell_sum = room.cell_sum + r * cells;
    const float* cell_max = room.cell_max + r * cells;
    const Index end = std::min(cells, (chunk + 1) * each);
    for (Index c = chunk * each; c < end; ++c) {
      const float largest = cell_max[c] * factor;
      max[c] = largest > max[c] ? largest : max[c];
      mean[c] += cell_sum[c] * factor;
    }
  }
}

// The row's statistics and output, from the running sums.
void finish_row(const Job& job, const Rows& rows, const Room& room, Index r) {
  const AttentionShape& shape = job.result.shape;
  const Index i = rows.first + r;
  float& max = job.result.row_max(rows.head, i);
  float& sum = job.result.row_sum(rows.head, i);
  if (!(sum > 0) && any_allowed(rows.masks[r], 0, shape.m)) max = sum = kNan;
  job.result.entropy(rows.head, i) =
      std::isnan(sum) ? kNan : detail::entropy(sum, room.weighted[r]);
  const float* from = room.output + r * job.padded_d_v();
  float* to = job.result.output.data() + i * job.result.output.cols() + rows.head * shape.d_v;
  const float factor = sum == 0 ? 0 : 1 / sum;
  for (Index c = 0; c < shape.d_v; ++c) to[c] = from[c] * factor;
  if (job.overview()) pool_row(job, rows, room, r);
}

void stream_rows(const Job& job, Index head, Index first, Index count, const Room& room) {
  const AttentionShape& shape = job.result.shape;
  Rows rows{head, first, count, {}};
  detail::row_masks(job.options.mask, shape, first, 0,
                    {rows.masks, static_cast<std::size_t>(count)});
  detail::scaled_queries(job.Q, shape, head, first, count, job.scale, room.queries);
  std::fill_n(room.output, count * job.padded_d_v(), 0.F);
  std::fill_n(room.weighted, count, 0.F);
  std::fill_n(&job.result.row_max(head, first), count, -kInfinity);
  std::fill_n(&job.result.row_sum(head, first), count, 0.F);
  if (job.overview()) {
    std::fill_n(room.cell_sum, count * job.cells(), 0.F);
    std::fill_n(room.cell_max, count * job.cells(), 0.F);
  }
  for (Index chunk = 0; chunk < job.chunks(); ++chunk) stream_keys(job, rows, room, chunk);
  for (Index r = 0; r < count; ++r) finish_row(job, rows, room, r);
}

// Sums become means, and cells without an allowed pair are marked.
void finish_overview(const Job& job, Index head, Index first, Index rows) {
  Matrix& max = job.result.overview_max[static_cast<std::size_t>(head)];
  Matrix& mean = job.result.overview_mean[static_cast<std::size_t>(head)];
  for (Index a = first / job.cell; a * job.cell < first + rows; ++a) {
    for (Index c = 0; c < job.cells(); ++c) {
      const float count = job.counts(a, c);
      mean(a, c) = count > 0 ? mean(a, c) / count : kMasked;
      if (count <= 0) max(a, c) = kMasked;
    }
  }
}

void prepare(StreamedAttention& result, Index overview_limit) {
  const AttentionShape& shape = result.shape;
  result.output.resize(shape.n, shape.heads * shape.d_v);
  result.row_max.resize(shape.heads, shape.n);
  result.row_sum.resize(shape.heads, shape.n);
  result.entropy.resize(shape.heads, shape.n);
  if (overview_limit == 0) return;
  result.level = overview_level(shape.n, shape.m, overview_limit);
  const Index cell = Index{1} << result.level;
  const Matrix zero = Matrix::Zero(ceil_div(shape.n, cell), ceil_div(shape.m, cell));
  result.overview_max.assign(static_cast<std::size_t>(shape.heads), zero);
  result.overview_mean = result.overview_max;
}

}  // namespace

int overview_level(Index n, Index m, Index limit) {
  if (limit < 1) {
    throw InputError("overview: expected a limit of at least 1, got " + std::to_string(limit));
  }
  int level = 0;
  while (ceil_div(std::max(n, m), Index{1} << level) > limit) ++level;
  return level;
}

StreamedAttention stream_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                   const AttentionOptions& options, Index overview_limit,
                                   const Cancel& cancel) {
  StreamedAttention result;
  const AttentionShape& shape = result.shape = attention_shape(Q, K, V, options.head_count());
  const float scale = detail::checked_scale(shape, options);
  const Table& table = kernels_for(options.isa);
  const int workers = thread_count(options.threads);
  cancel.poll();
  prepare(result, overview_limit);
  FloatBuffer keys, values;
  const detail::PackedHeads heads(K, V, shape, table, workers, keys, values);
  const Index cell = Index{1} << result.level;
  Matrix counts;
  if (overview_limit > 0) {
    counts = detail::count_allowed(options.mask, shape, {0, shape.n}, {0, shape.m}, result.level,
                                   workers);
  }
  const Job job{Q, options, scale, table, heads, counts, result, cell, std::max(kStreamKeys, cell)};
  // A task owns whole rows of the overview.
  const Index each = std::max(kStreamRows, cell), blocks = ceil_div(shape.n, each);
  const Index tasks = blocks * shape.heads;
  std::vector<FloatBuffer> buffers(static_cast<std::size_t>(workers));
  std::atomic<Index> done{0};
  parallel_for(tasks, workers, [&](Index task, int worker) {
    const Index head = task / blocks, first = (blocks - 1 - task % blocks) * each;
    const Index end = std::min(shape.n, first + each);
    const Room room(job, buffers[static_cast<std::size_t>(worker)]);
    for (Index i = first; i < end; i += kStreamRows) {
      cancel.poll();
      stream_rows(job, head, i, std::min(kStreamRows, end - i), room);
    }
    if (job.overview()) finish_overview(job, head, first, end - first);
    cancel.progress(static_cast<float>(++done) / static_cast<float>(tasks));
  });
  return result;
}

}  // namespace core
