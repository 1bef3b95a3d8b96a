// The knobs of the lab.
#pragma once

#include "app/labs/shared/parts.h"
#include "core/enum_array.h"

namespace lab::softmax {

// --- what the softmax lab can be set to

enum class View { weights, jacobian, loss, lengths, masks, fills };
// What is taken apart in the views of one row.
enum class Explained { weight, hardmax, log_weight, naive, pair, entropy };
enum class ExplainedLoss { gradient, loss, difference };
enum class Ties { first, shared };
enum class LengthForm { per_sequence, per_query };
enum class Fill { minus_million, minus_two_to_32, minus_infinity };
inline constexpr core::EnumArray<Fill, param::Option> kFills{{{"minus_million", N_("-10⁶")},
                                                              {"minus_two_to_32", N_("-2³²+1")},
                                                              {"minus_infinity", N_("-∞")}}};
// Where padding queries are removed: as the document does it, or where it works.
enum class QueryRule { scores_before, weights_after };
enum class Arithmetic { float64, float32, float16 };
inline constexpr core::EnumArray<Arithmetic, param::Option> kArithmetics{
    {{"float64", N_("float64")}, {"float32", N_("float32")}, {"float16", N_("float16")}}};
// The ways to hide keys that are compared, the right one first.
enum class Way {
  left_out,
  million,
  two_to_32,
  infinity,
  scores_times_mask,
  weights_times_mask,
  renormalized
};
inline constexpr core::EnumArray<Way, param::Option> kWays{
    {{"left_out", N_("left out")},
     {"minus_million", N_("-10⁶")},
     {"minus_two_to_32", N_("-2³²+1")},
     {"minus_infinity", N_("-∞")},
     {"scores_times_mask", N_("scores × mask")},
     {"weights_times_mask", N_("weights × mask")},
     {"renormalised", N_("renormalised")}}};

inline constexpr int kMostLogits = 12;
inline constexpr double kLargestLogit = 50;
inline constexpr int kSequences = 2, kMostQueries = 4, kMostKeys = 10;
inline constexpr int kMostLengths = kSequences * kMostQueries, kLongest = 12;
inline constexpr int kMostTokens = 12;

// Logits, weights and classes are counted from 1, as in the formulas; queries and keys from 0.
struct Parameters {
  View view = View::weights;

  int count = 5;
  std::array<double, kMostLogits> logits = {2, 1, 0.5, -0.5, -2, 1.5, 0, -1, 0.8, -1.5, 2.5, -3};
  double shift = 0;
  int weight = 1, logit = 2;
  Ties ties = Ties::first;

  double temperature = 1;
  Explained explained = Explained::weight;

  int label = 2;
  double step = 1e-5;
  ExplainedLoss explained_loss = ExplainedLoss::gradient;

  int seed = 1;
  double spread = 1.5;
  int query = 1, key = 0;

  LengthForm form = LengthForm::per_sequence;
  int queries = 2, keys = 6, sequence = 1;
  std::array<int, kMostLengths> lengths = {2, 4, 3, 6, 1, 5, 0, 9};

  int tokens = 7, valid = 5;
  bool key_mask = true, future_mask = true, query_mask = true;
  QueryRule query_rule = QueryRule::weights_after;
  Fill fill = Fill::minus_two_to_32;

  int visible = 3;
  double lowered = 1;
  Arithmetic arithmetic = Arithmetic::float64;
  Way way = Way::million;

  bool is_row() const { return view == View::weights || is_learning(); }
  bool is_learning() const { return view == View::jacobian || view == View::loss; }
  bool multiplies_scores() const { return query_mask && query_rule == QueryRule::scores_before; }
  bool multiplies_weights() const { return query_mask && query_rule == QueryRule::weights_after; }
  double x(Index i) const { return logits[to_size(i)]; }
  // How many lengths there are: one for each sequence, or for each of their queries.
  int length_count() const {
    return form == LengthForm::per_sequence ? kSequences : kSequences * queries;
  }
  // Which of the lengths holds for a query of a sequence.
  std::size_t length_at(Index sequence_at, Index query_at) const {
    return to_size(form == LengthForm::per_sequence ? sequence_at
                                                    : sequence_at * queries + query_at);
  }
};
void describe(Parameters& p, param::List& list);

}  // namespace lab::softmax
