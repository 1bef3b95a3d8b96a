// Any part of a head's scores or weights, pooled, straight from queries and keys: nothing of size
// n x m is kept.
#pragma once

#include "core/attention/fast/fast.h"
#include "core/tile.h"
#include "core/types.h"

namespace core {

enum class TileKind {
  score,   // q.k, neither scaled nor biased
  scaled,  // scale q.k + bias
  weight,  // softmax of it; needs row_max and row_sum
};

// Rows [r0, r1) and columns [c0, c1) of one head, in blocks of 2^level x 2^level that begin at r0
// and c0. 0 <= r0 <= r1 <= n, and so on; 0 <= level <= 30.
struct TileRequest {
  Index head = 0, r0 = 0, r1 = 0, c0 = 0, c1 = 0;
  int level = 0;
  TileKind kind = TileKind::weight;
  Pool pooling = Pool::max;
};

// ceil((r1 - r0) / 2^level) x ceil((c1 - c0) / 2^level) cells, pooled as core::Pool says, kMasked
// where nothing is allowed; a NaN among the cells gives NaN. row_max and row_sum are heads x n,
// from attend_fast or stream_attention with the same inputs and options; not read unless the kind
// is weight. Cells at level 0 equal the weights that attend_fast keeps, but for the rounding of exp
// and of the normaliser. InputError when something does not fit; `cancel` is polled for every strip
// of rows.
Matrix weight_tile(const Matrix& Q, const Matrix& K, const AttentionOptions& options,
                   const Matrix& row_max, const Matrix& row_sum, const TileRequest& request,
                   const Cancel& cancel = {});

namespace detail {
// InputError unless the request and, for weights, the two statistics fit `shape`.
void check_tile(const AttentionShape& shape, const Matrix& row_max, const Matrix& row_sum,
                const TileRequest& request);
}  // namespace detail

}  // namespace core
