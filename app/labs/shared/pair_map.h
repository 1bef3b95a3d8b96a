// The attention map: queries as rows, keys as columns, one cell a pair; a click on a cell pins it.
#pragma once

#include <memory>
#include <string>

#include "app/figure/figure.h"

namespace lab {

// The largest cell must not fall above its scale because two kernels round it differently.
inline constexpr float kScaleMargin = 1 + 1e-5f;

// Colours of weights: to 1, or to the largest where no weight comes near 1.
figure::ColorScale weight_scale(double largest);

struct PairMap {
  core::Index queries = 0, keys = 0;
  figure::Labels labels = nullptr;  // of the tokens, in both directions
  core::Index query = 0, key = 0;   // the chosen pair
  bool pinned = false;              // it is marked in every map
  core::Pool pool = core::Pool::max;
  std::string query_label = {}, key_label = {};  // of the axes, translated
  std::string query_link = "query", key_link = "key";
  std::string query_param = "query", key_param = "key";

  figure::Axis query_axis() const;
  figure::Axis key_axis() const;
  // An empty map with its axes.
  figure::Plot plot(std::string id, std::string title) const;
  // Its cells; a click sets query_param and key_param, and `also`.
  figure::Heatmap cells(std::shared_ptr<const figure::TileSource> source,
                        const figure::ColorScale& scale, figure::Assignments also = {}) const;
  // Both.
  figure::Plot plot(std::string id, std::string title,
                    std::shared_ptr<const figure::TileSource> source,
                    const figure::ColorScale& scale, figure::Assignments also = {}) const;
};

}  // namespace lab
