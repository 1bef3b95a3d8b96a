// What lies inside of one pass of a decoder: what its logits would be after each layer, and what
// each head and layer adds to the residual stream and to a logit. Weights are as they were trained:
// nothing is folded or centred but by the model's own norms.
#pragma once

#include <vector>

#include "core/message.h"
#include "core/task/interventions.h"

namespace core::task {

// Where the residual stream is looked at: as it begins, and behind each part of each layer.
struct StreamPlace {
  enum class Kind { placed, attention, feed_forward };
  Kind kind = Kind::placed;
  Index layer = 0;  // not of `placed`
};

// "The logit lens" (nostalgebraist 2020): the last norm, where the model has one, and the output
// layer, of the stream at each place. The last one is the model's own, to the last bit. A model
// whose norms come behind each part has none at the end: the output layer alone is applied, and
// what has not met a norm yet (`placed`) is not scaled as what the layer was trained on.
struct Lens {
  std::vector<StreamPlace> places;
  std::vector<Matrix> logits;  // of each place (tokens, vocabulary)
};
// `looked`: a pass of this model. InputError for one of another shape, here and below.
Lens logit_lens(const SequenceModel& model, const float* values, const LookedSequence& looked);

// One that adds to the residual stream.
struct StreamPart {
  enum class Kind { token, position, head, attention_bias, feed_forward, feed_forward_bias };
  Kind kind = Kind::token;
  Index layer = 0, head = 0;  // of what has them
  bool operator==(const StreamPart&) const = default;
};

// Empty where parts add up to what the last norm is given; else why they do not: a norm behind each
// sum rescales what was added before, or there are no residual connections.
Message why_no_parts(const model::DecoderForm& form);

// What each part adds to the stream at one token (Elhage et al. 2021, "A mathematical framework for
// transformer circuits"): the rows add up to the residual behind the last layer. Heads are counted
// without the bias of W^O, the feed-forward network without that of its second matrix.
struct StreamParts {
  std::vector<StreamPart> parts;
  MatrixD vectors;   // (parts, d_model)
  VectorD residual;  // (d_model): as the pass computed it
};
// InputError where why_no_parts() says something, and for a token beyond the text.
StreamParts stream_parts(const SequenceModel& model, const float* values,
                         const LookedSequence& looked, Index token);

// A logit, or the difference of two, as a sum: residual . direction + constant. The last norm's
// mean and scale are those of the residual as it is: a part alone would be normed otherwise.
struct LogitDirection {
  VectorD direction;    // (d_model): gain times output weights, centred, times the scale
  double constant = 0;  // the norm's shift through the output layer, and its bias
  double scale = 1;     // 1 / sqrt(variance + epsilon); 1 without a last norm
};
// `against` -1: of `id` alone, else logit[id] - logit[against].
LogitDirection logit_direction(const SequenceModel& model, const float* values,
                               const VectorD& residual, std::int32_t id, std::int32_t against = -1);

// What one head's share of `direction` comes from, a token each: its weight times what its value
// would give, (tokens). They add up to the head's share.
struct HeadShares {
  VectorD weights;  // of the looking token, (tokens)
  MatrixD values;   // (tokens, d_v)
  VectorD read;     // (d_v): W^O direction, what a value is multiplied with
};
HeadShares head_shares(const SequenceModel& model, const float* values,
                       const LookedSequence& looked, const HeadPlace& place, Index token,
                       const VectorD& direction);

}  // namespace core::task
