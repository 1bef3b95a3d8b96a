// Square matrices of which any part is computed, as heatmaps draw them.
#pragma once

#include "app/labs/shared/drawing/pair_map.h"
#include "core/block_tile.h"

namespace lab {

// An n by n matrix: `alone` is one cell, `tile` a pooled part; what it costs is left to say.
// `causal`: cells right of the diagonal are masked.
inline Cells square_cells(
    Index n, bool causal, std::function<float(Index row, Index col)> alone,
    std::function<Matrix(const core::SquareTile& tile, const core::Cancel& cancel)> tile) {
  Cells cells{.rows = n, .cols = n};
  cells.value = [causal, alone = std::move(alone)](Index row, Index col) {
    return causal && col > row ? core::kMasked : alone(row, col);
  };
  cells.pooled = [n, causal, tile = std::move(tile)](int level, const core::Region& region,
                                                     core::Pool pool, float* out,
                                                     const core::Cancel& cancel) {
    Eigen::Map<Matrix>(out, region.rows, region.cols) =
        tile({n, causal, level, region, pool}, cancel);
  };
  return cells;
}

}  // namespace lab
