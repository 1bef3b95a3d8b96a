// Weights as they are often saved by mistake: in training, padded, before softmax.
#pragma once

#include "core/heads/head_arrays.h"

namespace core::heads {

// Weights (layers, heads, n, n) become (layers, 4, heads, n, n): as they are, with dropout, padded
// in front, scores.
NumberArray saved_by_mistake(const NumberArray& sound);

}  // namespace core::heads
