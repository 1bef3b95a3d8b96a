// What positions do to the scores of words, and what moving the words does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;

Plot pair_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
               const figure::ColorScale& scale, const char* explained) {
  const Pairs& pairs = *scene.model.pairs;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.square = true;
  plot.x = cell_axis(scene.w("key"), pairs.n(), "key");
  plot.y = cell_axis(scene.w("query"), pairs.n(), "query");
  plot.x.labels = plot.y.labels = pairs.labels;
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  plot.x.marked = static_cast<int>(scene.model.key);
  plot.y.marked = static_cast<int>(scene.model.query);
  figure::Heatmap map = dense_heatmap(cells.cast<float>(), scale);
  map.row_param = "query";
  map.col_param = "key";
  map.also = explained_by(explained);
  map.pinned = {scene.model.query, scene.model.key};
  map.pool = scene.p.pool;
  plot.marks.emplace_back(std::move(map));
  return plot;
}

figure::ColorScale weight_scale() {
  return {
      .map = figure::MapName::viridis, .transform = figure::Transform::linear, .lo = 0, .hi = 1};
}

float size_of(const MatrixD& m) { return static_cast<float>(m.cwiseAbs().maxCoeff()); }

Figure terms_figure(const Scene& scene) {
  const Pairs& pairs = *scene.model.pairs;
  const double scale = score_scale(pairs);
  const core::AbsoluteTerms& t = pairs.terms;
  Figure figure = new_figure("terms", scene.w("A score is the sum of four terms"),
                             {.height = 560, .columns = 3});
  figure.note = pairs.concatenated ? scene.w("token and position concatenated")
                                   : scene.w("token and position added");
  figure.caption = scene.w.format(
      "The four terms of the scores of every query (row) with every key (column), divided by √{}: "
      "word with word, word with position, position with word, position with position, on one "
      "colour scale; their sum, and the attention weights.",
      pairs.d_k);
  const float largest = static_cast<float>(scale) *
                        std::max({size_of(t.content_content), size_of(t.content_position),
                                  size_of(t.position_content), size_of(t.position_position)});
  const auto add = [&](const char* id, std::string title, const MatrixD& term) {
    Plot plot =
        pair_plot(scene, id, std::move(title), scale * term, signed_scale(largest), "score");
    std::get<figure::Heatmap>(plot.marks.front()).also.emplace_back("term", id);
    figure.plots.push_back(std::move(plot));
  };
  add("content_content", scene.w("x·x: word, word"), t.content_content);
  add("content_position", scene.w("x·p: word, position"), t.content_position);
  figure.plots.push_back(pair_plot(scene, "score_sum", scene.w("score: their sum"), pairs.scores,
                                   signed_scale(size_of(pairs.scores)), "score"));
  add("position_content", scene.w("p·x: position, word"), t.position_content);
  add("position_position", scene.w("p·p: positions"), t.position_position);
  figure.plots.push_back(pair_plot(scene, "position_weights", scene.w("softmax"), pairs.weights,
                                   weight_scale(), "score"));
  return figure;
}

Figure pair_figure(const Scene& scene) {
  const Pairs& pairs = *scene.model.pairs;
  const Index i = scene.model.query, j = scene.model.key;
  const double scale = score_scale(pairs);
  const core::AbsoluteTerms& t = pairs.terms;
  Figure figure =
      new_figure("pair", scene.w.format("Why \"{}\" scores \"{}\"", scene.word(i), scene.word(j)),
                 {.span = 6, .height = 330});
  figure.caption = scene.w.format(
      "The four terms of the score of query \"{}\" ({}) with key \"{}\" ({}), and their sum.",
      scene.word(i), i, scene.word(j), j);
  figure::Bars bars;
  bars.values = {scale * t.content_content(i, j), scale * t.content_position(i, j),
                 scale * t.position_content(i, j), scale * t.position_position(i, j),
                 pairs.scores(i, j)};
  bars.color = Role::dim;
  bars.marked = static_cast<int>(scene.p.term);
  for (const char* id :
       {"content_content", "content_position", "position_content", "position_position"}) {
    bars.picks.push_back({{"term", id}, {"explain", "score"}});
  }
  bars.picks.push_back({{"explain", "score"}});
  double lo = 0, hi = 0;
  for (const double v : bars.values) {
    lo = std::min(lo, v);
    hi = std::max(hi, v);
  }
  Plot plot{.id = "pair_bars"};
  plot.x = cell_axis("", 5);
  plot.x.labels = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{
      scene.w("x·x"), scene.w("x·p"), scene.w("p·x"), scene.w("p·p"), scene.w("score")});
  plot.y = value_axis(scene.w.format("term / √{}", pairs.d_k), 1.15 * lo, 1.15 * hi);
  plot.marks.emplace_back(std::move(bars));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure weights_figure(const Scene& scene) {
  Figure figure =
      new_figure("weights", scene.w("The weights without positions"), {.span = 6, .height = 330});
  figure.caption = scene.w("The attention weights from the words alone, for comparison.");
  figure.plots = {pair_plot(scene, "content_weights", scene.w("softmax of x·x"),
                            scene.model.pairs->content_weights, weight_scale(), "score")};
  return figure;
}

// The words in the order in which the moved sequence has them.
figure::Labels moved_labels(const Scene& scene) {
  std::vector<std::string> labels;
  for (const Index home : scene.model.order->moved) labels.push_back(scene.word(home));
  return std::make_shared<const std::vector<std::string>>(std::move(labels));
}

Figure permuted_figure(const Scene& scene) {
  const Order& order = *scene.model.order;
  Figure figure = new_figure("order",
                             scene.p.with_position ? scene.w("Moving the words, positions stay")
                                                   : scene.w("Moving the words, without positions"),
                             {.height = 290, .columns = 4});
  figure.note = scene.w.format("largest change of a weight: {}", short_number(order.weight_change));
  figure.caption = scene.w.format(
      "Attention weights of the words in their order, in the new order, the latter with rows and "
      "columns put back to the words they belong to, and the difference, at most {}.",
      short_number(order.weight_change));
  Plot after = pair_plot(scene, "order_after", scene.w("in the new order"), order.after,
                         weight_scale(), "order");
  after.x.labels = after.y.labels = moved_labels(scene);
  after.x.link = after.y.link = "";
  auto& map = std::get<figure::Heatmap>(after.marks.front());
  // Its rows are other words: the picked pair stands where the words went, and a click would lie.
  map.row_param = map.col_param = "";
  map.also = {};
  const auto place = [&](Index home) {
    return std::find(order.moved.begin(), order.moved.end(), home) - order.moved.begin();
  };
  map.pinned = {place(scene.model.query), place(scene.model.key)};
  after.y.marked = static_cast<int>(map.pinned->first);
  after.x.marked = static_cast<int>(map.pinned->second);
  const MatrixD difference = order.after_at_home - order.before;
  figure.plots = {pair_plot(scene, "order_before", scene.w("as they stand"), order.before,
                            weight_scale(), "order"),
                  std::move(after),
                  pair_plot(scene, "order_back", scene.w("put back"), order.after_at_home,
                            weight_scale(), "order"),
                  pair_plot(scene, "order_difference", scene.w("difference"), difference,
                            signed_scale(std::max(size_of(difference), 1e-3f)), "order")};
  return figure;
}

Figure output_figure(const Scene& scene) {
  const Order& order = *scene.model.order;
  const Index i = scene.model.query;
  Figure figure = new_figure("outputs", scene.w.format("The output of \"{}\"", scene.word(i)));
  figure.note =
      scene.w.format("largest change of an output: {}", short_number(order.output_change));
  figure.caption = scene.w.format(
      "The output of \"{}\" (position {}), the average of the words by its weights, before and "
      "after the words are moved, and the mean of all outputs after minus before.",
      scene.word(i), i);
  figure.columns = 1;
  figure.height = 300;
  const VectorD before = order.output_before.row(i), after = order.output_after.row(i);
  const VectorD pooled = order.output_after.colwise().mean() - order.output_before.colwise().mean();
  const double largest = std::max(before.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
  figure.plots = {strip("output_before", scene.w("before"), doubles(before), Role::value, largest),
                  strip("output_after", scene.w("after"), doubles(after), Role::value, largest),
                  strip("output_pooled", scene.w("Δ mean"), doubles(pooled), Role::dim, largest)};
  for (Plot& plot : figure.plots) {
    plot.x.link = "dimension";
    std::get<figure::Bars>(plot.marks.front()).numbers = scene.p.width <= 16;
  }
  return figure;
}

}  // namespace

std::vector<Figure> score_figures(const Scene& scene) {
  if (!scene.model.pairs) return {};
  return {terms_figure(scene), pair_figure(scene), weights_figure(scene)};
}

std::vector<Figure> order_figures(const Scene& scene) {
  if (!scene.model.order) return {};
  return {permuted_figure(scene), output_figure(scene)};
}

}  // namespace lab::absolute
