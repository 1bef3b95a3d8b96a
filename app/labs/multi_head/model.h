// The computation of the multi-head lab in stages: tokens, projections, attention, what is drawn.
#pragma once

#include "app/labs/shared/sequence.h"
#include "core/attention/streaming/streaming.h"

namespace lab::multi_head {

using Source = std::shared_ptr<const TileSource>;

// --- what the multi-head lab can be set to

enum class Projection { identity, tied, random };
enum class Position { none, sinusoidal, rope };
enum class MaskKind { full, causal, local, key_padding, query_padding };
inline bool is_padding(MaskKind mask) {
  return mask == MaskKind::key_padding || mask == MaskKind::query_padding;
}
enum class LinksOf { head, all };
enum class WeightScale { linear, log };
enum class WeightColors { viridis, cividis, magma, gray };

inline constexpr int kMostTokens = 16384;

struct Parameters : SequenceKnobs {
  int heads = 8;
  int d_model = 64;
  Projection projection = Projection::tied;
  int seed = 89;

  Position position = Position::rope;
  double base = 10000;

  MaskKind mask = MaskKind::causal;
  int reach = 2;
  int valid = 10;

  double temperature = 1;
  bool scaled = true;

  int head = 3;  // 1 to heads, as people count them
  int query = 12;
  int key = 2;  // -1: nothing is pinned
  LinksOf links_of = LinksOf::head;

  core::Pool pool = core::Pool::max;
  WeightScale weight_scale = WeightScale::linear;
  WeightColors colors = WeightColors::viridis;
};
void describe(Parameters& p, param::List& list);

// --- the model

// Weights of all heads up to this size are kept; beyond, the attention is streamed and tiles of it
// are computed when they are looked at.
inline constexpr double kMostKeptBytes = 256e6;
// Score matrices up to this many cells are kept.
inline constexpr Index kMostScoreCells = Index{2048} * 2048;

struct Sequence {
  Labels labels;     // of the tokens; null for synthetic sequences
  Matrix X;          // (n, d_model), position included when it is sinusoidal
  bool cut = false;  // the text has more tokens than are used
  Index n() const { return X.rows(); }
};

// Q = X W_q and so on, heads side by side; Q and K already turned when the position is rotary.
struct Projected {
  Matrix Q, K, V;  // (n, h d_k)
  Index heads = 1, d_k = 1;
  bool tied = false;  // K is Q, to the last bit

  // One head's numbers of one token.
  auto q(Index token, Index head) const { return Q.row(token).segment(head * d_k, d_k); }
  auto k(Index token, Index head) const { return K.row(token).segment(head * d_k, d_k); }
  auto v(Index token, Index head) const { return V.row(token).segment(head * d_k, d_k); }
};

struct Heads {
  std::shared_ptr<const Projected> projected;
  core::AttentionOptions options;  // heads, scale, mask as the kernels take them; all given
  // One of the two: with every weight, or with an overview only.
  std::shared_ptr<const core::Attention> kept;
  std::shared_ptr<const core::StreamedAttention> streamed;
  Matrix overview_pairs;  // allowed pairs in each cell of the overview

  float scale() const { return options.scale.value(); }
  const Mask& mask() const { return options.mask.value(); }
  const Matrix& row_max() const { return kept ? kept->row_max : streamed->row_max; }
  const Matrix& row_sum() const { return kept ? kept->row_sum : streamed->row_sum; }
  const Matrix& entropy() const { return kept ? kept->entropy : streamed->entropy; }
  // (n, h d_v): the heads' outputs side by side.
  const Matrix& concat() const { return kept ? kept->output : streamed->output; }
  Index n() const { return concat().rows(); }
  // What enters the softmax, masked or not.
  float scaled_score(Index head, Index query, Index key) const {
    return scale() * projected->q(query, head).dot(projected->k(key, head));
  }
};
using HeadsPointer = std::shared_ptr<const Heads>;

// What heatmaps draw; the same objects as long as the attention stays the same.
struct Sources {
  std::vector<Source> weights;  // one a head
  float largest_weight = 0;     // over all heads
};
struct HeadSources {
  Source scores, scaled;
  float largest_score = 0;  // |q.k| over all pairs
};

// One query of one head, computed again in double from the projected numbers.
struct Row {
  std::vector<double> scores = {}, scaled = {}, weights = {};  // weight 0 if masked
  std::vector<bool> allowed = {};
  Index strongest = 0;  // the key of largest weight; the query itself when all are masked
  bool empty = true;    // no key is allowed
};

// What depends on the attention and the head alone, and would be costly to read off anew whenever
// another cell is picked.
struct HeadNumbers {
  double largest_weight = 0;  // of queries that see two keys or more; 0 when there is none
  Index query = 0, key = 0;   // where that is
  double variance = 0;        // of q.k over all pairs, masked ones too
};

// Everything that pages are made of.
struct Model {
  std::shared_ptr<const Sequence> sequence;
  std::shared_ptr<const Projected> projected;
  std::shared_ptr<const Matrix> W_o;  // (h d_v, d_model); null: identity
  HeadsPointer heads;
  std::shared_ptr<const Sources> sources;
  std::shared_ptr<const HeadSources> head_sources;
  std::shared_ptr<const HeadNumbers> numbers;
  double row_error = 0;  // max |sum of a row's weights - 1|
  Row row;
  Index head = 0, query = 0, key = 0;  // from 0; `key` is the pinned or the strongest one
  bool pinned = false;

  Index n() const { return sequence->n(); }
  Index d_k() const { return projected->d_k; }
  const TileSource& weights(Index of) const { return *sources->weights[to_size(of)]; }
};

// Without a token only its sequence is there.
Model make_model(const Parameters& p, const Context& context);

// d_k = d_v = max(1, floor(d_model / heads)).
Index head_width(Index d_model, Index heads);

// Which matrix of a head is meant.
enum class Quantity {
  score,   // q.k of every pair, masked or not
  scaled,  // what enters the softmax
  weight,
};
// A source for one head; small score matrices and kept weights are held, all else is computed when
// it is looked at.
Source make_source(const HeadsPointer& heads, Index head, Quantity quantity);

// --- numbers that are read off

// Mean over the rows that see a key, in nats.
double mean_entropy(const Heads& heads, Index head);
// The same, each row's entropy divided by the largest it could have; rows with two keys or more.
double mean_entropy_share(const Heads& heads, Index head);
HeadNumbers head_numbers(const HeadsPointer& heads, Index head, const Run& run);
// max |sum of a row's weights - 1| over rows that see a key: of every head and row where weights
// are kept, else of the given query in every head.
double row_sum_error(const HeadsPointer& heads, Index query, const Run& run);
// max |w - w'| over heads and keys of the picked query, where w' are the weights that one softmax
// makes of all heads' scores added up; 0 for a query without keys.
double one_softmax_error(const Model& model);
// max |y - y'| over the picked query's output, where y' has the heads' numbers interleaved, as
// stack(dim=-1).flatten puts them, in place of side by side, before the same W_o.
double stacked_error(const Model& model);
// Bytes that the model's matrices hold.
double memory_bytes(const Model& model);

}  // namespace lab::multi_head
