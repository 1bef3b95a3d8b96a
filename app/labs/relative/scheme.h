// A scheme as data: the terms that it adds up before the softmax, each read from a table by the
// relative position j - i, and what it multiplies the weights by afterwards.
#pragma once

#include "app/labs/relative/parameters.h"

namespace lab::relative {

// --- matrices that are computed when they are looked at

// Matrices up to this many rows are made at once.
inline constexpr Index kMostKeptRows = 256;

// A rectangle of cells.
struct Block {
  Index i0, rows, j0, cols;
};
// A block's cells. Called from several threads.
using BlockFunction = std::function<MatrixD(const Block& block)>;

// A square matrix that a function computes, block by block; `causal` hides the cells right of the
// diagonal. `work` is about how many multiply-adds a cell takes.
std::shared_ptr<const TileSource> block_source(Index n, bool causal, BlockFunction cells,
                                               double work);
// The same, never made at once.
std::shared_ptr<const TileSource> computed_source(Index n, bool causal, BlockFunction cells,
                                                  double work);

// A square matrix whose cells depend on column minus row only: values[k] stands for k - (n - 1),
// 2n - 1 in all. A picture of it costs a few times n, however many cells it has.
std::shared_ptr<const TileSource> distance_source(Index n, bool causal,
                                                  std::shared_ptr<const std::vector<float>> values);

// --- the content that all schemes share, and the numbers that a model would learn for positions

// Tokens, and queries, keys and values made of them.
struct Content {
  Labels labels;     // null when the tokens are no text
  MatrixD Q, K, V;   // (n, d_k) each
  MatrixD W_q, W_k;  // (kModelWidth, d_k)
  bool cut = false;  // the text has more tokens than are used
  Index n() const { return Q.rows(); }
  Index d() const { return W_q.cols(); }
};

// n = 0 when there is no token.
Content make_content(const std::shared_ptr<const Tokens>& tokens, int width, Projection projection,
                     int seed, const Run& run);

// Learned numbers are drawn at random here. Each kind has a stream of its own, and what it says of
// a distance does not depend on how many rows there are.
enum class Learned : std::uint64_t {
  shaw_key = 101,
  shaw_value,
  position_matrix,
  bias_u,
  bias_v,
  t5_before,
  t5_after,
  deberta_key,
  deberta_query,
  urpe
};

struct LearnedSpec {
  int seed = 0;
  double size = 1;    // standard deviation
  double smooth = 0;  // neighbouring rows are correlated by exp(-1 / smooth); 0: not at all
};

// (count, d): one row after the other.
MatrixD learned_rows(Index count, Index d, Learned which, const LearnedSpec& spec);
// (before + 1 + after, d): rows of relative positions -before to after; both sides start at the row
// of 0 and go their own ways.
MatrixD learned_sides(Index before, Index after, Index d, Learned which, const LearnedSpec& spec);
// (rows, cols) independent entries of variance size² / rows.
MatrixD learned_matrix(Index rows, Index cols, Learned which, const LearnedSpec& spec);

// --- the model

enum class TermId {
  content,      // q·k
  shaw,         // q·a^K
  xl_position,  // (b)
  xl_key,       // (c)
  xl_bias,      // (d)
  t5,
  content_to_position,
  position_to_content,
  alibi
};

struct Term {
  // Whose vector meets the table's row; `key_vector` is K u, `relative` a number of j - i alone,
  // `key_place` a number of j alone.
  enum class Kind { content, query_rows, key_rows, key_vector, relative, key_place };
  TermId id = TermId::content;
  Kind kind = Kind::content;
  double factor = 1;                         // what it is multiplied by in the score
  std::shared_ptr<const MatrixD> rows = {};  // of the table
  std::function<Index(Index)> row_of = {};   // by j - i: the table's row
  std::function<double(Index)> number = {};  // by j - i, or by j
  VectorD vector = {};                       // u
  // What is read often, at j - i from -(n - 1) to n - 1: `row_of`, and `number`.
  std::shared_ptr<const std::vector<Index>> near_rows = {};
  std::shared_ptr<const VectorD> near = {};
  // Every query (or key) with every row of the table. Null where the table has a row for each
  // distance of the sequence: then a block of pairs meets no more rows than it has pairs.
  std::shared_ptr<const MatrixD> products = {};
};

// R's sinusoids and what projects them.
struct Sinusoids {
  Index width = 0;  // d_R
  core::SinusoidalOptions options;
  MatrixD W;                                   // (d_R, d_k)
  VectorD u, v;                                // (d_k)
  std::shared_ptr<const MatrixD> by_relative;  // R W, row n - 1 + (j - i)
  // Rows R of distances i - j = -(j - i), (count, d_R).
  MatrixD rows(const VectorD& relative) const;
};

struct Scheme {
  std::vector<Term> terms;               // the content first
  std::shared_ptr<const VectorD> after;  // URPE: c of j - i from -(n - 1) to n - 1
  std::function<Index(Index)> row_of;    // by j - i: which table row is read; empty when none
  std::shared_ptr<const MatrixD> keys, queries, values;  // tables, where there are
  VectorD scalars;                                       // T5: one a bucket
  std::optional<core::T5Buckets> buckets;
  std::optional<Sinusoids> sinusoids;
  VectorD slopes;      // ALiBi: one a head
  double slope = 0;    // of the chosen head
  double learned = 0;  // numbers a head learns for positions

  // URPE's c of a pair of the sequence.
  double after_at(Index relative) const { return (*after)(after->size() / 2 + relative); }
};

// Needs a content that has tokens.
Scheme make_scheme(const SchemeKnobs& p, const Content& content);

// URPE's c of j - i = -reach to reach: exp(-fall |j - i|) (1 + a random number). Factors are about
// 1, so these random numbers are a tenth of the size asked for.
inline constexpr double kUrpeNoise = 0.1;
VectorD urpe_factors(const SchemeKnobs& p, Index reach);

core::T5BucketSpec bucket_spec(const SchemeKnobs& p, T5Direction direction);
// DeBERTa's delta of a pair whose query minus key is given; in [0, 2k).
Index deberta_row(Index query_minus_key, Index k);
Index clipped_row(Index relative, Index k);

// A block of one term, times its factor, (block.rows, block.cols).
MatrixD term_block(const Content& content, const Term& term, const Block& block);
double term_value(const Content& content, const Term& term, Index i, Index j);
// The two vectors whose product the term is; none for plain numbers.
struct Factors {
  std::string left_name, right_name;  // "q", "a"
  VectorD left, right;
};
std::optional<Factors> term_factors(const Content& content, const Term& term, Index i, Index j);
// Whether the term is a function of j - i (for the query i and the key j as they are).
bool depends_on_distance(const Term& term);
// The term, times its factor, at relative positions -reach to reach, as if the pair's vectors stood
// so far apart; not of terms (b) and (d), whose tables end with the sequence.
VectorD term_curve(const Content& content, const Term& term, Index i, Index j, Index reach);
// R W x for each column x of X: (2 reach + 1, columns), rows as above. From a table in float; entry
// errors are below 1e-7 (core/position/sinusoidal/sinusoidal.h).
MatrixD sinusoid_curves(const Sinusoids& sinusoids, const MatrixD& X, Index reach,
                        const core::Cancel& cancel);

}  // namespace lab::relative
