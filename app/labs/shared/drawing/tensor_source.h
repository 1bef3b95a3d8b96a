// A tensor of a file as heatmaps draw it.
#pragma once

#include <memory>

#include "app/labs/shared/drawing/long_table.h"
#include "core/io/tensor/tensor_view.h"

namespace lab {

// The numbers of a view, rounded to float, and pooled as they are read: nothing of the tensor is
// held, and what is pooled is read in the order of the file whichever way it is shown. A NaN that
// an export wrote for a masked cell is one. Throws core::InputError when the file was changed.
std::shared_ptr<const LongTableSource> tensor_source(core::TensorView view);

}  // namespace lab
