// What a head does to tokens whatever the text: its two circuits as maps over the vocabulary, and
// how strongly heads of different layers are in line (Elhage et al. 2021, "A mathematical framework
// for transformer circuits"). Weights are as they were trained. The scale of norms, which depends
// on the text, all biases and the feed-forward networks are left out.
#pragma once

#include <optional>

#include "core/task/inside/interventions.h"

namespace core::task {

// A head in the residual stream's own width: the score of two rows is x W_QK y^T / sqrt(d_k), and
// what a looking head adds is y W_OV.
struct HeadCircuits {
  MatrixD query, key;     // (d_model, d_k)
  MatrixD value, output;  // (d_model, d_v), (d_v, d_model)
  MatrixD qk() const { return query * key.transpose(); }
  MatrixD ov() const { return value * output; }
};
// InputError for a head that the model has not, here and below.
HeadCircuits head_circuits(const SequenceModel& model, const float* values, const HeadIndex& place);

struct CircuitOptions {
  // The norms' gains, and that they subtract means, are worked into the maps. Without a norm in
  // front of a part nothing changes.
  bool folded = false;
  // For rotary positions: the query stands so many tokens behind the key.
  Index distance = 0;
  // The query, or the key, or of OV the value, is not the token itself but what this head of an
  // earlier layer adds when it looks at the token.
  std::optional<HeadIndex> query_through = {}, key_through = {}, value_through = {};
};

// A map over the vocabulary as the product that it is: scale times rows times cols^T, each a row a
// token.
struct VocabularyMap {
  MatrixD rows, cols;
  double scale = 1;
  MatrixD cells() const { return scale * rows * cols.transpose(); }
};
// W_E W_QK W_E^T / sqrt(d_k), (vocabulary, vocabulary): how much token `row` asks for token `col`,
// before softmax, without what positions add to scores; rows are queries, cols keys.
VocabularyMap qk_circuit(const SequenceModel& model, const float* values, const HeadIndex& place,
                         const CircuitOptions& options = {});
// W_E W_OV W_U, (vocabulary, vocabulary): how much looking at token `row` adds to the logit of
// `col`; rows are values, cols what a value is multiplied with.
VocabularyMap ov_circuit(const SequenceModel& model, const float* values, const HeadIndex& place,
                         const CircuitOptions& options = {});
// W_E W_U: what a token adds to logits with no layer between.
VocabularyMap direct_circuit(const SequenceModel& model, const float* values,
                             const CircuitOptions& options = {});

// How much of what the earlier head writes the later one reads: the Frobenius norm of the product
// of their matrices by the product of their norms, 0 to 1. Heads that were turned at random against
// each other have the root mean square 1 / sqrt(d_model).
struct Composition {
  double query = 0, key = 0, value = 0;
};
// InputError unless the first head's layer comes before the second's.
Composition composition(const SequenceModel& model, const float* values, const HeadIndex& earlier,
                        const HeadIndex& later);

}  // namespace core::task
