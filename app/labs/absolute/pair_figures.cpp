// What positions do to the scores of words, and what moving the words does.
#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

constexpr const char* kTerms[] = {"content_content", "content_position", "position_content",
                                  "position_position"};

// The four terms in the order of kTerms, scaled.
std::vector<MatrixD> scaled_terms(const Pairs& pairs) {
  const core::AbsoluteTerms& t = pairs.terms;
  const double scale = pairs.scale();
  return {scale * t.content_content, scale * t.content_position, scale * t.position_content,
          scale * t.position_position};
}

Plot pair_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
               const figure::ColorScale& scale, figure::Assignments also) {
  const auto& [p, model, w] = scene;
  const PairMap map{.queries = model.pairs->n(),
                    .keys = model.pairs->n(),
                    .labels = model.pairs->labels,
                    .query = model.query,
                    .key = model.key,
                    .pinned = true,
                    .pool = p.pool,
                    .query_label = w("query"),
                    .key_label = w("key")};
  return map.plot(std::move(id), std::move(title), kept(cells), scale, std::move(also));
}

figure::ColorScale to_one() { return {.transform = figure::Transform::linear, .lo = 0, .hi = 1}; }

figure::ColorScale about_zero(const MatrixD& cells, double least = 0) {
  return signed_scale(static_cast<float>(std::max(cells.cwiseAbs().maxCoeff(), least)));
}

Figure terms_figure(const Scene& scene) {
  const auto& w = scene.w;
  const Pairs& pairs = *scene.model.pairs;
  Figure figure =
      new_figure("terms", w("A score is the sum of four terms"), {.height = 560, .columns = 3});
  figure.note =
      pairs.concatenated ? w("token and position concatenated") : w("token and position added");
  figure.caption = w.format(
      "The four terms of the scores of every query (row) with every key (column), divided by √{}: "
      "word with word, word with position, position with word, position with position, on one "
      "colour scale; their sum, and the attention weights.",
      pairs.d_k);
  const std::vector<MatrixD> terms = scaled_terms(pairs);
  double largest = 0;
  for (const MatrixD& term : terms) largest = std::max(largest, term.cwiseAbs().maxCoeff());
  const auto scale = signed_scale(static_cast<float>(largest));
  const auto plot = [&](std::size_t k, std::string title) {
    return pair_plot(scene, kTerms[k], std::move(title), terms[k], scale,
                     sets("explain", "score", "term", kTerms[k]));
  };
  return with(std::move(figure), plot(0, w("x·x: word, word")), plot(1, w("x·p: word, position")),
              pair_plot(scene, "score_sum", w("score: their sum"), pairs.scores,
                        about_zero(pairs.scores), explains("score")),
              plot(2, w("p·x: position, word")), plot(3, w("p·p: positions")),
              pair_plot(scene, "position_weights", w("softmax"), pairs.weights, to_one(),
                        explains("score")));
}

Figure pair_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index i = model.query, j = model.key;
  Figure figure =
      new_figure("pair", w.format("Why \"{}\" scores \"{}\"", scene.word(i), scene.word(j)),
                 {.span = 6, .height = 330});
  figure.caption = w.format(
      "The four terms of the score of query \"{}\" ({}) with key \"{}\" ({}), and their sum.",
      scene.word(i), i, scene.word(j), j);
  figure::Bars bars{.color = Role::dim, .marked = static_cast<int>(p.term)};
  for (const MatrixD& term : scaled_terms(*model.pairs)) bars.values.push_back(term(i, j));
  bars.values.push_back(model.pairs->scores(i, j));
  for (const char* id : kTerms) bars.picks.push_back(sets("term", id, "explain", "score"));
  bars.picks.push_back(explains("score"));
  Extent extent{0, 0};
  extent.add(bars.values);
  Plot plot{
      .id = "pair_bars",
      .x = cell_axis("", 5),
      .y = value_axis(w.format("term / √{}", model.pairs->d_k), 1.15 * extent.lo, 1.15 * extent.hi),
      .marks = {std::move(bars)}};
  plot.x.labels = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{w("x·x"), w("x·p"), w("p·x"), w("p·p"), w("score")});
  return with(std::move(figure), std::move(plot));
}

Figure weights_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("weights", w("The weights without positions"), {.span = 6, .height = 330});
  figure.caption = w("The attention weights from the words alone, for comparison.");
  return with(std::move(figure),
              pair_plot(scene, "content_weights", w("softmax of x·x"),
                        scene.model.pairs->content_weights, to_one(), explains("score")));
}

// The weights in the new order. Its rows are other words: the picked pair stands where the words
// went, and a click would lie.
Plot moved_plot(const Scene& scene) {
  const Order& order = *scene.model.order;
  std::vector<std::string> labels;
  for (const Index home : order.moved) labels.push_back(scene.word(home));
  Plot plot =
      pair_plot(scene, "order_after", scene.w("in the new order"), order.after, to_one(), {});
  plot.x.labels = plot.y.labels =
      std::make_shared<const std::vector<std::string>>(std::move(labels));
  plot.x.link = plot.y.link = "";
  auto& map = std::get<figure::Heatmap>(plot.marks.front());
  map.row_param = map.col_param = "";
  map.pinned = {order.place(scene.model.query), order.place(scene.model.key)};
  plot.y.marked = static_cast<int>(map.pinned->first);
  plot.x.marked = static_cast<int>(map.pinned->second);
  return plot;
}

Figure permuted_figure(const Scene& scene) {
  const auto& w = scene.w;
  const Order& order = *scene.model.order;
  Figure figure = new_figure("order",
                             scene.p.with_position ? w("Moving the words, positions stay")
                                                   : w("Moving the words, without positions"),
                             {.height = 290, .columns = 4});
  figure.note = w.format("largest change of a weight: {}", short_number(order.weight_change));
  figure.caption = w.format(
      "Attention weights of the words in their order, in the new order, the latter with rows and "
      "columns put back to the words they belong to, and the difference, at most {}.",
      short_number(order.weight_change));
  const MatrixD difference = order.after_at_home - order.before;
  const auto plot = [&](const char* id, std::string title, const MatrixD& cells,
                        const figure::ColorScale& scale) {
    return pair_plot(scene, id, std::move(title), cells, scale, explains("order"));
  };
  return with(std::move(figure), plot("order_before", w("as they stand"), order.before, to_one()),
              moved_plot(scene), plot("order_back", w("put back"), order.after_at_home, to_one()),
              plot("order_difference", w("difference"), difference, about_zero(difference, 1e-3)));
}

Figure output_figure(const Scene& scene) {
  const auto& w = scene.w;
  const Order& order = *scene.model.order;
  const Index i = scene.model.query;
  Figure figure = new_figure("outputs", w.format("The output of \"{}\"", scene.word(i)),
                             {.height = 300, .columns = 1});
  figure.note = w.format("largest change of an output: {}", short_number(order.output_change));
  figure.caption = w.format(
      "The output of \"{}\" (position {}), the average of the words by its weights, before and "
      "after the words are moved, and the mean of all outputs after minus before.",
      scene.word(i), i);
  const VectorD before = order.output_before.row(i), after = order.output_after.row(i);
  const VectorD pooled = order.output_after.colwise().mean() - order.output_before.colwise().mean();
  const double largest = std::max(before.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
  figure.plots = {strip("output_before", w("before"), doubles(before), Role::value, largest),
                  strip("output_after", w("after"), doubles(after), Role::value, largest),
                  strip("output_pooled", w("Δ mean"), doubles(pooled), Role::dim, largest)};
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
