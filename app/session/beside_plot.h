// A held plot beside the live one, where neither can be drawn over the other; and held values in
// the cells of tables.
#pragma once

#include "app/labs/lab.h"

namespace session {

using figure::Mark, figure::Plot;
using words::Words;

// Whether the held plot is shown beside the live one, with its own axes: heatmaps of another size
// or other words, and drawings whose boxes stand elsewhere or, with no pictures in them, say
// something else.
bool shown_beside(const Plot& live, const Plot& held);

// Copy of the held plot to stand there: in the live colours, with nothing in it to click.
Plot beside_plot(const Plot& live, const Plot& held, const Words& words);

// Writes what was held into each cell of a table that says something else now. False: none does.
// Rows are those that begin alike; where that does not tell, those at the same place.
bool describe_held_cells(Plot& live, const Plot& held, const Words& words);

}  // namespace session
