// The values under the pointer, as the lines of a tooltip.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/figure/drawing.h"
#include "app/words/words.h"

namespace ui {

inline constexpr float kNear = 9;              // pixels from the pointer
inline constexpr std::size_t kMostLines = 12;  // of a tooltip

// The cell of a heatmap; else the handle, point or arrow that is near; else every line at this x.
std::vector<std::string> values_at(const figure::Plot& plot, const figure::Drawing& drawing,
                                   const figure::PlotFrame& frame, figure::Point at,
                                   const words::Words& words);

// The row and the column that is drawn at a point of a table's rectangle.
std::pair<core::Index, core::Index> cell_in(const figure::draw::Cells& cells, figure::Point at);

// What the note under a heatmap means that is drawn with fewer squares than it has cells.
std::vector<std::string> about_pooling(const figure::PoolNote& note, const words::Words& words);

}  // namespace ui
