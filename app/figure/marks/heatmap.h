// Marks of two sides, rows and columns or queries and keys.
#pragma once

#include <optional>

#include "app/figure/marks/axis.h"
#include "app/figure/tile_source.h"

namespace figure {

// rows x cols cells, row 0 at the top.
struct Heatmap {
  std::shared_ptr<const TileSource> source = {};
  ColorScale scale = {};
  Pool pool = Pool::max;
  std::string row_param = {},
              col_param = {};  // integer parameters that a click on a cell sets; may be empty
  Assignments also = {};       // what such a click sets besides
  // A painted parameter whose cells a drag adds to, and with Shift or the right button takes from,
  // in squares `brush` drawn cells wide. Empty: the heatmap is pinned and moved as always.
  std::string paint_param = {};
  int brush = 1;
  std::optional<std::pair<Index, Index>> pinned = {};  // drawn as one amber square
  bool color_bar = true;
  std::string bar_label = {};
  // Names of its few values (yes or no). On paper, where nothing can be pointed at, a legend shows
  // them instead of a colour bar.
  struct Meaning {
    float value = 0;  // core::kMasked: of masked cells
    std::string name = {};
  };
  std::vector<Meaning> legend = {};
  std::string masked = {};  // why cells are; empty: "masked"
};

// Weighted links from queries (left column of words) to keys (right column).
struct Links {
  struct Link {
    int from, to;
    float weight;  // 0 to 1: opacity and width
    Color color = {};
  };
  Labels left = {}, right = {};
  std::vector<Link> links = {};
  int marked_left = -1, marked_right = -1;
  std::string left_param = {}, right_param = {};  // what a click on a word sets
};

}  // namespace figure
