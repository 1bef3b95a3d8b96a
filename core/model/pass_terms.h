// Numbers of a pass taken apart: which products add up to one of a tensor, and to the loss's
// gradient by it.
#pragma once

#include <optional>

#include "core/model/pass_tensors.h"

namespace core::model {

// number = left . right
struct PassTerms {
  VectorD left, right;
};

// Whether RoPE rotates this tensor: queries and keys of self-attention.
bool is_rotated(const BlockPlace& place, TensorPart part);

// The products of number (i, j): of what a linear map makes (queries, keys, values, the results of
// attention and of the feed-forward network, what it has before its activation) x_i and column j of
// W, without the bias and before a rotation; of heads the row of weights, with URPE's factors, and
// the column of values; of logits the decoder's output and the embedding of word j. Nothing for
// what is no such sum.
std::optional<PassTerms> value_terms(const EncoderDecoderPass& pass, const BlockPlace& place,
                                     TensorPart part, Index i, Index j);

// The products of the loss's gradient by number (i, j), `head` being that of weights; the gradients
// stand at the right. Of a matrix: over the tokens, by what it is given. Of heads and active: over
// the features of what they go into. Of weights: over the features of their values. Of queries:
// over keys; of keys and values: over the queries of all heads that share them. Nothing for others,
// for what is rotated on the way, and for queries whose scores depend on them in another way
// (Shaw's keys by distance). InputError for a pass that was not differentiated.
std::optional<PassTerms> gradient_terms(const EncoderDecoderPass& pass, const BlockPlace& place,
                                        TensorPart part, Index head, Index i, Index j);

}  // namespace core::model
