// The heatmaps' cells, computed where they are looked at: nothing n x n is ever made.
#pragma once

#include <memory>

#include "app/labs/masks/model.h"

namespace lab::masks {

// The mask: 1 where a pair is kept, absent elsewhere; zoomed out the share that is kept.
std::shared_ptr<const figure::TileSource> mask_source(std::shared_ptr<const SparseMask> mask);

enum class Quantity { score, weight };
// Scores of the kept pairs, or their weights; `attention` may be null for scores.
std::shared_ptr<const figure::TileSource> pair_source(
    std::shared_ptr<const Content> content, std::shared_ptr<const SparseMask> mask,
    std::shared_ptr<const core::SparseAttention> attention, double scale, Quantity quantity);

}  // namespace lab::masks
