#include <mutex>

#include "app/labs/multi_head/model.h"
#include "app/labs/shared/parts.h"
#include "core/attention/fast/gemm.h"
#include "core/parallel.h"
#include "core/position/rotary/rotary.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace lab::multi_head {
namespace {

// --- sequence and projections

// With sines and cosines of this base added; 0: none.
Sequence make_sequence(const std::shared_ptr<const Tokens>& tokens, double base, const Run& run) {
  Sequence sequence{tokens->labels, tokens->X, tokens->cut};
  if (base == 0 || sequence.n() == 0) return sequence;
  // The encoding has an even width; an odd d_model does without the last cosine.
  const Index width = sequence.X.cols();
  Matrix encoding;
  core::sinusoidal_table_into(encoding, sequence.n(), width + width % 2, {.base = base}, 0,
                              run.threads);
  sequence.X += encoding.leftCols(width);
  return sequence;
}

struct Projecting {
  int heads;
  Projection projection;
  int seed;
  double base;  // of RoPE; 0: nothing turns
  bool operator==(const Projecting&) const = default;
};

void rotate(Projected& projected, double base, int threads) {
  // Dimensions turn in pairs; the last of an odd d_k stays.
  const Index rotated = projected.d_k - projected.d_k % 2;
  const core::RotaryTable table = core::rotary_table(projected.Q.rows(), rotated, base);
  core::parallel_for(projected.heads, threads, [&](Index head, int) {
    for (Matrix* x : {&projected.Q, &projected.K}) {
      core::rotate(x->data() + head * projected.d_k, x->rows(), projected.d_k, x->cols(), table);
    }
  });
}

// W_q, W_k, W_v: N(0, 1/d_model), a stream of random numbers for each head; or slices.
Projected project(const std::shared_ptr<const Sequence>& sequence, const Projecting& how,
                  const Run& run) {
  const Matrix& X = sequence->X;
  Projected projected;
  projected.heads = how.heads;
  projected.d_k = head_width(X.cols(), how.heads);
  projected.tied = how.projection != Projection::random;
  if (how.projection == Projection::identity) {
    // Head by head the next d_k columns of X; past the last column they begin again.
    projected.Q.resize(X.rows(), projected.heads * projected.d_k);
    for (Index c = 0; c < projected.Q.cols(); ++c) projected.Q.col(c) = X.col(c % X.cols());
    projected.K = projected.V = projected.Q;
  } else {
    const auto random = [&](Stream stream) {
      return random_projection(X.cols(), how.heads, projected.d_k, how.seed, stream);
    };
    const Matrix W_q = random(Stream::query), W_v = random(Stream::value);
    const Matrix W_k = how.projection == Projection::tied ? W_q : random(Stream::key);
    const std::array products{core::Product{&X, &W_q, nullptr, &projected.Q},
                              core::Product{&X, &W_k, nullptr, &projected.K},
                              core::Product{&X, &W_v, nullptr, &projected.V}};
    core::multiply_into(products, run.threads, run.cancel);
  }
  if (how.base != 0) rotate(projected, how.base, run.threads);
  return projected;
}

// W_o: (h d_v, d_model), N(0, 1/(h d_v)).
Matrix output_projection(int heads, int d_model, int seed, const Run& /*run*/) {
  return random_projection(heads * head_width(d_model, heads), 1, d_model, seed, Stream::output);
}

// --- attention

// The memory of the last attention whose page nobody shows any more: filling fresh pages would cost
// as much as the arithmetic.
struct Spare {
  std::mutex mutex;
  std::shared_ptr<core::Attention> attention;
};

// Room for an attention; it goes back to `spare` when its last user is gone.
std::shared_ptr<core::Attention> borrow(const std::shared_ptr<Spare>& spare) {
  std::shared_ptr<core::Attention> room;
  {
    const std::scoped_lock lock(spare->mutex);
    room = std::move(spare->attention);
  }
  if (!room) room = std::make_shared<core::Attention>();
  core::Attention* raw = room.get();
  return {raw, [spare, room = std::move(room)](core::Attention*) mutable {
            const std::scoped_lock lock(spare->mutex);
            spare->attention = std::move(room);
          }};
}

// How many allowed pairs each cell of an overview stands for.
Matrix count_pairs(const Mask& mask, int level) {
  Matrix pairs = Matrix::Zero(figure::pooled_size(mask.rows(), level),
                              figure::pooled_size(mask.cols(), level));
  for (Index i = 0; i < mask.rows(); ++i) {
    const core::KeyRange range = mask.range(i);
    for (Index begin = range.begin; begin < range.end;) {
      const Index cell = begin >> level;
      const Index end = std::min(range.end, (cell + 1) << level);
      pairs(i >> level, cell) += to_float(end - begin);
      begin = end;
    }
  }
  return pairs;
}

// Knobs that the kind of mask does not look at are 0.
struct Attending {
  MaskKind mask;
  int reach, valid;
  double temperature;
  bool scaled;
  bool operator==(const Attending&) const = default;
};

Mask make_mask(const Attending& how, Index n) {
  const Index valid = std::min<Index>(how.valid, n);
  switch (how.mask) {
    case MaskKind::full: break;
    case MaskKind::causal: return Mask::causal(n, n);
    case MaskKind::local: return Mask::local(n, n, how.reach);
    case MaskKind::key_padding: return Mask::key_padding(n, n, valid);
    case MaskKind::query_padding: return Mask::query_padding(n, n, valid);
  }
  return Mask::none(n, n);
}

Heads attend(const std::shared_ptr<const Projected>& projected, const Attending& how,
             const std::shared_ptr<Spare>& spare, const Run& run) {
  const auto& [Q, K, V, count, d_k, tied] = *projected;
  Heads heads;
  heads.projected = projected;
  heads.options.heads = count;
  const double scale = how.scaled ? 1 / std::sqrt(to_double(d_k)) : 1;
  heads.options.scale = to_float(scale / how.temperature);
  heads.options.mask = make_mask(how, Q.rows());
  heads.options.threads = run.threads;
  if (4.0 * to_double(count * Q.rows() * Q.rows()) <= kMostKeptBytes) {
    auto kept = borrow(spare);
    core::attend_fast_into(Q, K, V, heads.options, *kept, run.cancel);
    heads.kept = std::move(kept);
  } else {
    heads.streamed = std::make_shared<const core::StreamedAttention>(
        core::stream_attention(Q, K, V, heads.options, 512, run.cancel));
    heads.overview_pairs = count_pairs(heads.mask(), heads.streamed->level);
  }
  return heads;
}

// --- what is drawn

Sources make_sources(const HeadsPointer& heads, const Run& /*run*/) {
  Sources sources;
  for (Index head = 0; head < heads->projected->heads; ++head) {
    sources.weights.push_back(make_source(heads, head, Quantity::weight));
  }
  // The largest weight of a row is exp(0) over its sum.
  const Matrix& sums = heads->row_sum();
  for (Index k = 0; k < sums.size(); ++k) {
    const float sum = sums.data()[k];
    if (sum > 0) sources.largest_weight = std::max(sources.largest_weight, 1 / sum);
  }
  return sources;
}

// The largest |q.k| over all pairs where k is q: no pair is above its larger square, |q|^2
// (Cauchy-Schwarz). Room for the rounding of a sum of d_k terms.
float largest_square(const Projected& p, Index head) {
  const float square = p.Q.middleCols(head * p.d_k, p.d_k).rowwise().squaredNorm().maxCoeff();
  return square * (1 + 1e-5F);
}

HeadSources make_head_sources(const HeadsPointer& heads, Index head, const Run& run) {
  HeadSources sources{make_source(heads, head, Quantity::score),
                      make_source(heads, head, Quantity::scaled)};
  if (heads->projected->tied && heads->n() * heads->n() > kMostScoreCells) {
    sources.largest_score = largest_square(*heads->projected, head);
    return sources;
  }
  int level = 0;
  while (figure::pooled_size(heads->n(), level) > 1) ++level;
  float extreme = 0;
  sources.scores->pooled(level, {0, 0, 1, 1}, core::Pool::max, &extreme, run.cancel);
  sources.largest_score = std::abs(extreme);
  return sources;
}

Row make_row(const Heads& heads, Index head, Index query) {
  const Projected& p = *heads.projected;
  const std::size_t m = to_size(p.K.rows());
  Row row{.weights = std::vector<double>(m), .strongest = query};
  const VectorD q = p.q(query, head).transpose().cast<double>();
  for (Index j = 0; j < p.K.rows(); ++j) {
    row.scores.push_back(p.k(j, head).cast<double>().dot(q));
    row.scaled.push_back(row.scores.back() * to_double(heads.scale()));
    row.allowed.push_back(heads.mask().allowed(query, j));
    if (!row.allowed.back()) continue;
    if (row.empty || row.scaled.back() > row.scaled[to_size(row.strongest)]) row.strongest = j;
    row.empty = false;
  }
  double sum = 0;
  for (std::size_t j = 0; j < m; ++j) {
    if (!row.allowed[j]) continue;
    row.weights[j] = std::exp(row.scaled[j] - row.scaled[to_size(row.strongest)]);
    sum += row.weights[j];
  }
  for (double& weight : row.weights) weight = row.empty ? 0 : weight / sum;
  return row;
}

// --- the numbers of the multi-head lab that are read off the model

double bytes(const Matrix& matrix) { return 4.0 * to_double(matrix.size()); }

// The covariance of the columns of one head's slice, and their mean.
struct Moments {
  MatrixD covariance;
  VectorD mean;
};

Moments moments(const Matrix& x, Index first, Index width, int threads) {
  const Matrix slice = x.middleCols(first, width);
  const VectorD mean = slice.cast<double>().colwise().mean().transpose();
  const Matrix centered = slice.rowwise() - mean.cast<float>().transpose();
  Matrix covariance = core::multiply(centered.transpose(), centered, nullptr, threads);
  covariance /= to_float(x.rows());
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
  const double max = heads.row_max()(head, query), normalizer = heads.row_sum()(head, query);
  double sum = 0;
  for (Index j = keys.begin; j < keys.end; ++j) {
    sum += std::exp(to_double(heads.scaled_score(head, query, j)) - max) / normalizer;
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

Index head_width(Index d_model, Index heads) { return std::max<Index>(1, d_model / heads); }

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  const auto tokens = tokens_of(p, p.d_model, p.seed, context);
  const bool added = p.position == Position::sinusoidal, rotary = p.position == Position::rope;
  model.sequence = context.stage("sequence", make_sequence, tokens, added ? p.base : 0.0);
  if (model.n() == 0) return model;
  const Projecting projecting{p.heads, p.projection, p.seed, rotary ? p.base : 0};
  model.projected = context.stage("projected", project, model.sequence, projecting);
  if (p.projection != Projection::identity) {
    model.W_o = context.stage("W_o", output_projection, p.heads, p.d_model, p.seed);
  }
  context.cancel.poll();
  const Attending attending{p.mask, p.mask == MaskKind::local ? p.reach : 0,
                            is_padding(p.mask) ? p.valid : 0, p.temperature, p.scaled};
  const auto spare = context.memo.room<Spare>("attention");
  model.heads = context.stage("heads", attend, model.projected, attending, spare);
  const Index last = model.n() - 1;
  model.head = std::clamp<Index>(p.head - 1, 0, p.heads - 1);
  model.query = std::clamp<Index>(p.query, 0, last);
  model.sources = context.stage("sources", make_sources, model.heads);
  model.head_sources = context.stage("head sources", make_head_sources, model.heads, model.head);
  model.numbers = context.stage("head numbers", head_numbers, model.heads, model.head);
  // With kept weights the error is that of all rows, whatever the query.
  const Index row = model.heads->kept ? 0 : model.query;
  model.row_error = *context.stage("row sums", row_sum_error, model.heads, row);
  model.row = make_row(*model.heads, model.head, model.query);
  model.pinned = p.key >= 0;
  model.key = model.pinned ? std::min<Index>(p.key, last) : model.row.strongest;
  return model;
}

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
  for (Index j = keys.begin; j < keys.end; ++j)
    if (score(j) > score(numbers.key)) numbers.key = j;
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

double one_softmax_error(const Model& model) {
  const Heads& heads = *model.heads;
  const core::KeyRange keys = heads.mask().range(model.query);
  if (keys.size() == 0) return 0;
  const auto weights = [](VectorD scores) {
    scores = (scores.array() - scores.maxCoeff()).exp();
    return VectorD(scores / scores.sum());
  };
  MatrixD scores(heads.projected->heads, keys.size());
  for (Index head = 0; head < scores.rows(); ++head) {
    for (Index j = 0; j < keys.size(); ++j) {
      scores(head, j) = to_double(heads.scaled_score(head, model.query, keys.begin + j));
    }
  }
  const VectorD one = weights(scores.colwise().sum().transpose());
  double error = 0;
  for (Index head = 0; head < scores.rows(); ++head) {
    const VectorD own = weights(scores.row(head).transpose());
    error = std::max(error, (own - one).cwiseAbs().maxCoeff());
  }
  return error;
}

double stacked_error(const Model& model) {
  const Projected& p = *model.projected;
  const VectorD side_by_side = model.heads->concat().row(model.query).transpose().cast<double>();
  VectorD stacked(side_by_side.size());
  for (Index head = 0; head < p.heads; ++head) {
    for (Index c = 0; c < p.d_k; ++c) stacked(c * p.heads + head) = side_by_side(head * p.d_k + c);
  }
  const VectorD difference = stacked - side_by_side;
  if (!model.W_o) return difference.cwiseAbs().maxCoeff();
  return (model.W_o->cast<double>().transpose() * difference).cwiseAbs().maxCoeff();
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
