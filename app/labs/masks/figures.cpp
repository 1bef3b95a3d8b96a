// The mask and the scores under it.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

using figure::Axis;
using figure::ColorScale;
using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

// The largest cell must not fall above its scale because two kernels round it differently.
constexpr float kMargin = 1 + 1e-5f;
// Shares end in the green of the map, which stands out from the light page and from the dark one.
constexpr float kShareScale = 1.5f;

Axis token_axis(const Scene& scene, bool query) {
  Axis axis = cell_axis(query ? scene.w("query") : scene.w("key"), scene.model.n(),
                        query ? "masks.query" : "masks.key");
  axis.labels = scene.model.content->labels;
  axis.color = query ? Role::query : Role::key;
  axis.marked = static_cast<int>(query ? scene.model.query : scene.model.key.value_or(-1));
  return axis;
}

Heatmap pickable(const Scene& scene, std::shared_ptr<const figure::TileSource> source,
                 const ColorScale& scale) {
  Heatmap map;
  map.source = std::move(source);
  map.scale = scale;
  map.pool = scene.p.pool;
  map.row_param = "query";
  map.col_param = "key";
  if (scene.model.pinned) map.pinned = {scene.model.query, *scene.model.key};
  return map;
}

ColorScale weight_scale(const Scene& scene) {
  const float largest = scene.model.attended->largest_weight;
  ColorScale scale;
  scale.hi = kMargin * (largest > 0.5f || !(largest > 0) ? 1 : largest);
  return scale;
}

std::string pair_title(const Scene& scene, bool weights) {
  if (weights) return scene.w("weights: softmax of q·k / √d over the kept keys");
  return scene.w("scores q·k / √d of the kept pairs");
}

}  // namespace

std::string Scene::name(Index token) const {
  const figure::Labels& labels = model.content->labels;
  return labels ? (*labels)[static_cast<std::size_t>(token)] : fmt::format("{}", token);
}

std::string Scene::indexed(Index token) const {
  return model.content->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::string Scene::mask_words() const {
  if (p.turns()) {
    const std::size_t k = p.item_of(p.layers);
    return w.format("layer {}: {}", p.layers, item_name(p.stack[k], w));
  }
  std::string text;
  for (std::size_t k = 0; k < p.stack.size(); ++k) {
    if (k > 0) text += fmt::format(" {} ", w(join_name(join_of(p.stack[k]))));
    text += item_name(p.stack[k], w);
  }
  return text;
}

Plot token_plot(const Scene& scene, std::string id, std::string title) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = token_axis(scene, false);
  plot.y = token_axis(scene, true);
  plot.square = true;
  return plot;
}

Figure mask_figure(const Scene& scene) {
  Figure figure = new_figure("mask", scene.w("The mask"), {.span = 6, .height = 420});
  figure.caption = scene.w.format(
      "Which pairs of query (row) and key (column) are kept: {} of {}. Zoomed out, a cell shows "
      "the share of its pairs that are. {}",
      count_text(scene.model.cost.pairs),
      count_text(static_cast<double>(scene.model.n()) * static_cast<double>(scene.model.n())),
      scene.mask_words());
  Plot plot = token_plot(scene, "mask", scene.mask_words());
  ColorScale scale;
  scale.hi = kShareScale;
  Heatmap map = pickable(scene, scene.model.mask_cells, scale);
  map.color_bar = false;
  if (scene.p.painting()) {
    map.paint_param = "painted";
    map.brush = scene.p.brush;
    figure.note = scene.w("Drag to paint, with Shift or the right button to erase.");
  }
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure pairs_figure(const Scene& scene) {
  const bool weights = scene.p.shown == Shown::weights && scene.model.attended->attention;
  Figure figure = new_figure("pairs", scene.w("The same scores under it"));
  figure.caption =
      scene.w.format("{}; what the mask does not keep is absent.", pair_title(scene, weights));
  figure.span = 6;
  figure.height = 420;
  Plot plot = token_plot(scene, "pairs", pair_title(scene, weights));
  plot.marks.emplace_back(pickable(
      scene, scene.model.weight_cells,
      weights ? weight_scale(scene) : signed_scale(kMargin * scene.model.attended->largest_score)));
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace lab::masks
