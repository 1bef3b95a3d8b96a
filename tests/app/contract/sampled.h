// What is compared of a heatmap's cells: all of a small source, a grid of a large one.
#pragma once

#include <vector>

#include "app/figure/tile_source.h"

namespace contract {

struct Sampled {
  core::Index rows = 0, cols = 0;
  std::vector<core::Index> at_row, at_col;  // of `values`
  std::vector<float> values;                // row by row
  std::vector<float> pooled;                // some pooled cells: the greatest, then the means
};

Sampled sample(const figure::TileSource& source);

}  // namespace contract
