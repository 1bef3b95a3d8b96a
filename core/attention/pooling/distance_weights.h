// Weights that follow distances directly, without a softmax. Nearest keys should weigh most; one of
// these does the opposite, and is kept to show it.
#pragma once

#include "core/types.h"

namespace core {

// |q - k_i| / sum_j |q - k_j|: normalised distances, which give the farthest key the largest
// weight. Sometimes called "hardmax", which it is not (see `hardmax` in softmax.h). keys: (m). NaN
// when every key lies at the query: 0 / 0.
VectorD distance_share(double query, const VectorD& keys);

// 1 / |q - k_i| over their sum: inverse distance weights (Shepard 1968). Keys at the query share
// everything, the limit. keys: (m).
VectorD inverse_distance_weights(double query, const VectorD& keys);

}  // namespace core
