// Pictures of ids that are computed where they are looked at.
#pragma once

#include <memory>
#include <vector>

#include "app/figure/tile_source.h"
#include "core/precision/rounded_ids.h"

namespace lab::position_ids {

using core::Index;

// The colour of the value an id becomes, a small whole number below kStepColors: neighbouring
// values differ. Masked where it is infinite or NaN. Their number is no power of two, so that every
// 2^k-th id still changes colour.
float group_color(const core::RoundedIds& rounded, Index id);

// A row for each of `rows`, a column for each id from `start` on. Names cannot be pooled: where
// several ids share a pixel it shows the first one's.
std::shared_ptr<const figure::TileSource> strips_source(std::vector<core::RoundedIds> rows,
                                                        Index start, Index count);
// Ids 0 .. n-1 in rows of `columns`, as text runs; absent after the last.
std::shared_ptr<const figure::TileSource> wrapped_source(const core::RoundedIds& rounded, Index n,
                                                         Index columns);
// x(j) - x(i) in row i and column j; with `causal`, absent for j > i. A block of cells costs its
// height and its width.
std::shared_ptr<const figure::TileSource> difference_source(
    std::shared_ptr<const std::vector<double>> x, bool causal);

}  // namespace lab::position_ids
