// Puts an image together from finished tiles and from what stands in for those that are missing.
#pragma once

#include <memory>
#include <vector>

#include "app/worker/tile_cache.h"
#include "app/worker/tile_service.h"

namespace worker {

// Part of an image. With a tile: its cells, each standing for 2^shift by 2^shift of the image's.
struct Piece {
  figure::Region where;  // in pooled cells of the image's level
  std::shared_ptr<const Tile> tile;
  int shift = 0;
};

// The image of `region` from `pieces` that cover it. Where there is no tile, cells of `stand_in`
// (null: none) are shown; where that does not reach, core::kMasked. The version is left at zero.
// Null when there would be nothing but unknown cells.
std::shared_ptr<CellsImage> assemble(int level, const figure::Region& region,
                                     const std::vector<Piece>& pieces, const CellsImage* stand_in);

}  // namespace worker
