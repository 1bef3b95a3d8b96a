// A page beside one that was held: its figures as they are to be drawn.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/figure/ghost.h"
#include "app/labs/lab.h"

namespace session {

using figure::ColorScale, figure::Figure, figure::Heatmap, figure::MapName, figure::Mark,
    figure::Plot, figure::TileSource;
using words::Words;

// Difference of two tables; null: it is being computed.
using DifferenceOf = std::function<std::shared_ptr<const figure::Difference>(
    const std::shared_ptr<const TileSource>& live, const std::shared_ptr<const TileSource>& held)>;

// The figure's heatmaps with the held cells, or with the difference and its largest value, where
// `shown` asks for them and they can be compared. Held plots with other axes (beside_plot.h) follow
// the figure's own, unless only the present is asked for; a table's cells say what they held. The
// plot's note says what cannot be compared at all. Null: the figure is as it stands.
std::shared_ptr<const Figure> beside(const Figure& live, const std::vector<Figure>& held,
                                     figure::CellsShown shown, const DifferenceOf& difference,
                                     const Words& words);

// Why nothing of the held plot is drawn, in a few words; empty: it is.
std::string why_apart(const Plot& live, const Plot& held, const Words& words);

// Whether something of what is held is drawn with this figure, over it or beside.
bool compared(const Figure& live, const std::vector<Figure>& held);
// Whether marks are drawn as ghosts over it.
bool draws_ghosts(const Figure& live, const std::vector<Figure>& held);
// Whether cells have what is held in their corners, where the layout is asked for that.
bool draws_corners(const Figure& live, const std::vector<Figure>& held);
// Whether a heatmap is divided or can be.
bool compares_cells(const Figure& live, const std::vector<Figure>& held);

// What ghosts of these kinds of marks (places in figure::Mark) look like: "with rings, outlined or
// hollow"; empty: nothing special.
std::string look_of_ghosts(const std::set<std::size_t>& kinds, const Words& words);
// How this figure shows what is held, which is called `then`, a line each; empty: it shows nothing
// of it.
std::vector<std::string> held_legend(const Figure& live, const std::vector<Figure>& held,
                                     figure::CellsShown shown, const std::string& then,
                                     const Words& words);

// The held value and the difference, for one line of a tip: "held 0.31 · difference +0.11".
std::string against(double live, double held, const Words& words);

}  // namespace session
