// One array a layer, as np.savez(file, *attentions) writes them, as one array of all layers.
#pragma once

#include <vector>

#include "core/io/tensor/tensor.h"

namespace core {

// Arrays that are named alike but for a number, which goes on from one to the next, with the same
// shape (of two to four axes) and type, become one array whose first axis is that number, named
// with a * in its place, as in attention_*. In the order of the first array of each; a name that is
// there already, and arrays in Fortran's order or of no number, are left out. Nothing is read.
std::vector<Tensor> stacked_layers(const std::vector<Tensor>& arrays);

}  // namespace core
