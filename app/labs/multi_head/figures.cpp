// All heads, one head step by step, and the numbers of one pair.
#include "app/labs/multi_head/page.h"

namespace lab::multi_head {
namespace {

constexpr int kHeadsPerRow = 8;

PairMap pair_map(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return {.queries = model.n(),
          .keys = model.n(),
          .labels = model.sequence->labels,
          .query = model.query,
          .key = model.key,
          .pinned = model.pinned,
          .pool = p.pool,
          .query_label = w("query"),
          .key_label = w("key")};
}

// One scale for all heads, so that they can be compared.
figure::ColorScale weight_colors(const Scene& scene) {
  constexpr figure::MapName kMaps[] = {figure::MapName::viridis, figure::MapName::cividis,
                                       figure::MapName::magma, figure::MapName::grey};
  figure::ColorScale scale = weight_scale(to_double(scene.model.sources->largest_weight));
  scale.map = kMaps[to_size(Index(scene.p.colors))];
  if (scene.p.weight_scale == WeightScale::log) {
    scale.transform = figure::Transform::log;
    // Well below 1/n, the weight of keys that are all alike.
    scale.lo = scale.hi / (30 * static_cast<float>(scene.model.n()));
  }
  return scale;
}

// What happens between the scores and the softmax.
std::string scaled_title(const Scene& scene) {
  constexpr std::string_view kMasks[] = {N_("no mask"), N_("causal mask"), N_("local mask"),
                                         N_("key padding mask"), N_("query padding mask")};
  const auto& [p, model, w] = scene;
  std::string text = w(kMasks[to_size(Index(p.mask))]);
  const auto before = [&text, &words = scene.w](const std::string& step) {
    text = words.format("{}, {}", step, text);
  };
  if (p.temperature != 1) before(w.format("temperature {}", p.temperature));
  if (p.scaled) before(w("scaled by 1/√d_k"));
  if (!scene.divides()) before(w("not scaled"));
  return text;
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  // Rows that are equally full: ten heads are five and five, not eight and two.
  const Index rows = core::ceil_div(p.heads, kHeadsPerRow);
  Figure figure = new_figure("heads", w("All heads"),
                             {.height = 50 + 140 * static_cast<float>(rows),
                              .columns = static_cast<int>(core::ceil_div(p.heads, rows))});
  figure.caption = w.format(
      "The attention weights of all {} heads; row: query, column: key. Entropies are means over "
      "the queries, in nats.",
      p.heads);
  const PairMap map = pair_map(scene);
  for (int head = 0; head < p.heads; ++head) {
    Plot plot = map.plot(fmt::format("head_{}", head + 1), fmt::format("{}", head + 1));
    plot.note = w.format("entropy {:.2f}", mean_entropy(*model.heads, head));
    plot.thumbnail = true;
    plot.selected = head == model.head;
    plot.click = sets("head", head + 1);
    plot.marks.emplace_back(figure::Heatmap{.source = model.sources->weights[to_size(head)],
                                            .scale = weight_colors(scene),
                                            .pool = p.pool,
                                            .color_bar = false});
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Figure head_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const HeadSources& sources = *model.head_sources;
  const double scale = std::abs(to_double(model.heads->scale()));
  Figure figure = new_figure("head", w.format("Head {}, step by step", model.head + 1),
                             {.height = 390, .columns = 3});
  figure.caption = w.format(
      "Head {}: the scores of every query (row) with every key (column), what is left of them "
      "after scaling and mask, and the weights that softmax makes of each row.",
      model.head + 1);
  const PairMap map = pair_map(scene);
  const auto largest_scaled = static_cast<float>(to_double(sources.largest_score) * scale);
  return with(
      std::move(figure),
      map.plot("scores", w("scores q·k"), sources.scores, signed_scale(sources.largest_score)),
      map.plot("scaled", scaled_title(scene), sources.scaled, signed_scale(largest_scaled)),
      map.plot("weights", w("weights softmax"), model.sources->weights[to_size(model.head)],
               weight_colors(scene)));
}

std::vector<double> doubles(const Matrix& row) { return {row.data(), row.data() + row.size()}; }

Figure neuron_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string both =
      w.format("query {}, key {}", scene.indexed(model.query), scene.indexed(model.key));
  Figure figure = new_figure(
      "neuron",
      w.format("Why does {} look at {}?", scene.quoted(model.query), scene.quoted(model.key)),
      {.span = 8, .height = 330, .columns = 1});
  figure.note = both;
  figure.caption = w.format(
      "Head {}, {}: the query's and the key's numbers, and their products, whose sum is the score.",
      model.head + 1, both);
  const std::vector<double> q = scene.q(), k = scene.k();
  std::vector<double> product;
  for (std::size_t i = 0; i < q.size(); ++i) product.push_back(q[i] * k[i]);
  // q and k can be compared; their products have a scale of their own.
  const double largest = std::max(largest_size(q), largest_size(k));
  const double largest_product = largest_size(product);
  figure.plots = {strip("q", "q", q, Role::query, largest), strip("k", "k", k, Role::key, largest),
                  strip("qk", "q∘k", std::move(product), Role::accent, largest_product)};
  for (Plot& plot : figure.plots) plot.x.link = "dimension";

  const std::size_t at = to_size(model.key);
  figure.footer = {
      {fmt::format("Σ = {}", fixed(model.row.scores[at])), Role::text, TextStyle::mono_bold}};
  if (scene.divides()) {
    std::string by = p.scaled ? fmt::format("÷ √{}", model.d_k()) : std::string();
    if (p.temperature != 1) by += fmt::format(" ÷ {}", p.temperature);
    figure.footer.push_back({fmt::format("{} = {}", by, fixed(model.row.scaled[at])), Role::dim});
  }
  figure.footer.push_back(
      {scene.shown_allowed() ? "softmax → " + weight_text(scene.weight()) : w("masked → 0"),
       Role::accent, TextStyle::mono_bold});
  return figure;
}

}  // namespace

std::vector<double> Scene::q() const {
  return doubles(model.projected->q(model.query, model.head));
}

std::vector<double> Scene::k() const { return doubles(model.projected->k(model.key, model.head)); }

std::string Scene::name(Index token) const {
  const figure::Labels& labels = model.sequence->labels;
  return labels ? (*labels)[to_size(token)] : fmt::format("{}", token);
}

std::string Scene::quoted(Index token) const {
  return model.sequence->labels ? w.format("\"{}\"", name(token)) : w.format("token {}", token);
}

std::string Scene::indexed(Index token) const {
  return model.sequence->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::vector<Figure> figures(const Scene& scene) {
  return {heads_figure(scene), head_figure(scene), neuron_figure(scene), links_figure(scene),
          output_figure(scene)};
}

}  // namespace lab::multi_head
