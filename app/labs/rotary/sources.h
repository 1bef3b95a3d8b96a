// What the heatmap of every pair of places draws: scores that are computed when they are looked at.
#pragma once

#include <memory>

#include "app/figure/tile_source.h"
#include "core/position/rotary_scores.h"

namespace lab::rotary {

// (n, n): row m, column n.
std::shared_ptr<const figure::TileSource> every_source(core::RotaryScores scores, core::Index n,
                                                       int threads);

}  // namespace lab::rotary
