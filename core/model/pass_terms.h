// Single numbers of a pass as sums of products: the number itself, and the gradient of the loss
// with respect to it.
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

// The products that add up to number (i, j), or nothing when it is no such sum. For the result of a
// linear map (queries, keys, values, the results of attention and of the feed-forward network, and
// its numbers before the activation): x_i and column j of W, before bias and rotation. For heads:
// the row of weights, with URPE's factors, and the column of values. For logits: the decoder's
// output and the embedding of word j.
std::optional<PassTerms> value_terms(const EncoderDecoderPass& pass, const BlockPlace& place,
                                     TensorPart part, Index i, Index j);

// The products that add up to the gradient of the loss with respect to number (i, j); `head` is
// that of weights, and gradients stand on the right. For a matrix: over the tokens of its input.
// For heads and active: over the features that they are multiplied into. For weights: over the
// features of their values. For queries: over keys; for keys and values: over the queries of all
// heads that share them. Nothing for other tensors, for queries and keys that are rotated, and for
// queries whose scores depend on them in another way (Shaw's keys by distance). InputError for a
// pass that was not differentiated.
std::optional<PassTerms> gradient_terms(const EncoderDecoderPass& pass, const BlockPlace& place,
                                        TensorPart part, Index head, Index i, Index j);

}  // namespace core::model
