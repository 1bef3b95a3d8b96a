// What several layers make of a mask.
#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

figure::ColorScale layer_scale(const Scene& scene) {
  return {.hi = static_cast<float>(std::max(scene.p.layers, 2)) * kScaleMargin};
}

// Row l: the keys that have reached the picked query after l layers, coloured by the layer that
// brought them.
Matrix field(const Scene& scene) {
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
  const auto& p = scene.p;
  std::vector<std::string> names;
  for (int layer = 1; layer <= p.layers; ++layer) {
    names.push_back(fmt::format("{}", layer));
    if (!with_mask || !p.turns()) continue;
    const auto entry = to_size(p.stack[p.item_of(layer)].entry);
    names.back() += fmt::format(" {}", catalogue()->entries.at(entry).id);
  }
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

Plot share_curve(const Scene& scene) {
  const core::Reach& reach = scene.model.reached->reach;
  Line line{.color = Role::accent, .width = 2};
  for (std::size_t l = 0; l < std::min(to_size(scene.p.layers), reach.covered.size()); ++l) {
    line.x.push_back(to_double(l) + 0.5);  // the middle of the layer's cell
    line.y.push_back(to_double(reach.covered[l]) / to_double(std::max<Index>(1, reach.wanted)));
  }
  Plot plot{.id = "reach_curve",
            .title = scene.model.reached->causal ? scene.w("share of the pairs j ≤ i connected")
                                                 : scene.w("share of all pairs connected"),
            .x = cell_axis(scene.w("layers"), scene.p.layers)};
  plot.x.labels = layer_names(scene, false);
  plot.y.hi = 1.05;
  plot.marks = {line, Points{line.x, line.y, Role::accent}};
  if (const auto all = reach.layers_to_cover(); all && *all > 0 && *all <= scene.p.layers) {
    plot.marks.emplace_back(figure::Rule{.at = to_double(*all) - 0.5,
                                         .color = Role::good,
                                         .label = scene.w.format("all after {}", *all)});
  }
  return plot;
}

}  // namespace

Figure field_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string query = scene.indexed(model.query);
  Figure figure = new_figure("field", w.format("Keys that reach query {}, layer by layer", query),
                             {.height = 190 + 16 * static_cast<float>(std::min(p.layers, 16))});
  figure.caption = w.format(
      "Row l: the keys whose information can be in query {} after l layers; the colour is the "
      "layer that brought them.",
      query);
  Plot plot{.id = "field", .x = scene.map().key_axis(), .y = cell_axis(w("layer"), p.layers)};
  plot.y.labels = layer_names(scene, true);
  figure::Heatmap map = dense_heatmap(field(scene), layer_scale(scene));
  map.col_param = "key";
  map.bar_label = w("layer");
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure reach_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("reach", w.format("Reach after {} layers", p.layers),
                             {.height = 400, .columns = 2});
  figure.caption = w.format(
      "For each query (row) and key (column) the first layer after which the key's information can "
      "be in the query's output, up to {} layers; and the share of connected pairs.",
      p.layers);
  return with(std::move(figure),
              scene.map().plot("reach", w("first layer that connects"), model.reach_cells,
                               layer_scale(scene)),
              share_curve(scene));
}

}  // namespace lab::masks
