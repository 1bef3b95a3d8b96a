// The computation of the side-by-side lab in stages: tokens, one head's queries and keys, what each
// scheme makes of them, what is shown. Each stage is a pure function of what it names.
#pragma once

#include "app/labs/shared/sequence.h"
#include "core/model/positions/scheme_cost.h"
#include "core/position/relative/t5.h"
#include "core/timing/position_times.h"

namespace lab::position_compare {

using core::model::Scheme;

// --- what the side-by-side lab can be set to

// The third and fourth place may stay empty: `off` is not a scheme, one past the last.
inline constexpr Scheme kOff = static_cast<Scheme>(core::model::kSchemes);

enum class Projection { tied, random };
enum class MaskKind { full, causal };
enum class Quantity { scores, weights };
// Whether all pictures have one colour scale, or each has its own.
enum class Colors { common, own };
// Which n costs are counted for: that of the pictures, or another.
enum class Counted { shown, length };
// Which figure's picked value is explained.
enum class Explained { value, difference, distance, cost, time };

inline constexpr int kMostTokens = 1024;
inline constexpr int kMostWidth = 2048;

// What one head's queries and keys depend on besides the tokens.
struct HeadKnobs {
  int seed = 89;
  int heads = 8;
  int d_model = 512;
  int head = 3;  // 1 to heads, as people count them

  int d_k() const { return d_model / heads; }
  bool operator==(const HeadKnobs&) const = default;
};

// What a scheme makes of them depends on besides.
struct SchemeKnobs : HeadKnobs {
  MaskKind mask = MaskKind::causal;
  double base = 10000;
  double scale_base = 512;
  int buckets = 32;
  int max_distance = 128;
  int clip = 16;
  int trained_length = 512;
  double table_size = 0.5;

  bool operator==(const SchemeKnobs&) const = default;
};

struct Parameters : SequenceKnobs, SchemeKnobs {
  Scheme scheme_1 = Scheme::none;
  Scheme scheme_2 = Scheme::sinusoidal;
  Scheme scheme_3 = Scheme::rotary;
  Scheme scheme_4 = Scheme::alibi;
  Quantity quantity = Quantity::scores;
  Colors colors = Colors::own;

  Projection projection = Projection::tied;

  int layers = 6;
  Counted counted = Counted::shown;
  int counted_length = 2048;

  bool measure = false;

  Explained explain = Explained::value;
  int scheme = 3;  // 1 to the number of schemes
  int query = 12;
  int key = 2;
  int distance = -10;  // key minus query

  // The schemes that are compared, two to four, in order.
  std::vector<Scheme> schemes() const;
  bool shows(Scheme which) const;
  // What costs are counted for; `tokens`: as many as the pictures show.
  core::model::SchemeSize size(Index tokens) const;
};
void describe(Parameters& p, param::List& list);

// --- the model

// One head before any position: Q = X W_q, K = X W_k.
struct Content {
  Labels labels;     // of the tokens; null for synthetic sequences
  bool cut = false;  // the text has more tokens than are used
  MatrixD X;         // (n, d)
  MatrixD W_q, W_k;  // (d, d_k)
  MatrixD Q, K;      // (n, d_k)
  Index n() const { return X.rows(); }
  Index d_k() const { return Q.cols(); }
};

// What a scheme brings to that head; empty where it does not use it.
struct Inside {
  MatrixD Pq, Pk;    // P W_q, P W_k of positions that are added, (n, d_k)
  VectorD theta;     // rotary frequencies
  MatrixD Q, K;      // as they are multiplied: turned, or with positions added, (n, d_k)
  double slope = 0;  // alibi
  VectorD t5;        // the head's bias of each bucket
  MatrixD a_key;     // relative, (2 clip + 1, d_k)
  MatrixD r;         // transformer_xl: R W_{k,R}, distances from n - 1 down, (2n - 1, d_k)
  VectorD u, v;      // transformer_xl
  MatrixD Kr, Qr;    // deberta, (2 clip, d_k)
  VectorD c;         // urpe: by i - j from -(n - 1) up, 0 where nothing was learned
};

struct Scored {
  Scheme scheme = Scheme::none;
  std::shared_ptr<const Inside> inside;
  MatrixD scores;   // (n, n), scaled and biased: what enters the softmax
  MatrixD weights;  // (n, n), after the softmax (URPE: times C); 0 where absent
  // The lab's, less the pairs that the scheme has no position for, and how many these are.
  std::shared_ptr<const Mask> mask;
  Index missing = 0;
};

// The shown quantity by distance j - i, entry t + n - 1.
struct Curve {
  std::vector<double> mean, deviation;  // NaN where no pair has this distance
  std::vector<Index> pairs;
};

struct Shown {
  std::shared_ptr<const Scored> scored;
  std::shared_ptr<const TileSource> source, difference;  // to the first scheme
  float largest = 0, largest_difference = 0;
  Index difference_row = 0, difference_col = 0;  // where the largest difference is
  Curve curve;
  const MatrixD& values(Quantity quantity) const {
    return quantity == Quantity::scores ? scored->scores : scored->weights;
  }
};

struct Model {
  std::shared_ptr<const Content> content;
  std::vector<std::shared_ptr<const Shown>> schemes;
  // For each: |s(i+1, j+1) - s(i, j)| at most, when all tokens are one and the same.
  std::vector<double> shift_error;
  Index query = 0, key = 0, distance = 0, chosen = 0;  // `chosen` counts schemes from 0
  Index n() const { return content->n(); }
};

// How many equal tokens `shift_error` is read off.
inline constexpr Index kShiftTokens = 48;

// Without a token it has a content and nothing else.
Model make_model(const Parameters& p, const Context& context);

// T5's buckets: keys ahead have buckets of their own unless the mask is causal.
core::T5BucketSpec t5_spec(const SchemeKnobs& p);
Inside make_inside(const SchemeKnobs& p, Scheme scheme,
                   const std::shared_ptr<const Content>& content, const Run& run);
MatrixD make_scores(const SchemeKnobs& p, Scheme scheme, const Content& content,
                    const Inside& inside);

// Numbers that training would have learned, drawn at random.
enum class TableKind {
  learned,
  t5,
  shaw,
  xl_key,
  xl_u,
  xl_v,
  deberta,
  deberta_query,
  deberta_key,
  urpe
};
// Entries N(0, size^2). Tables of one seed are independent, those of a head (from 0) too; rows that
// are added leave those before as they are.
MatrixD random_table(TableKind which, Index rows, Index cols, double size, int seed,
                     Index head = 0);

// The only numbers of the program that differ from run to run; nothing runs until it is asked for.
using Timing = core::PositionTime;
using Measured = core::PositionTimes;
using core::time_positions;

}  // namespace lab::position_compare
