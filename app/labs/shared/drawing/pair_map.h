// The attention map: queries as rows, keys as columns, one cell a pair; a click on a cell pins it.
#pragma once

#include "app/labs/lab.h"

namespace lab {

// --- heatmaps whose cells are computed where they are looked at

// What a TileSource answers; callable from any thread.
struct Cells {
  Index rows = 0, cols = 0;
  std::function<float(Index row, Index col)> value = {};
  // Empty: names cannot be pooled, the first cell of a block stands for it.
  std::function<void(int level, const figure::Region& region, figure::Pool pool, float* out,
                     const core::Cancel& cancel)>
      pooled = {};
  // About how many multiply-adds the region takes.
  std::function<double(int level, const figure::Region& region)> cost = {};

  // The cells that a region of pooled ones stands for, cut at the last row and column.
  static figure::Region under(int level, const figure::Region& region, Index rows, Index cols);
};
std::shared_ptr<const TileSource> cell_source(Cells cells);

// The largest cell must not fall above its scale because two kernels round it differently.
inline constexpr float kScaleMargin = 1 + 1e-5f;

// Colours of weights: to 1, or to the largest where no weight comes near 1.
ColorScale weight_scale(double largest);

struct PairMap {
  Index queries = 0, keys = 0;
  Labels labels = nullptr;   // of the tokens, in both directions
  Index query = 0, key = 0;  // the chosen pair
  bool pinned = false;       // it is marked in every map
  core::Pool pool = core::Pool::max;
  std::string query_label = {}, key_label = {};  // of the axes, translated
  std::string query_link = "query", key_link = "key";
  std::string query_param = "query", key_param = "key";

  Axis query_axis() const;
  Axis key_axis() const;
  // An empty map with its axes.
  Plot plot(std::string id, std::string title) const;
  // Its cells; a click sets query_param and key_param, and `also`.
  Heatmap cells(std::shared_ptr<const TileSource> source, const ColorScale& scale,
                Assignments also = {}) const;
  // Both.
  Plot plot(std::string id, std::string title, std::shared_ptr<const TileSource> source,
            const ColorScale& scale, Assignments also = {}) const;
};

// One of many small maps, without a bar of its colours: a click on it sets `click`.
Plot thumbnail(Plot plot, Heatmap map, bool selected, Assignments click);

}  // namespace lab
