// The attention that turning causes on the text.
#include <algorithm>

#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;

std::shared_ptr<const core::Mask> mask_of(const Scene& scene) {
  if (!scene.p.causal) return nullptr;
  const Index n = scene.model.text->n();
  return std::make_shared<const core::Mask>(core::Mask::causal(n, n));
}

Plot token_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
                const figure::ColorScale& scale) {
  const TextModel& text = *scene.model.text;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.square = true;
  plot.x = cell_axis(scene.w("key"), text.n(), "key");
  plot.y = cell_axis(scene.w("query"), text.n(), "query");
  plot.x.labels = plot.y.labels = text.labels;
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  plot.x.marked = scene.p.key;
  plot.y.marked = scene.p.query;
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(cells.cast<float>(), mask_of(scene));
  map.scale = scale;
  map.pool = scene.p.pool;
  map.row_param = "query";
  map.col_param = "key";
  map.also = {{"explain", "weight"}};
  map.pinned = {scene.p.query, scene.p.key};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

}  // namespace

Figure text_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const TextModel& text = *model.text;
  const bool xpos = p.text_scheme == TextScheme::xpos;
  const MatrixD difference = text.turned.weights - text.none.weights;
  // One scale for both, so that they can be compared. Kernels may round the largest differently.
  constexpr float kMargin = 1 + 1e-5f;
  const double largest = std::max(text.none.weights.maxCoeff(), text.turned.weights.maxCoeff());
  figure::ColorScale weights;
  weights.hi = kMargin * (largest > 0.5 ? 1 : static_cast<float>(largest));
  Figure figure =
      new_figure("text", w.format("The same words without and with position, head {}", p.head),
                 {.height = 390, .columns = 3});
  figure.note = w.format("query {}, key {}", scene.token(p.query), scene.token(p.key));
  figure.caption = xpos ? w.format(
                              "Attention weights of head {} without position, with xPos, and their "
                              "difference; row: query, column: key.",
                              p.head)
                        : w.format(
                              "Attention weights of head {} without position, with RoPE, and their "
                              "difference; row: query, column: key.",
                              p.head);
  figure.plots = {token_plot(scene, "none", w("without position"), text.none.weights, weights),
                  token_plot(scene, "turned", xpos ? w("with xPos") : w("with RoPE"),
                             text.turned.weights, weights),
                  token_plot(scene, "difference", w("difference"), difference,
                             signed_scale(static_cast<float>(difference.cwiseAbs().maxCoeff())))};
  return figure;
}

}  // namespace lab::rotary
