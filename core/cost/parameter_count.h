// How many learned numbers the parts of a Transformer have, biases included.
#pragma once

#include "core/types.h"

namespace core {

// Every size is at least 1, else InputError.

// W^Q, W^K, W^V and W^O with biases: 4 (d^2 + d). The number of heads does not matter: h heads of
// width d / h share the same matrices. Vaswani et al. (2017), section 3.2.2.
Index multi_head_parameters(Index d);
// Gain and bias: 2 d. Ba, Kiros and Hinton, Layer Normalization (2016), equation 4.
Index layer_norm_parameters(Index d);
// Two linear maps with biases: 2 d d_ff + d_ff + d. Vaswani et al. (2017), equation 2.
Index feed_forward_parameters(Index d, Index d_ff);
// Attention, feed-forward and two norms; the decoder's has one attention and one norm more.
// Vaswani et al. (2017), section 3.1.
Index encoder_layer_parameters(Index d, Index d_ff);
Index decoder_layer_parameters(Index d, Index d_ff);

// GPT-2: token table V d, position table ctx d, L layers of attention, feed-forward of width 4 d
// and two norms, 12 d^2 + 13 d each, and a last norm; the output layer shares the token table.
// Radford et al., Language Models are Unsupervised Multitask Learners (2019), section 2.3, Table 2.
struct GptSize {
  Index vocabulary = 50257, context = 1024, d = 768, layers = 12;
};
Index gpt2_parameters(const GptSize& size);
inline constexpr GptSize kGpt2Small = {50257, 1024, 768, 12};
inline constexpr GptSize kGpt2Medium = {50257, 1024, 1024, 24};
inline constexpr GptSize kGpt2Large = {50257, 1024, 1280, 36};
inline constexpr GptSize kGpt2Xl = {50257, 1024, 1600, 48};

}  // namespace core
