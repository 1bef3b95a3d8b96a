// Heatmaps whose cells are computed where they are looked at.
#pragma once

#include <functional>
#include <memory>

#include "app/figure/tile_source.h"

namespace lab {

// What a figure::TileSource answers; callable from any thread.
struct Cells {
  core::Index rows = 0, cols = 0;
  std::function<float(core::Index row, core::Index col)> value = {};
  // Empty: names cannot be pooled, the first cell of a block stands for it.
  std::function<void(int level, const figure::Region& region, figure::Pool pool, float* out,
                     const core::Cancel& cancel)>
      pooled = {};
  // About how many multiply-adds the region takes.
  std::function<double(int level, const figure::Region& region)> cost = {};

  // The cells that a region of pooled ones stands for, cut at the last row and column.
  static figure::Region under(int level, const figure::Region& region, core::Index rows,
                              core::Index cols);
};
std::shared_ptr<const figure::TileSource> cell_source(Cells cells);

}  // namespace lab
