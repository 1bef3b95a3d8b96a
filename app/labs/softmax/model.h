// What the softmax lab computes: one row in every form, or a small batch under masks.
#pragma once

#include "app/labs/softmax/parameters.h"

namespace lab::softmax {

double fill_value(Fill fill);

// --- the model

// Softmax of one row and what goes with it; all of length n.
struct Row {
  VectorD x;     // the logits as softmax sees them
  VectorD exps;  // exp((x - max) / T)
  VectorD p, log_p, hardmax;
  VectorD naive;      // exp / sum of exp in float32, as it is written
  VectorD naive_exp;  // its numerators
  double max = 0, sum = 0, entropy = 0;
  double jacobian_norm = 0;  // of Frobenius
};

// The same logits at many temperatures.
struct Sweep {
  std::vector<double> temperatures;          // rising
  std::vector<std::vector<double>> weights;  // one list a weight
  std::vector<double> entropy, jacobian_norm;
  double tie_entropy = 0;  // ln of how many logits are largest: the limit T -> 0
};

// Cross-entropy of softmax(x / T) and its derivative by each logit.
struct Loss {
  double value = 0;
  VectorD gradient;                             // (p - onehot) / T
  VectorD central, forward;                     // estimates with the step h
  double central_error = 0, forward_error = 0;  // the largest of an entry
  // Both against the step.
  std::vector<double> steps, central_errors, forward_errors;
  // The loss while the picked logit moves.
  std::vector<double> along, along_loss;
};

// One sequence of the batch.
struct Sequence {
  MatrixD scores;   // (queries, keys)
  Mask mask;        // of its valid lengths
  MatrixD filled;   // the scores with the fill in them
  MatrixD right;    // weights with masked keys left out; an empty row is 0
  MatrixD of_fill;  // softmax of `filled`; NaN where a whole row is -inf
};

// Key, future and query mask, one after the other, on the same scores; (tokens, tokens).
struct Steps {
  MatrixD scores, after_keys, after_future;
  MatrixD before_softmax;  // with the query mask in it when it multiplies scores
  MatrixD softmax;         // of that
  MatrixD weights;         // with the query mask in them when it multiplies weights
  Mask mask;               // all that are switched on
  MatrixD right;           // weights with everything masked left out
};

// A row whose last keys are hidden in one way.
struct MaskedRow {
  VectorD scores;       // what softmax is taken of, after the fill or the product; n
  VectorD weights;      // n
  double leaked = 0;    // on masked keys; NaN with a NaN weight
  double sum = 0;       // of all weights
  double error = 0;     // the largest difference from the right weights
  bool broken() const;  // some weight is NaN
};
using EachWay = std::array<MaskedRow, kWays.size()>;

struct Fills {
  VectorD x;                          // logits, lowered, not rounded
  VectorD right;                      // masked keys left out, in float64
  std::array<EachWay, 3> formats;     // by Arithmetic
  std::array<MaskedRow, 3> unmasked;  // softmax of all keys: what a mask after it multiplies
  // The weight that leaks, against how far the logits are lowered, in the chosen arithmetic.
  std::vector<double> lowered;
  std::array<std::vector<double>, kWays.size()> leaks;
};

// Only what the chosen view needs; the others are null or empty.
struct Model {
  Row row;  // of weights, jacobian and loss
  std::shared_ptr<const Sweep> sweep;
  MatrixD jacobian;
  std::shared_ptr<const Loss> loss;
  std::vector<Sequence> batch;
  std::shared_ptr<const Steps> steps;
  std::shared_ptr<const Fills> fills;
};

Model make_model(const Parameters& p, const Context& context);

// What the ways to hide keys depend on.
struct FillKey {
  std::vector<double> logits;
  int visible;
  double lowered;
  Arithmetic arithmetic;
  bool operator==(const FillKey&) const = default;
};
Fills make_fills(const FillKey& key, const Run& run);

}  // namespace lab::softmax
