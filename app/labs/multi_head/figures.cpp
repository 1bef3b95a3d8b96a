#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/multi_head/page.h"

namespace lab::multi_head {
namespace {

using figure::Axis;
using figure::ColorScale;
using figure::Figure;
using figure::Heatmap;
using figure::MapName;
using figure::Plot;
using figure::Role;

constexpr int kHeadsPerRow = 8;
// The largest cell must not fall above its scale because two kernels round it differently.
constexpr float kMargin = 1 + 1e-5f;

Axis token_axis(const Scene& scene, bool query) {
  Axis axis;
  axis.label = query ? scene.w("query") : scene.w("key");
  axis.hi = static_cast<double>(scene.model.n());
  axis.cells = true;
  axis.labels = scene.model.sequence->labels;
  axis.link = query ? "query" : "key";
  axis.color = query ? Role::query : Role::key;
  axis.marked = static_cast<int>(query ? scene.model.query : scene.model.key);
  return axis;
}

Plot token_plot(const Scene& scene, std::string id, std::string title) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = token_axis(scene, false);
  plot.y = token_axis(scene, true);
  plot.square = true;
  return plot;
}

MapName weight_map(WeightColors colors) {
  switch (colors) {
    case WeightColors::cividis:
      return MapName::cividis;
    case WeightColors::magma:
      return MapName::magma;
    case WeightColors::grey:
      return MapName::grey;
    case WeightColors::viridis:
      break;
  }
  return MapName::viridis;
}

// One scale for all heads, so that they can be compared: to 1, or to the largest weight where no
// weight comes near 1.
ColorScale weight_scale(const Scene& scene) {
  const float largest = scene.model.sources->largest_weight;
  ColorScale scale;
  scale.map = weight_map(scene.p.colors);
  scale.hi = kMargin * (largest > 0.5f || !(largest > 0) ? 1 : largest);
  if (scene.p.weight_scale == WeightScale::log) {
    scale.transform = figure::Transform::log;
    // Well below 1/n, the weight of keys that are all alike.
    scale.lo = scale.hi / (30 * static_cast<float>(scene.model.n()));
  }
  return scale;
}

Heatmap heatmap(const Scene& scene, std::shared_ptr<const figure::TileSource> source,
                const ColorScale& scale) {
  Heatmap map;
  map.source = std::move(source);
  map.scale = scale;
  map.pool = scene.p.pool;
  return map;
}

// A heatmap whose cells can be picked, with the pinned one marked.
Heatmap pickable(const Scene& scene, std::shared_ptr<const figure::TileSource> source,
                 const ColorScale& scale) {
  Heatmap map = heatmap(scene, std::move(source), scale);
  map.row_param = "query";
  map.col_param = "key";
  if (scene.model.pinned) map.pinned = {scene.model.query, scene.model.key};
  return map;
}

std::string mask_words(const Scene& scene) {
  switch (scene.p.mask) {
    case MaskKind::causal:
      return scene.w("causal mask");
    case MaskKind::local:
      return scene.w("local mask");
    case MaskKind::key_padding:
      return scene.w("key padding mask");
    case MaskKind::query_padding:
      return scene.w("query padding mask");
    case MaskKind::full:
      break;
  }
  return scene.w("no mask");
}

// What happens between the scores and the softmax.
std::string scaled_title(const Scene& scene) {
  std::string steps;
  if (scene.p.scaled) steps = scene.w("scaled by 1/√d_k");
  if (scene.p.temperature != 1) {
    if (!steps.empty()) steps += ", ";
    steps += scene.w.format("temperature {}", scene.p.temperature);
  }
  return (steps.empty() ? scene.w("not scaled") : steps) + ", " + mask_words(scene);
}

std::string both_words(const Scene& scene) {
  return scene.w.format("query {}, key {}", scene.indexed(scene.model.query),
                        scene.indexed(scene.model.key));
}

}  // namespace

std::string Scene::name(Index token) const {
  const figure::Labels& labels = model.sequence->labels;
  return labels ? (*labels)[static_cast<std::size_t>(token)] : fmt::format("{}", token);
}

std::string Scene::quoted(Index token) const {
  return model.sequence->labels ? w.format("\"{}\"", name(token)) : w.format("token {}", token);
}

std::string Scene::indexed(Index token) const {
  return model.sequence->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::string weight_text(double weight) {
  return weight < 0.01 && weight > 0 ? fmt::format("{:.3g}", weight)
                                     : fmt::format("{:.3f}", weight);
}

Figure heads_figure(const Scene& scene) {
  const Heads& heads = *scene.model.heads;
  const int count = scene.p.heads;
  Figure figure = new_figure("heads", scene.w("All heads"));
  figure.caption = scene.w.format(
      "The attention weights of all {} heads; row: query, column: key. Entropies are means over "
      "the queries, in nats.",
      count);
  // Rows that are equally full: ten heads are five and five, not eight and two.
  const core::Index rows = core::ceil_div(count, kHeadsPerRow);
  figure.columns = static_cast<int>(core::ceil_div(count, rows));
  figure.height = 50 + 140 * static_cast<float>(rows);
  for (int head = 0; head < count; ++head) {
    Plot plot = token_plot(scene, fmt::format("head_{}", head + 1), fmt::format("{}", head + 1));
    plot.note = scene.w.format("entropy {:.2f}", mean_entropy(heads, head));
    plot.thumbnail = true;
    plot.selected = head == scene.model.head;
    plot.click = {{"head", fmt::format("{}", head + 1)}};
    Heatmap map = heatmap(scene, scene.model.sources->weights[static_cast<std::size_t>(head)],
                          weight_scale(scene));
    map.color_bar = false;
    plot.marks.emplace_back(std::move(map));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Figure head_figure(const Scene& scene) {
  const HeadSources& sources = *scene.model.head_sources;
  const double scale = std::abs(static_cast<double>(scene.model.heads->scale()));
  Figure figure = new_figure("head", scene.w.format("Head {}, step by step", scene.model.head + 1),
                             {.height = 390, .columns = 3});
  figure.caption = scene.w.format(
      "Head {}: the scores of every query (row) with every key (column), what is left of them "
      "after scaling and mask, and the weights that softmax makes of each row.",
      scene.model.head + 1);

  Plot scores = token_plot(scene, "scores", scene.w("scores q·k"));
  scores.marks.emplace_back(pickable(scene, sources.scores, signed_scale(sources.largest_score)));
  Plot scaled = token_plot(scene, "scaled", scaled_title(scene));
  scaled.marks.emplace_back(pickable(
      scene, sources.scaled,
      signed_scale(static_cast<float>(static_cast<double>(sources.largest_score) * scale))));
  Plot weights = token_plot(scene, "weights", scene.w("weights softmax"));
  weights.marks.emplace_back(
      pickable(scene, scene.model.sources->weights[static_cast<std::size_t>(scene.model.head)],
               weight_scale(scene)));
  figure.plots = {std::move(scores), std::move(scaled), std::move(weights)};
  return figure;
}

Figure neuron_figure(const Scene& scene) {
  const Model& model = scene.model;
  const Projected& projected = *model.projected;
  const auto at = static_cast<std::size_t>(model.key);
  std::vector<double> q, k, product;
  for (Index i = 0; i < projected.d_k; ++i) {
    q.push_back(static_cast<double>(projected.Q(model.query, model.head * projected.d_k + i)));
    k.push_back(static_cast<double>(projected.K(model.key, model.head * projected.d_k + i)));
    product.push_back(q.back() * k.back());
  }
  // q and k can be compared; their products have a scale of their own.
  const double largest = std::max(largest_size(q), largest_size(k));
  const double largest_product = largest_size(product);
  Figure figure;
  figure.id = "neuron";
  figure.title =
      scene.w.format("Why does {} look at {}?", scene.quoted(model.query), scene.quoted(model.key));
  figure.note = both_words(scene);
  figure.caption = scene.w.format(
      "Head {}, {}: the query's and the key's numbers, and their products, whose sum is the score.",
      model.head + 1, both_words(scene));
  figure.columns = 1;
  figure.span = 8;
  figure.height = 330;
  figure.plots = {strip("q", "q", std::move(q), Role::query, largest),
                  strip("k", "k", std::move(k), Role::key, largest),
                  strip("qk", "q∘k", std::move(product), Role::accent, largest_product)};
  for (Plot& plot : figure.plots) plot.x.link = "dimension";

  using figure::TextStyle;
  figure.footer.push_back(
      {fmt::format("Σ = {:.3f}", model.row.scores[at]), Role::text, TextStyle::mono_bold});
  if (scene.p.scaled || scene.p.temperature != 1) {
    std::string by = scene.p.scaled ? fmt::format("÷ √{}", model.d_k()) : std::string();
    if (scene.p.temperature != 1) by += fmt::format(" ÷ {}", scene.p.temperature);
    figure.footer.push_back({fmt::format("{} = {:.3f}", by, model.row.scaled[at]), Role::dim});
  }
  figure.footer.push_back(
      {scene.shown_allowed() ? "softmax → " + weight_text(scene.weight()) : scene.w("masked → 0"),
       Role::accent, TextStyle::mono_bold});
  return figure;
}

std::vector<Figure> figures(const Scene& scene) {
  std::vector<Figure> result;
  result.push_back(heads_figure(scene));
  result.push_back(head_figure(scene));
  result.push_back(neuron_figure(scene));
  result.push_back(links_figure(scene));
  result.push_back(output_figure(scene));
  return result;
}

}  // namespace lab::multi_head
