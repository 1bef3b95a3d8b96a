// The heads of a pass as arrays of a file, as core/heads/given_heads.h reads them.
#pragma once

#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/heads/head_arrays.h"

namespace core::checkpoint {

// The heads of these layers, which were kept with them: "attention" (layers, heads, n, m); also "q"
// and "k" where q . k / sqrt(width) is all that softmax is taken of, as who opens the arrays takes
// it. `cross`: of the decoder on the encoder.
std::vector<heads::NumberArray> head_arrays(const ModelFacts& facts, const Stack<float>& stack,
                                            bool cross, const std::vector<Index>& layers);

}  // namespace core::checkpoint
