// The loss walked back through the drawing: its gradient by every tensor.
#pragma once

#include "app/labs/transformer/tensors.h"

namespace lab::transformer {

// The gradient of the loss by each number of tensor(spot, part), in its shape. What the trace does
// not keep follows from what it does: of weights, scores, moments and probabilities.
Tensor slope(const Spot& spot, Part part);

// Root mean square of what is not masked.
double size_of(const Tensor& tensor);

}  // namespace lab::transformer
