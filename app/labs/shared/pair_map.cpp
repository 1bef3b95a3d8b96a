#include "app/labs/shared/pair_map.h"

#include "app/labs/shared/parts.h"

namespace lab {

figure::ColorScale weight_scale(double largest) {
  figure::ColorScale scale;
  scale.hi = kScaleMargin * static_cast<float>(largest > 0.5 || !(largest > 0) ? 1 : largest);
  return scale;
}

figure::Axis PairMap::query_axis() const {
  figure::Axis axis = cell_axis(query_label, queries, query_link);
  axis.labels = labels;
  axis.color = Role::query;
  axis.marked = static_cast<int>(query);
  return axis;
}

figure::Axis PairMap::key_axis() const {
  figure::Axis axis = cell_axis(key_label, keys, key_link);
  axis.labels = labels;
  axis.color = Role::key;
  axis.marked = static_cast<int>(key);
  return axis;
}

Plot PairMap::plot(std::string id, std::string title) const {
  return {.id = std::move(id),
          .title = std::move(title),
          .x = key_axis(),
          .y = query_axis(),
          .square = true};
}

figure::Heatmap PairMap::cells(std::shared_ptr<const figure::TileSource> source,
                               const figure::ColorScale& scale, figure::Assignments also) const {
  figure::Heatmap map{.source = std::move(source),
                      .scale = scale,
                      .pool = pool,
                      .row_param = query_param,
                      .col_param = key_param,
                      .also = std::move(also)};
  if (pinned) map.pinned = {query, key};
  return map;
}

Plot PairMap::plot(std::string id, std::string title,
                   std::shared_ptr<const figure::TileSource> source,
                   const figure::ColorScale& scale, figure::Assignments also) const {
  Plot plot = this->plot(std::move(id), std::move(title));
  plot.marks.emplace_back(cells(std::move(source), scale, std::move(also)));
  return plot;
}

}  // namespace lab
