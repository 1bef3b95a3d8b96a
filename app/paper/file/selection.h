// Selects a page's figures by a list of ids.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"

namespace paper {

// A figure's id chooses it whole, a plot's id a figure that holds that plot alone; no ids, all
// figures. In the order of the ids. Throws core::InputError naming the ids there are.
std::vector<figure::Figure> select(const lab::Page& page, const std::vector<std::string>& ids);

// The figure with this plot of its own alone, which keeps its share of the page's width, as if it
// stood among its neighbours. One that leaves its contact sheet gets its axes, its colour bar and
// room for them.
figure::Figure alone(const figure::Figure& figure, const figure::Plot& plot);

}  // namespace paper
