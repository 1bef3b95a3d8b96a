// The computation of the multi-head lab in stages: tokens, projections, attention, what is drawn.
// Each stage is a pure function of the parameters it names and is kept while they stay.
#pragma once

#include <memory>
#include <vector>

#include "app/figure/figure.h"
#include "app/labs/lab.h"
#include "app/labs/multi_head/parameters.h"
#include "core/attention/streaming.h"

namespace lab::multi_head {

using core::Index;

// Weights of all heads up to this size are kept; beyond, the attention is streamed and tiles of it
// are computed when they are looked at.
inline constexpr double kMostKeptBytes = 256e6;
// Score matrices up to this many cells are kept.
inline constexpr Index kMostScoreCells = Index{2048} * 2048;

struct Sequence {
  figure::Labels labels;  // of the tokens; null for synthetic sequences
  core::Matrix X;         // (n, d_model), position included when it is sinusoidal
  bool cut = false;       // the text has more tokens than are used
  Index n() const { return X.rows(); }
};

// Q = X W_q and so on, heads side by side; Q and K already turned when the position is rotary.
struct Projected {
  core::Matrix Q, K, V;  // (n, h d_k)
  Index heads = 1, d_k = 1;
};

struct Heads {
  std::shared_ptr<const Projected> projected;
  core::AttentionOptions options;  // heads, scale, mask as the kernels take them; all given
  // One of the two: with every weight, or with an overview only.
  std::shared_ptr<const core::Attention> kept;
  std::shared_ptr<const core::StreamedAttention> streamed;
  core::Matrix overview_pairs;  // allowed pairs in each cell of the overview

  float scale() const { return options.scale.value(); }
  const core::Mask& mask() const { return options.mask.value(); }
  const core::Matrix& row_max() const { return kept ? kept->row_max : streamed->row_max; }
  const core::Matrix& row_sum() const { return kept ? kept->row_sum : streamed->row_sum; }
  const core::Matrix& entropy() const { return kept ? kept->entropy : streamed->entropy; }
  // (n, h d_v): the heads' outputs side by side.
  const core::Matrix& concat() const { return kept ? kept->output : streamed->output; }
  Index n() const { return concat().rows(); }
};

// What heatmaps draw; the same objects as long as the attention stays the same.
struct Sources {
  std::vector<std::shared_ptr<const figure::TileSource>> weights;  // one a head
  float largest_weight = 0;                                        // over all heads
};
struct HeadSources {
  std::shared_ptr<const figure::TileSource> scores, scaled;
  float largest_score = 0;  // |q.k| over all pairs
};

// One query of one head, computed again in double from the projected numbers.
struct Row {
  std::vector<double> scores, scaled, exponentials, weights;  // 0 exponential and weight if masked
  std::vector<bool> allowed;
  double max = 0, sum = 0;  // of scaled over allowed keys; of the exponentials exp(scaled - max)
  Index strongest = 0;      // the key of largest weight; the query itself when all are masked
  bool empty = true;        // no key is allowed
};

// Everything that pages are made of.
struct Model {
  std::shared_ptr<const Sequence> sequence;
  std::shared_ptr<const Projected> projected;
  std::shared_ptr<const core::Matrix> W_o;  // (h d_v, d_model); null: identity
  std::shared_ptr<const Heads> heads;
  std::shared_ptr<const Sources> sources;
  std::shared_ptr<const HeadSources> head_sources;
  Row row;
  Index head = 0, query = 0, key = 0;  // from 0; `key` is the pinned or the strongest one
  bool pinned = false;

  Index n() const { return sequence->n(); }
  Index d_k() const { return projected->d_k; }
};

// The first `length` tokens, or a synthetic sequence. An empty text gives n = 0.
std::shared_ptr<const Sequence> make_sequence(const Parameters& p, const Context& context);

// The rest; n >= 1.
Model make_model(const Parameters& p, std::shared_ptr<const Sequence> sequence,
                 const Context& context);

// d_k = d_v = max(1, floor(d_model / heads)).
Index head_width(const Parameters& p);
core::Mask make_mask(const Parameters& p, Index n);

// Mean over the rows that see a key, in nats.
double mean_entropy(const Heads& heads, Index head);
// The same, each row's entropy divided by the largest it could have; rows with two keys or more.
double mean_entropy_share(const Heads& heads, Index head);

struct LargestWeight {
  double value = 0;
  Index query = 0, key = 0;
};
// Among queries that see two keys or more: a single key always has weight 1. 0 when there is none.
LargestWeight largest_weight(const Heads& heads, Index head);

// The variance of q.k of one head over all pairs, masked ones too.
double score_variance(const Projected& projected, Index head, int threads);

// max |sum of a row's weights - 1| over rows that see a key: of every head and row where weights
// are kept, else of the given query in every head.
double row_sum_error(const Heads& heads, Index query, const Context& context);

// Bytes that the model's matrices hold.
double memory_bytes(const Model& model);

}  // namespace lab::multi_head
