// The numbers of the multi-head lab that are read off the model.
#include <algorithm>
#include <cmath>

#include "app/labs/multi_head/model.h"
#include "core/attention/gemm.h"
#include "core/parallel.h"

namespace lab::multi_head {
namespace {

using core::Matrix;

double bytes(const Matrix& matrix) { return 4.0 * static_cast<double>(matrix.size()); }

// The covariance of the columns of one head's slice, and their mean.
struct Moments {
  Matrix covariance;
  core::VectorD mean;
};

Moments moments(const Matrix& x, Index first, Index width, int threads) {
  const Matrix slice = x.middleCols(first, width);
  const core::VectorD mean = slice.cast<double>().colwise().mean().transpose();
  const Matrix centred = slice.rowwise() - mean.cast<float>().transpose();
  Matrix covariance = core::multiply(centred.transpose(), centred, nullptr, threads);
  covariance /= static_cast<float>(x.rows());
  return {std::move(covariance), mean};
}

// Masked weights are 0, so the row's range of keys is all there is to add up.
double row_error(const core::HeadWeights& weights, Index row, const core::KeyRange& keys) {
  const auto cells = weights.matrix().row(row).segment(keys.begin, keys.size());
  return std::abs(cells.cast<double>().sum() - 1);
}

double streamed_row_error(const Heads& heads, Index head, Index query) {
  const Projected& p = *heads.projected;
  const core::KeyRange keys = heads.mask().range(query);
  const double max = heads.row_max()(head, query), normaliser = heads.row_sum()(head, query);
  double sum = 0;
  for (Index j = keys.begin; j < keys.end; ++j) {
    const float score =
        heads.scale() *
        p.Q.row(query).segment(head * p.d_k, p.d_k).dot(p.K.row(j).segment(head * p.d_k, p.d_k));
    sum += std::exp(static_cast<double>(score) - max) / normaliser;
  }
  return std::abs(sum - 1);
}

}  // namespace

double mean_entropy(const Heads& heads, Index head) {
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < heads.n(); ++i) {
    if (!(heads.row_sum()(head, i) > 0)) continue;
    sum += static_cast<double>(heads.entropy()(head, i));
    ++rows;
  }
  return rows > 0 ? sum / static_cast<double>(rows) : 0;
}

double mean_entropy_share(const Heads& heads, Index head) {
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < heads.n(); ++i) {
    const Index keys = heads.mask().range(i).size();
    if (keys < 2) continue;
    sum += static_cast<double>(heads.entropy()(head, i)) / std::log(static_cast<double>(keys));
    ++rows;
  }
  return rows > 0 ? sum / static_cast<double>(rows) : 0;
}

LargestWeight largest_weight(const Heads& heads, Index head) {
  LargestWeight result;
  float least = 0;
  for (Index i = 0; i < heads.n(); ++i) {
    const float sum = heads.row_sum()(head, i);
    const bool has_choice = heads.mask().range(i).size() > 1;
    if (!has_choice || !(sum > 0) || (least > 0 && sum >= least)) continue;
    least = sum;
    result.query = i;
  }
  if (least == 0) return result;
  result.value = 1 / static_cast<double>(least);
  const Projected& p = *heads.projected;
  const core::KeyRange keys = heads.mask().range(result.query);
  const auto q = p.Q.row(result.query).segment(head * p.d_k, p.d_k);
  float largest = 0;
  for (Index j = keys.begin; j < keys.end; ++j) {
    const float score = q.dot(p.K.row(j).segment(head * p.d_k, p.d_k));
    if (j > keys.begin && score <= largest) continue;
    largest = score;
    result.key = j;
  }
  return result;
}

// With q = q' + mean and k = k' + mean, the parts q'.k', mean.k' and q'.mean of q.k are
// uncorrelated over all pairs, so their variances add up: an exact result without the n x m scores.
double score_variance(const Projected& projected, Index head, int threads) {
  const Index first = head * projected.d_k;
  const Moments q = moments(projected.Q, first, projected.d_k, threads);
  const Moments k = moments(projected.K, first, projected.d_k, threads);
  const core::MatrixD q_cov = q.covariance.cast<double>(), k_cov = k.covariance.cast<double>();
  return q_cov.cwiseProduct(k_cov).sum() + q.mean.dot(k_cov * q.mean) + k.mean.dot(q_cov * k.mean);
}

double row_sum_error(const Heads& heads, Index query, const Context& context) {
  const Index count = heads.projected->heads;
  std::vector<double> errors(static_cast<std::size_t>(count));
  core::parallel_for(count, context.threads, [&](Index head, int) {
    double& error = errors[static_cast<std::size_t>(head)];
    const Index first = heads.kept ? 0 : query, last = heads.kept ? heads.n() : query + 1;
    for (Index i = first; i < last; ++i) {
      if (!(heads.row_sum()(head, i) > 0)) continue;
      error = std::max(error, heads.kept
                                  ? row_error(heads.kept->weights[static_cast<std::size_t>(head)],
                                              i, heads.mask().range(i))
                                  : streamed_row_error(heads, head, i));
    }
  });
  return *std::max_element(errors.begin(), errors.end());
}

double memory_bytes(const Model& model) {
  const Heads& heads = *model.heads;
  const Projected& p = *model.projected;
  double sum = bytes(model.sequence->X) + bytes(p.Q) + bytes(p.K) + bytes(p.V) +
               bytes(heads.concat()) + 3 * bytes(heads.row_sum());
  if (heads.kept) {
    for (const auto& w : heads.kept->weights) sum += 4.0 * static_cast<double>(w.rows() * w.cols());
  } else {
    for (const Matrix& overview : heads.streamed->overview_max) sum += 2 * bytes(overview);
    sum += bytes(heads.overview_pairs);
  }
  if (model.W_o) sum += bytes(*model.W_o);
  const Index n = model.n();
  if (n * n <= kMostScoreCells) sum += 8.0 * static_cast<double>(n * n);
  return sum;
}

}  // namespace lab::multi_head
