// What lies inside of one pass of a decoder: what its logits would be after each layer, and what
// each head and layer adds to the residual stream and to a logit. Weights are as they were trained:
// nothing is folded or centred but by the model's own norms.
#pragma once

#include <vector>

#include "core/message.h"
#include "core/model/residual_stream.h"
#include "core/task/inside/interventions.h"

namespace core::task {

using model::StreamPoint, model::StreamPart, model::StreamParts, model::LogitDirection,
    model::HeadShares;

// "The logit lens" (nostalgebraist 2020): the last norm, where the model has one, and the output
// layer, of the stream at each place. The last one is the model's own, to the last bit. A model
// whose norms come behind each part has none at the end: the output layer alone is applied, and
// what has not met a norm yet (`placed`) is not scaled as what the layer was trained on.
struct Lens {
  std::vector<StreamPoint> points;
  std::vector<Matrix> logits;  // of each place (tokens, vocabulary)
};
// `looked`: a pass of this model. InputError for one of another shape, here and below.
Lens logit_lens(const SequenceModel& model, const float* values, const LookedSequence& looked);

// Empty where parts add up to what the last norm is given; else why they do not: a norm behind each
// sum rescales what was added before, or there are no residual connections.
Message why_no_parts(const model::DecoderForm& form);

// InputError where why_no_parts() says something, and for a token beyond the text.
StreamParts stream_parts(const SequenceModel& model, const float* values,
                         const LookedSequence& looked, Index token);

// `against` -1: of `id` alone, else logit[id] - logit[against].
LogitDirection logit_direction(const SequenceModel& model, const float* values,
                               const VectorD& residual, std::int32_t id, std::int32_t against = -1);

HeadShares head_shares(const SequenceModel& model, const float* values,
                       const LookedSequence& looked, const HeadIndex& point, Index token,
                       const VectorD& direction);

}  // namespace core::task
