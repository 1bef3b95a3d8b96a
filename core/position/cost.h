// Cost of a position scheme in one forward pass over n positions: operations, and sizes of tables.
// RoPE takes more operations than adding a table does, and it needs a table, too; what it saves is
// learned parameters.
#pragma once

#include "core/types.h"

namespace core {

struct ModelSize {
  Index n = 0, d_model = 0, heads = 0, layers = 0;  // heads divides d_model; all at least 1
};

// An addition and a multiplication count 1 each. Products of complex numbers or of pairs count as
// the real operations that they are written out in.
struct PositionCost {
  Index additive_flops;       // n d_model, once, before the first layer
  Index rotary_flops;         // 3 n d_model (2 multiplications, 1 addition an entry) for q and for
                              // k in every layer
  Index rotary_matrix_flops;  // the same rotations as products with dense (d_head, d_head) matrices
  Index projection_flops;     // 8 n d_model^2 a layer: Q, K, V and output, to compare with
  Index sinusoidal_table_size;  // n d_model numbers
  Index rotary_table_size;      // n d_head numbers, cos and sin, shared by all heads and layers
  Index learned_parameters;     // n d_model for a learned table; 0 for the others
};

// InputError when a size is below 1 or heads does not divide d_model.
PositionCost position_cost(const ModelSize& size);

}  // namespace core
