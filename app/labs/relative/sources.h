// Matrices that are computed when they are looked at.
#pragma once

#include <functional>
#include <memory>

#include "app/figure/tile_source.h"
#include "core/types.h"

namespace lab::relative {

using core::Index;

// Matrices up to this many rows are made at once.
inline constexpr Index kMostKeptRows = 256;

// A rectangle of cells.
struct Block {
  Index i0, rows, j0, cols;
};
// A block's cells. Called from several threads.
using BlockFunction = std::function<core::MatrixD(const Block& block)>;

// A square matrix that a function computes, block by block; `causal` hides the cells right of the
// diagonal. `work` is about how many multiply-adds a cell takes.
std::shared_ptr<const figure::TileSource> block_source(Index n, bool causal, BlockFunction cells,
                                                       double work);
// The same, never made at once.
std::shared_ptr<const figure::TileSource> computed_source(Index n, bool causal, BlockFunction cells,
                                                          double work);

// A square matrix whose cells depend on column minus row only: values[k] stands for k - (n - 1),
// 2n - 1 in all. A picture of it costs a few times n, however many cells it has.
std::shared_ptr<const figure::TileSource> distance_source(
    Index n, bool causal, std::shared_ptr<const std::vector<float>> values);

}  // namespace lab::relative
