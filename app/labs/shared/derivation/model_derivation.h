// How numbers of trained models follow from others: a head's weight, a number of a projection, the
// probability of an outcome.
#pragma once

#include "app/labs/shared/parts.h"
#include "core/model/head_attention.h"
#include "core/model/learning/layout.h"

namespace lab {

// A number that is x·W[:,k] + b[k].
struct Projected {
  Product product;               // x and the column
  std::optional<double> bias{};  // none: there is none
  // "z", "x·W" and "x·W + b" as they are written.
  std::string name, dot, whole;

  double value() const;
};
void explain_projected(const Projected& number, Derivation& lines);

// A logit z = y·W + b, or where the output layer is the table of embeddings y·e + b.
Projected output_logit(std::vector<double> y, std::vector<double> column, bool tied,
                       std::optional<double> bias);

// The softmax of logits, the picked one of which is such a number.
struct Outcome {
  SoftmaxRow row;  // the logits
  Projected logit;
};
void explain_outcome(const Outcome& outcome, Derivation& lines);

// A weight of a head: softmax of the scores of `look`, whose keys are called `names`.
void explain_head_weight(const core::model::HeadAttention& look, Index key, Labels names,
                         Derivation& lines);

// --- numbers out of matrices

// A row, a column or a part of one.
template <class Values>
std::vector<double> doubles(const Eigen::DenseBase<Values>& values) {
  return Numbers(values);
}
// The matrix whose numbers are those of the parameter, which the layout has.
Matrix parameter_of(const core::model::Layout& layout, const float* values, std::string_view name);

}  // namespace lab
