#include "core/attention/sparse.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/attention/packed.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

void prepare(const SparseMask& mask, const SparseOptions& options, SparseAttention& result) {
  const AttentionShape& shape = result.shape;
  result.output.resize(shape.n, shape.heads * shape.d_v);
  result.row_max.resize(shape.heads, shape.n);
  result.row_sum.resize(shape.heads, shape.n);
  result.entropy.resize(shape.heads, shape.n);
  result.weights.resize(options.keep_weights ? static_cast<std::size_t>(shape.heads) : 0);
  result.first.clear();
  if (!options.keep_weights) return;
  for (FloatBuffer& weights : result.weights) weights.reserve(mask.kept());
  result.first.push_back(0);
  for (Index i = 0; i < shape.n; ++i) result.first.push_back(result.first.back() + mask.kept(i));
}

void attend_row(const Matrix& Q, const Matrix& K, const Matrix& V, const SparseOptions& options,
                Index head, Index i, const std::vector<std::int32_t>& keys, Vector& scores,
                SparseAttention& result) {
  const AttentionShape& shape = result.shape;
  const auto count = static_cast<Index>(keys.size());
  auto output = result.output.row(i).segment(head * shape.d_v, shape.d_v);
  output.setZero();
  result.row_max(head, i) = -std::numeric_limits<float>::infinity();
  result.row_sum(head, i) = result.entropy(head, i) = 0;
  if (count == 0) return;
  const auto q = Q.row(i).segment(head * shape.d_k, shape.d_k) * options.scale;
  float max = -std::numeric_limits<float>::infinity();
  for (Index t = 0; t < count; ++t) {
    const auto key = K.row(keys[static_cast<std::size_t>(t)]).segment(head * shape.d_k, shape.d_k);
    scores(t) = q.dot(key);
    max = std::isnan(max) || std::isnan(scores(t)) ? std::nanf("") : std::max(max, scores(t));
  }
  if (!std::isfinite(max)) max = std::nanf("");
  float sum = 0, weighted = 0;
  for (Index t = 0; t < count; ++t) {
    const float below = scores(t) - max;
    scores(t) = std::exp(below);
    sum += scores(t);
    if (scores(t) != 0) weighted += scores(t) * below;
  }
  for (Index t = 0; t < count; ++t) {
    scores(t) /= sum;
    const Index key = keys[static_cast<std::size_t>(t)];
    output += scores(t) * V.row(key).segment(head * shape.d_v, shape.d_v);
  }
  result.row_max(head, i) = max;
  result.row_sum(head, i) = sum;
  result.entropy(head, i) = detail::entropy(sum, weighted);
}

}  // namespace

void attend_sparse_into(const Matrix& Q, const Matrix& K, const Matrix& V, const SparseMask& mask,
                        const SparseOptions& options, SparseAttention& result,
                        const Cancel& cancel) {
  result.shape = attention_shape(Q, K, V, options.heads);
  const AttentionShape& shape = result.shape;
  if (mask.rows() != shape.n || mask.cols() != shape.m) {
    refuse("attention", "a mask of " + shape_text(shape.n, shape.m),
           shape_text(mask.rows(), mask.cols()));
  }
  cancel.poll();
  prepare(mask, options, result);
  std::atomic<Index> done{0};
  parallel_for(shape.n, options.threads, [&](Index i, int) {
    cancel.poll();
    std::vector<std::int32_t> keys;
    for (const KeyRun& run : mask.row(i)) {
      for (std::int32_t t = 0; t < run.count; ++t) keys.push_back(run.begin + t * run.step);
    }
    Vector scores(static_cast<Index>(keys.size()));
    for (Index head = 0; head < shape.heads; ++head) {
      attend_row(Q, K, V, options, head, i, keys, scores, result);
      if (!options.keep_weights) continue;
      std::copy_n(scores.data(), scores.size(),
                  result.weights[static_cast<std::size_t>(head)].data() +
                      result.first[static_cast<std::size_t>(i)]);
    }
    cancel.progress(static_cast<float>(++done) / static_cast<float>(shape.n));
  });
}

SparseAttention attend_sparse(const Matrix& Q, const Matrix& K, const Matrix& V,
                              const SparseMask& mask, const SparseOptions& options,
                              const Cancel& cancel) {
  SparseAttention result;
  attend_sparse_into(Q, K, V, mask, options, result, cancel);
  return result;
}

}  // namespace core
