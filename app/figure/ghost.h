// What was held of a page, drawn with what it shows now: which plots can be compared, and how.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"

namespace figure {

// What heatmaps show while others are held: a part of each, the live one, the held one, or live
// less held.
enum class CellsShown { split, live, held, difference };
// "split", "live", "held" or "difference"; anything else throws core::InputError.
CellsShown parse_cells_shown(std::string_view id);
std::string_view cells_shown_id(CellsShown shown);

// For the layout: what is held, and where the live part of heatmaps ends, as a share of the width;
// without a split they show nothing of what is held.
struct Ghost {
  const std::vector<Figure>* held = nullptr;  // all figures of the held page
  bool split = false;
  float at = 0.5f;
  // What was before an answer: a cell that has changed has its color of before in a corner, and
  // boxes of words have none.
  bool before = false;
  std::string now = {}, then = {};  // what the two sides of a split are called
};

// The plot of this id, which is unique on a page; or null.
const Plot* find_plot(const std::vector<Figure>& figures, const std::string& id);

// Why nothing of a held plot is drawn over this one: their axes mean something else, their rows,
// columns or words have other names, or their tables are of another size.
enum class Apart { none, axes, names, size };
Apart apart(const Plot& live, const Plot& held);

// The first heatmap of a plot; or null.
const Heatmap* heatmap_in(const Plot& plot);
// Whether the numbers can be subtracted: names that only tell colours apart cannot.
bool can_differ(const Heatmap& live, const Heatmap& held);

// Whether a cell has another color than it had, which a square in its corner can show; and whether
// any cell of these plots does, and they are small enough for that.
bool changed_color(const ValueColors& colors, const Heatmap& live, const Heatmap& held, Index row,
                   Index col);
bool has_corners(const Plot& live, const Plot& held);

// One table less another of the same size, cell by cell, in single precision; masked where either
// is.
struct Difference {
  std::shared_ptr<const TileSource> source;
  // The largest difference, either way, and its cell; no cell where none can be compared.
  float largest = 0;
  Index row = -1, col = -1;
  Index apart = 0;  // cells that are masked in one of them alone
};
inline constexpr Index kMostCompared = Index{1} << 24;  // cells
// Throws core::Cancelled when asked to. threads: as core::thread_count takes them.
Difference difference(const TileSource& live, const TileSource& held,
                      const core::Cancel& cancel = {}, int threads = 0);

// Scale of a difference: as much above zero as below, and nothing where nothing differs.
ColorScale difference_scale(const Difference& difference);

}  // namespace figure
