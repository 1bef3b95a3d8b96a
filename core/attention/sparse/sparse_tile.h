// Any part of a head's scores or weights under a sparse mask, pooled, straight from queries and
// keys. Time and memory follow the kept pairs of the part and the cells of the result.
#pragma once

#include "core/attention/fast/weight_tile.h"
#include "core/attention/sparse/sparse.h"

namespace core {

// The same cells as weight_tile's (see there for `request`), each pooled over the kept pairs in it:
// kMasked where nothing is kept. row_max and row_sum are those that attend_sparse gave for the same
// inputs and options; not read unless weights are asked for. Cells at level 0 equal its kept
// weights, but for the rounding of exp and of the normaliser. The result does not depend on the
// number of threads. InputError when something does not fit; `cancel` is polled for every block of
// rows.
Matrix sparse_tile(const Matrix& Q, const Matrix& K, const SparseMask& mask,
                   const AttentionOptions& options, const Matrix& row_max, const Matrix& row_sum,
                   const TileRequest& request, const Cancel& cancel = {});

}  // namespace core
