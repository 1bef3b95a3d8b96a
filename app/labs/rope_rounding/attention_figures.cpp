// The attention of a block of tokens: exact, under rounding, and what has changed.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

// Smaller weights are shown as none at all.
constexpr float kLeastWeight = 1e-4f;

// Tokens by their positions.
figure::Axis token_axis(const Window& window, std::string label, std::string link, Role color) {
  figure::Axis axis = cell_axis(std::move(label), window.n, std::move(link));
  axis.lo = static_cast<double>(window.start);
  axis.hi = static_cast<double>(window.start + window.n);
  axis.color = color;
  return axis;
}

Plot tokens_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
                 const figure::ColorScale& scale) {
  const Window& window = *scene.model.window;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.square = true;
  plot.x = token_axis(window, scene.w("key at n"), "key_at", Role::key);
  plot.y = token_axis(window, scene.w("query at m"), "query_at", Role::query);
  plot.x_param = "key";
  plot.y_param = "query";
  plot.click = explained_by("weight");
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(
      cells.cast<float>(),
      std::make_shared<const core::Mask>(core::Mask::causal(window.n, window.n)));
  map.scale = scale;
  map.pool = scene.p.pool;
  map.pinned = {scene.p.query - window.start, scene.p.key - window.start};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

double largest_weight(const MatrixD& weights) {
  double largest = 0;
  for (const double weight : weights.reshaped()) {
    if (std::isfinite(weight)) largest = std::max(largest, weight);
  }
  return largest;
}

std::string change_text(const Scene& scene) {
  const Window& window = *scene.model.window;
  if (window.missing > 0) {
    return scene.w.format("{} of {} weights are not numbers", window.missing,
                          window.n * (window.n + 1) / 2);
  }
  if (window.largest == 0) return scene.w("no weight changes");
  return scene.w.format("largest change {} at query {}, key {}", short_number(window.largest),
                        window.start + window.row, window.start + window.col);
}

}  // namespace

Figure attention_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  Figure figure = new_figure("attention", w("The same tokens, the same q and k"),
                             {.height = 330, .columns = 3});
  figure.note = change_text(scene);
  figure.caption = w.format(
      "Causal attention among the tokens at positions {0} to {1} under RoPE (d {2}, base {3}): "
      "exact, with {4} rounded to {5} (logarithmic colours), and the difference; {6}.",
      window.start, window.start + window.n - 1, p.d, short_number(p.base), scene.rounded(),
      scene.format(), change_text(scene));
  const double largest = std::max(
      {largest_weight(window.exact.weights), largest_weight(window.rounded.weights), 2e-4});
  // The first query has one key to look at and the others dozens: their weights differ in size.
  figure::ColorScale scale;
  scale.transform = figure::Transform::log;
  scale.lo = kLeastWeight;
  scale.hi = static_cast<float>(largest) * (1 + 1e-5f);
  const MatrixD change = window.rounded.weights - window.exact.weights;
  figure.plots = {tokens_plot(scene, "exact", w("exact"), window.exact.weights, scale),
                  tokens_plot(scene, "rounded", w.format("rounded: {}", scene.rounded()),
                              window.rounded.weights, scale),
                  tokens_plot(scene, "difference", w("rounded minus exact"), change,
                              signed_scale(static_cast<float>(window.largest)))};
  return figure;
}

}  // namespace lab::rope_rounding
