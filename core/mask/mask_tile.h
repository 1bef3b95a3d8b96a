// Any part of a mask, pooled, for a picture of it: the time follows the runs in view and the
// picture's cells, so that a mask of 131,072 x 131,072 can be drawn and zoomed.
#pragma once

#include "core/mask/sparse_mask.h"
#include "core/tile.h"

namespace core {

// Rows [r0, r1) and columns [c0, c1) in blocks of 2^level x 2^level that begin at r0 and c0, as in
// TileRequest. 0 <= r0 <= r1 <= n, and so on; 0 <= level <= 30. Pool::mean gives the share of a
// block's pairs that are kept, Pool::max whether one is.
struct MaskTileRequest {
  Index r0 = 0, r1 = 0, c0 = 0, c1 = 0;
  int level = 0;
  Pool pooling = Pool::mean;
};

// ceil((r1 - r0) / 2^level) x ceil((c1 - c0) / 2^level) numbers from 0 to 1; a block at the edge is
// judged by the pairs that it has. Level 0 is the mask itself, 0 and 1. threads: 0 = all cores;
// `cancel` is polled for every row of blocks. InputError when something does not fit.
Matrix mask_tile(const SparseMask& mask, const MaskTileRequest& request, int threads = 0,
                 const Cancel& cancel = {});

}  // namespace core
