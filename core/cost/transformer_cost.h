// Where the learned numbers and the multiply-adds of a whole Transformer are, part by part.
//
// Source: Vaswani et al., Attention Is All You Need (2017), sections 3.1 to 3.4 and 3.3's equation
// 2: an encoder and a decoder with as many layers, biases, a norm after each part, and one table of
// embeddings for both sides and the output.
#pragma once

#include <array>

#include "core/types.h"

namespace core {

// Every size is at least 1, else InputError.
struct TransformerSize {
  Index d = 512, d_ff = 2048, layers = 6, vocabulary = 37000;  // layers: of each stack
  Index n = 64;                                                // tokens on both sides
};
enum class TransformerPart { embedding, projections, scores, feed_forward, norms, output };
inline constexpr std::array kTransformerParts = {
    TransformerPart::embedding,    TransformerPart::projections, TransformerPart::scores,
    TransformerPart::feed_forward, TransformerPart::norms,       TransformerPart::output};

// Learned numbers of a part: projections are W^Q, W^K, W^V and W^O of the 3 attentions of a pair of
// layers; the output has none of its own, it is the embedding again.
Index transformer_parameters(TransformerPart part, const TransformerSize& size);
Index transformer_parameters(const TransformerSize& size);
// Multiply-adds of one pass over n tokens on both sides: scores are products of queries and keys
// and the sums of values by weights; rows of the embedding are looked up, norms and softmax are not
// counted.
Index transformer_macs(TransformerPart part, const TransformerSize& size);
Index transformer_macs(const TransformerSize& size);

}  // namespace core
