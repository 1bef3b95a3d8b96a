// The factors e^{-slope t} by which ALiBi's bias multiplies a weight, over distance and head: any
// part of that table, pooled, without storing it.
#pragma once

#include "core/tile.h"
#include "core/types.h"

namespace core {

struct AlibiFactorTile {
  Index n = 0;        // number of distances
  int row_level = 0;  // a cell pools 2^row_level distances
  int col_level = 0;  // by 2^col_level heads
  Region region;      // in pooled cells
  Pool pool = Pool::max;
};

// (region.rows, region.cols): e^{-slope_h t}, (distances, heads), pooled in closed form. The
// largest value of a cell is that of its first distance; the mean of N distances from t on is
//   e^{-slope t} (1 - e^{-slope N}) / (N (1 - e^{-slope})).
// At least one slope, all > 0 and finite, n >= 0, levels from 0 to 30, the region inside the table,
// else InputError; Cancelled when `cancel` fires.
Matrix alibi_factor_tile(const VectorD& slopes, const AlibiFactorTile& tile,
                         const Cancel& cancel = {});

}  // namespace core
