// Tables of positions as the cells of a map: one row a position, one column a dimension.
#pragma once

#include "app/labs/lab.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace lab {

// PE(p, c) of n positions from the formula; nothing is kept.
std::shared_ptr<const TileSource> formula_cells(Index n, Index d,
                                                const core::SinusoidalOptions& options);
// A matrix; rows from `filled` on are absent.
std::shared_ptr<const TileSource> kept_cells(Matrix table, Index filled);

}  // namespace lab
