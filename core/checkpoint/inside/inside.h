// What lies inside of one pass of a published decoder: what each head and layer adds to the
// residual stream and to a logit, as core/task/inside/inside.h has it of decoders that were trained
// here. Weights stay as published.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/message.h"
#include "core/model/head_attention.h"
#include "core/model/logit_lens.h"

namespace core::checkpoint {

// Empty where parts add up to what the last norm is given; else why they do not. InputError, here
// and below, for a model that is no decoder alone.
Message why_no_parts(const Model& model);

// `trace`: a pass with weights, heads, layers and parts kept, in which the heads that `ablated`
// names said nothing. InputError where why_no_parts() says something, for a trace without what is
// needed, and for a token beyond the text. A head without output adds 0.
template <class S>
model::StreamParts stream_parts(const Model& model, const std::vector<std::int32_t>& tokens,
                                const Trace<S>& trace, Index token,
                                const std::function<bool(const HeadIndex&)>& ablated = {},
                                const Cancel& cancel = {});

// `against` -1: of `id` alone, else logit[id] - logit[against].
model::LogitDirection logit_direction(const Model& model, const VectorD& residual, std::int32_t id,
                                      std::int32_t against = -1, const Cancel& cancel = {});

// Needs a pass with weights and heads kept.
template <class S>
model::HeadShares head_shares(const Model& model, const Trace<S>& trace, const HeadIndex& place,
                              Index token, const VectorD& direction, const Cancel& cancel = {});

// How `token` looks in a head of any model, of a pass with heads kept: scale and what positions add
// (ALiBi's penalty, T5's bias) with it, and the keys that it may see. Row `token` of the decoder's
// text, or of the encoder's.
model::HeadAttention head_attention(const Model& model, const Trace<float>& trace,
                                    const HeadIndex& place, Index token);

// The logit lens of the last tokens up to this one: the embedding and the stream after each layer,
// of a pass with layers kept. `wanted` none: what the model says in the end.
model::LensView lens(const Model& model, const Trace<float>& trace, Index token,
                     std::optional<std::int32_t> wanted, int threads = 0,
                     const Cancel& cancel = {});

// Factors of one number of a head's output, (d_model): a row of its part of W^O.
VectorD output_row(const Model& model, const HeadIndex& place, Index number,
                   const Cancel& cancel = {});

}  // namespace core::checkpoint
