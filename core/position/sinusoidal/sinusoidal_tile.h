// Any part of a sinusoidal table, pooled. Cells come straight from the formula, so a table of a
// million positions is shown without being stored.
#pragma once

#include "core/position/sinusoidal/sinusoidal.h"
#include "core/tile.h"
#include "core/types.h"

namespace core {

struct SinusoidalTile {
  Index n = 0, d = 0;  // the whole table
  SinusoidalOptions options;
  int level = 0;  // a cell pools 2^level by 2^level, fewer at the last row and column
  Region region;  // in pooled cells
  Pool pool = Pool::max;
  int col_level = -1;  // 2^col_level columns instead; -1: as for rows
};

// One cell, in double. 0 <= p, 0 <= column < d; d even, base > 0, else InputError.
double sinusoidal_value(Index p, Index column, Index d, const SinusoidalOptions& options = {});

// The same for many cells: theta, (d/2), is made once, by `frequencies`.
double sinusoidal_value(Index p, Index column, const VectorD& theta, SinusoidalLayout layout);

// (region.rows, region.cols). Pool::max, the value of largest magnitude with its sign, visits every
// cell. Pool::mean costs the number of pooled rows times d only, by
//   sum_{k<N} e^{i (a + k) theta} = e^{i (a + (N-1)/2) theta} sin(N theta / 2) / sin(theta / 2).
// d even, n >= 0, 0 <= level <= 30, the region inside the table, else InputError; Cancelled when
// `cancel` fires, which is polled every few thousand positions. threads: 0 = all cores.
Matrix sinusoidal_tile(const SinusoidalTile& tile, int threads = 0, const Cancel& cancel = {});

}  // namespace core
