// How large activations and gradients are along a stack of layers before its first step of training
// (Xiong et al. 2020, "On layer normalization in the Transformer architecture", section 3; tokens
// that become alike without residual connections: Dong et al. 2021, "Attention is not all you
// need").
#pragma once

#include <vector>

#include "core/task/depth/stack_variant.h"
#include "core/types.h"

namespace core::task {

struct StackSizes {
  // After 0, 1, ... layers: root mean squares of activations and of the loss's gradient by them,
  // and how much of an activation differs from token to token: |x - mean over a window's tokens| /
  // |x|, 0 of zeros. Infinite or NaN where numbers leave the range of float.
  std::vector<double> forward, backward, apart;
  double loss = 0;  // nats a letter, of a LetterModel
  // Euclidean norms of the gradient by W^Q, W^K and W^V together, of the first and the last layer.
  double first = 0, last = 0;
};

// Sizes in a LetterModel with so many such layers at its start, over one batch of windows;
// everything random follows from the seed. One for each of kStackVariants, in their order: norms
// and residual connections of `form` do not matter. InputError for less than 1 layer and for widths
// that heads cannot share; Cancelled.
std::vector<StackSizes> stack_sizes(const model::TransformerForm& form, Index layers,
                                    std::uint64_t seed, int threads = 0, const Cancel& cancel = {});

}  // namespace core::task
