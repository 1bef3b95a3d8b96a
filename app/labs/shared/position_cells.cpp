#include "app/labs/shared/position_cells.h"

#include "app/labs/shared/drawing/long_table.h"
#include "app/labs/shared/drawing/pair_map.h"
#include "core/position/sinusoidal/sinusoidal_tile.h"

namespace lab {

std::shared_ptr<const TileSource> formula_cells(Index n, Index d,
                                                const core::SinusoidalOptions& options) {
  LongTable cells;
  cells.rows = n;
  cells.cols = d;
  cells.value = [theta = core::frequencies(d, options.base, options.rule), layout = options.layout](
                    Index row, Index col) {
    return to_float(core::sinusoidal_value(row, col, theta, layout));
  };
  cells.pooled = [n, d, options](int row_level, int col_level, const figure::Region& region,
                                 core::Pool pool, const core::Cancel& cancel) {
    core::SinusoidalTile tile{n, d, options, row_level, region, pool};
    tile.col_level = col_level;
    return core::sinusoidal_tile(tile, 0, cancel);
  };
  cells.cost = [](int row_level, int col_level) { return std::ldexp(4, row_level + col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(cells)));
}

std::shared_ptr<const TileSource> kept_cells(Matrix table, Index filled) {
  const Index rows = table.rows(), cols = table.cols();
  return looked_through(rows, cols, 1, [table = std::move(table), filled](Index row, Index col) {
    return row < filled ? table(row, col) : core::kMasked;
  });
}

}  // namespace lab
