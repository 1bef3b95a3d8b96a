// The numbers of the multi-head lab that are read off the model.
#include "app/labs/multi_head/model.h"
#include "app/labs/shared/parts.h"
#include "core/attention/gemm.h"
#include "core/parallel.h"

namespace lab::multi_head {
namespace {

double bytes(const Matrix& matrix) { return 4.0 * to_double(matrix.size()); }

// The covariance of the columns of one head's slice, and their mean.
struct Moments {
  MatrixD covariance;
  VectorD mean;
};

Moments moments(const Matrix& x, Index first, Index width, int threads) {
  const Matrix slice = x.middleCols(first, width);
  const VectorD mean = slice.cast<double>().colwise().mean().transpose();
  const Matrix centred = slice.rowwise() - mean.cast<float>().transpose();
  Matrix covariance = core::multiply(centred.transpose(), centred, nullptr, threads);
  covariance /= static_cast<float>(x.rows());
  return {covariance.cast<double>(), mean};
}

// With q = q' + mean and k = k' + mean, the parts q'.k', mean.k' and q'.mean of q.k are
// uncorrelated over all pairs, so their variances add up: an exact result without the n x m scores.
double score_variance(const Projected& p, Index head, int threads) {
  const Moments q = moments(p.Q, head * p.d_k, p.d_k, threads);
  const Moments k = moments(p.K, head * p.d_k, p.d_k, threads);
  return q.covariance.cwiseProduct(k.covariance).sum() + q.mean.dot(k.covariance * q.mean) +
         k.mean.dot(q.covariance * k.mean);
}

double row_error(const Heads& heads, Index head, Index query) {
  const core::KeyRange keys = heads.mask().range(query);
  if (heads.kept) {
    // Masked weights are 0, so the row's range of keys is all there is to add up.
    const auto row = heads.kept->weights[to_size(head)].matrix().row(query);
    return std::abs(row.segment(keys.begin, keys.size()).cast<double>().sum() - 1);
  }
  const double max = heads.row_max()(head, query), normaliser = heads.row_sum()(head, query);
  double sum = 0;
  for (Index j = keys.begin; j < keys.end; ++j) {
    sum += std::exp(to_double(heads.scaled_score(head, query, j)) - max) / normaliser;
  }
  return std::abs(sum - 1);
}

// The mean over rows with at least so many keys of what `measure` makes of entropy and keys.
template <class Measure>
double mean_over_rows(const Heads& heads, Index head, Index least, Measure measure) {
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < heads.n(); ++i) {
    const Index keys = heads.mask().range(i).size();
    if (keys < least) continue;
    sum += measure(to_double(heads.entropy()(head, i)), to_double(keys));
    ++rows;
  }
  return rows > 0 ? sum / to_double(rows) : 0;
}

}  // namespace

double mean_entropy(const Heads& heads, Index head) {
  return mean_over_rows(heads, head, 1, [](double entropy, double) { return entropy; });
}

double mean_entropy_share(const Heads& heads, Index head) {
  return mean_over_rows(heads, head, 2,
                        [](double entropy, double keys) { return entropy / std::log(keys); });
}

HeadNumbers head_numbers(const HeadsPointer& heads, Index head, const Run& run) {
  HeadNumbers numbers{.variance = score_variance(*heads->projected, head, run.threads)};
  float least = 0;  // the smallest sum has the largest weight, exp(0) over it
  for (Index i = 0; i < heads->n(); ++i) {
    const float sum = heads->row_sum()(head, i);
    // A single key always has weight 1.
    const bool has_choice = heads->mask().range(i).size() > 1;
    if (!has_choice || !(sum > 0) || (least > 0 && sum >= least)) continue;
    least = sum;
    numbers.query = i;
  }
  if (least == 0) return numbers;
  numbers.largest_weight = 1 / to_double(least);
  const core::KeyRange keys = heads->mask().range(numbers.query);
  const auto score = [&](Index key) { return heads->scaled_score(head, numbers.query, key); };
  numbers.key = keys.begin;
  for (Index j = keys.begin; j < keys.end; ++j) {
    if (score(j) > score(numbers.key)) numbers.key = j;
  }
  return numbers;
}

double row_sum_error(const HeadsPointer& heads, Index query, const Run& run) {
  std::vector<double> errors(to_size(heads->projected->heads));
  core::parallel_for(heads->projected->heads, run.threads, [&](Index head, int) {
    double& error = errors[to_size(head)];
    const Index first = heads->kept ? 0 : query, last = heads->kept ? heads->n() : query + 1;
    for (Index i = first; i < last; ++i) {
      if (heads->row_sum()(head, i) > 0) error = std::max(error, row_error(*heads, head, i));
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
    for (const auto& w : heads.kept->weights) sum += 4.0 * to_double(w.rows() * w.cols());
  } else {
    for (const Matrix& overview : heads.streamed->overview_max) sum += 2 * bytes(overview);
    sum += bytes(heads.overview_pairs);
  }
  if (model.W_o) sum += bytes(*model.W_o);
  const Index cells = model.n() * model.n();
  return sum + (cells <= kMostScoreCells ? 8.0 * to_double(cells) : 0);
}

}  // namespace lab::multi_head
