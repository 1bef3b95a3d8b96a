// The mask and the scores under it.
#include <fmt/format.h>

#include "app/labs/masks/page.h"

namespace lab::masks {

using figure::Figure;

std::string Scene::name(Index token) const {
  const figure::Labels& labels = model.content->labels;
  return labels ? (*labels)[to_size(token)] : fmt::format("{}", token);
}

std::string Scene::indexed(Index token) const {
  return model.content->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::string Scene::mask_words() const {
  if (p.turns()) {
    return w.format("layer {}: {}", p.layers, item_name(p.stack[p.item_of(p.layers)], w));
  }
  std::string text;
  for (const param::StackItem& item : p.stack) {
    if (!text.empty()) text += fmt::format(" {} ", w(join_name(join_of(item))));
    text += item_name(item, w);
  }
  return text;
}

PairMap Scene::map() const {
  return {.queries = model.n(),
          .keys = model.n(),
          .labels = model.content->labels,
          .query = model.query,
          .key = model.key.value_or(-1),
          .pinned = model.pinned,
          .pool = p.pool,
          .query_label = w("query"),
          .key_label = w("key"),
          .query_link = "masks.query",
          .key_link = "masks.key"};
}

Figure mask_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  // Shares end in the green of the map, which stands out from the light page and from the dark one.
  constexpr float kShareScale = 1.5f;
  Figure figure = new_figure("mask", w("The mask"), {.span = 6, .height = 420});
  figure.caption = w.format(
      "Which pairs of query (row) and key (column) are kept: {} of {}. Zoomed out, a cell shows "
      "the share of its pairs that are. {}",
      count_text(model.cost.pairs), grouped(model.n() * model.n()), scene.mask_words());
  figure::Heatmap map = scene.map().cells(model.mask_cells, {.hi = kShareScale});
  map.color_bar = false;
  if (p.painting()) {
    map.paint_param = "painted";
    map.brush = p.brush;
    figure.note = w("Drag to paint, with Shift or the right button to erase.");
  }
  figure::Plot plot = scene.map().plot("mask", scene.mask_words());
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure pairs_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool weights = p.shown == Shown::weights && model.attended->attention;
  const std::string title = weights ? w("weights: softmax of q·k / √d over the kept keys")
                                    : w("scores q·k / √d of the kept pairs");
  Figure figure = new_figure("pairs", w("The same scores under it"), {.span = 6, .height = 420});
  figure.caption = w.format("{}; what the mask does not keep is absent.", title);
  const auto scale = weights ? weight_scale(to_double(model.attended->largest_weight))
                             : signed_scale(kScaleMargin * model.attended->largest_score);
  return with(std::move(figure), scene.map().plot("pairs", title, model.weight_cells, scale));
}

}  // namespace lab::masks
