// Several figures as panels of one sheet: in rows and columns, with letters, with one scale of
// colors.
#pragma once

#include <string_view>
#include <vector>

#include "app/paper/export_figure.h"

namespace paper {

struct PanelLayout {
  int rows = 0, columns = 0;  // 0: as they stand on the page
  bool share_colors = false;
};

inline constexpr int kMostPanels = 26;

// "2x1": rows and columns, at most kMostPanels panels in all. Throws core::InputError.
PanelLayout parse_layout(std::string_view text);

// The figures as panels. `options` is told how many stand side by side, and that there is a heading
// for the letters that its style may ask for. With one scale, heatmaps that share a map of colors
// share their range, and the panels become one figure with one bar for each map. Throws
// core::InputError where they are too many for the layout, and for what has more than one plot or
// no heatmap but is to share.
std::vector<figure::Figure> as_panels(std::vector<figure::Figure> figures,
                                      const PanelLayout& layout, PaperOptions& options);

// Their places in equal columns, row by row.
std::vector<figure::Rect> panel_boxes(std::size_t count, float width, int columns,
                                      const figure::HeightOf& height);

// Width in units that the columns need: less is too narrow to be read.
float least_panels_width(int columns);

}  // namespace paper
