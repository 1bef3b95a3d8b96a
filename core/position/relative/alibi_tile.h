// What ALiBi's bias multiplies a weight by, over distance and head, without keeping the table.
#pragma once

#include "core/tile.h"
#include "core/types.h"

namespace core {

struct AlibiFactorTile {
  Index n = 0;        // distances in all
  int row_level = 0;  // 2^row_level distances are one cell,
  int col_level = 0;  // 2^col_level heads
  Region region;      // in pooled cells
  Pool pool = Pool::max;
};

// region.rows x region.cols of e^{-slope_h t}, (distances, heads), in closed form: the largest of a
// cell is that of its first distance, the mean of N distances from t on is
//   e^{-slope t} (1 - e^{-slope N}) / (N (1 - e^{-slope})).
// At least one slope, all > 0 and finite, n >= 0, levels from 0 to 30, the region inside of the
// table, else InputError; Cancelled when `cancel` fires.
Matrix alibi_factor_tile(const VectorD& slopes, const AlibiFactorTile& tile,
                         const Cancel& cancel = {});

}  // namespace core
