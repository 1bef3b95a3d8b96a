// What several layers make of a mask.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

using figure::Figure;
using figure::Heatmap;
using figure::Line;
using figure::Plot;
using figure::Role;

figure::ColorScale layer_scale(const Scene& scene) {
  figure::ColorScale scale;
  scale.lo = 0;
  scale.hi = static_cast<float>(std::max(scene.p.layers, 2)) * (1 + 1e-5f);
  return scale;
}

// Row l: the keys that have reached the picked query after l layers, coloured by the layer that
// brought them.
core::Matrix field(const Scene& scene) {
  const Matrix& first = scene.model.reached->first;
  Matrix cells = Matrix::Constant(scene.p.layers, scene.model.n(), core::kMasked);
  for (Index j = 0; j < scene.model.n(); ++j) {
    const float layer = first(scene.model.query, j);
    for (Index l = 1; l <= scene.p.layers; ++l) {
      if (layer <= static_cast<float>(l)) cells(l - 1, j) = layer;
    }
  }
  return cells;
}

// "2 atrous": a layer, and which mask it uses when they take turns.
figure::Labels layer_names(const Scene& scene, bool with_mask) {
  std::vector<std::string> names;
  for (int layer = 1; layer <= scene.p.layers; ++layer) {
    names.push_back(fmt::format("{}", layer));
    if (!with_mask || !scene.p.turns()) continue;
    const auto& item = scene.p.stack[scene.p.item_of(layer)];
    names.back() += ' ';
    names.back() += catalogue()->entries.at(static_cast<std::size_t>(item.entry)).id;
  }
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

Plot share_curve(const Scene& scene) {
  const core::Reach& reach = scene.model.reached->reach;
  Line line;
  line.color = Role::accent;
  line.width = 2;
  const auto last = static_cast<std::size_t>(scene.p.layers);
  for (std::size_t l = 0; l < std::min(last, reach.covered.size()); ++l) {
    line.x.push_back(static_cast<double>(l) + 0.5);  // the middle of the layer's cell
    line.y.push_back(static_cast<double>(reach.covered[l]) /
                     static_cast<double>(std::max<Index>(1, reach.wanted)));
  }
  figure::Points points;
  points.x = line.x;
  points.y = line.y;
  points.color = Role::accent;
  Plot plot{.id = "reach_curve",
            .title = scene.model.reached->causal ? scene.w("share of the pairs j ≤ i connected")
                                                 : scene.w("share of all pairs connected")};
  plot.x = cell_axis(scene.w("layers"), scene.p.layers);
  plot.x.labels = layer_names(scene, false);
  plot.y.hi = 1.05;
  plot.marks = {std::move(line), std::move(points)};
  if (const auto all = reach.layers_to_cover(); all && *all > 0 && *all <= scene.p.layers) {
    figure::Rule rule;
    rule.at = static_cast<double>(*all) - 0.5;
    rule.color = Role::good;
    rule.label = scene.w.format("all after {}", *all);
    plot.marks.emplace_back(std::move(rule));
  }
  return plot;
}

}  // namespace

Figure field_figure(const Scene& scene) {
  Figure figure;
  figure.id = "field";
  figure.title =
      scene.w.format("Keys that reach query {}, layer by layer", scene.indexed(scene.model.query));
  figure.caption = scene.w.format(
      "Row l: the keys whose information can be in query {} after l layers; the colour is the "
      "layer that brought them.",
      scene.indexed(scene.model.query));
  figure.height = 190 + 16 * static_cast<float>(std::min(scene.p.layers, 16));
  Plot plot{.id = "field"};
  plot.x = token_plot(scene, "", "").x;
  plot.y = cell_axis(scene.w("layer"), scene.p.layers);
  plot.y.labels = layer_names(scene, true);
  Heatmap map = dense_heatmap(field(scene), layer_scale(scene));
  map.col_param = "key";
  map.bar_label = scene.w("layer");
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure reach_figure(const Scene& scene) {
  Figure figure = new_figure("reach", scene.w.format("Reach after {} layers", scene.p.layers),
                             {.height = 400, .columns = 2});
  figure.caption = scene.w.format(
      "For each query (row) and key (column) the first layer after which the key's information can "
      "be in the query's output, up to {} layers; and the share of connected pairs.",
      scene.p.layers);
  Plot plot = token_plot(scene, "reach", scene.w("first layer that connects"));
  Heatmap map;
  map.source = scene.model.reach_cells;
  map.scale = layer_scale(scene);
  map.pool = scene.p.pool;
  map.row_param = "query";
  map.col_param = "key";
  if (scene.model.pinned) map.pinned = {scene.model.query, *scene.model.key};
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot), share_curve(scene)};
  return figure;
}

}  // namespace lab::masks
