// The colours of heatmaps as somebody chose them, on paper or in the window.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/labs/page.h"
#include "app/paper/style/style.h"

namespace paper {

// The parameters of Style that are about them.
inline constexpr std::array<std::string_view, 4> kColorIds = {"colors", "color_scale", "vmin",
                                                              "vmax"};

// Whether its heatmaps of numbers, of which there is one at least, have all the same colours: then
// they can be chosen for the figure.
bool has_colors(const figure::Figure& figure);
// Whether `id`, the figure's own or that of a plot in it, names a heatmap of numbers.
bool has_colors(const figure::Figure& figure, const std::string& id);

// Colours these heatmaps so. Throws core::InputError, in one sentence, where there are none (but a
// map of colours alone goes to any figure) and where a scale would not go from a smaller to a
// larger number.
void set_colors(std::vector<figure::Figure>& figures, const Style& style);

// Throws core::InputError, in one sentence, for what no figure could be coloured so.
void check_colors(const std::map<std::string, param::Values>& chosen);

// Colours a page's figures, and single plots, as was chosen for each by its id. What cannot be is
// said in a note of the page, and keeps its own colours.
void recolor(lab::Page& page, const std::map<std::string, param::Values>& chosen,
             const words::Words& words);

// The least and the greatest number that heatmaps of the figure, or of the plot of this id, show,
// as they are pooled to at most some hundred cells a side; none where there is no number, or where
// finding it takes long.
std::optional<std::pair<float, float>> color_range(const figure::Figure& figure,
                                                   const std::string& id);

}  // namespace paper
