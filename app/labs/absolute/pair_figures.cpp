// What positions do to the scores of words, and what moving the words does.
#include "app/labs/absolute/page.h"
#include "core/enum_array.h"

namespace lab::absolute {
namespace {

constexpr core::EnumArray<Term, const char*> kTerms{
    {"content_content", "content_position", "position_content", "position_position"}};

// The four terms in the order of kTerms, scaled.
std::vector<MatrixD> scaled_terms(const Pairs& pairs) {
  return each(to_index(kTerms.size()),
              [&](Index k) -> MatrixD { return pairs.scale() * pairs.term(static_cast<Term>(k)); });
}

Plot pair_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
               const ColorScale& scale, Assignments also) {
  const auto& [p, model, w] = scene;
  const PairMap map =
      token_map(model.pairs->n(), model.pairs->labels, {model.query, model.key}, p.pool, w);
  return map.plot(std::move(id), std::move(title), cells_of(cells), scale, std::move(also));
}

const ColorScale kToOne{.transform = figure::Transform::linear, .lo = 0, .hi = 1};

Figure terms_figure(const Scene& scene) {
  const auto& w = scene.w;
  const Pairs& pairs = *scene.model.pairs;
  Figure figure =
      new_figure("terms", w("A score is the sum of four terms"), {.height = 560, .columns = 3});
  figure.note = pairs.joining == Joining::concatenated ? w("token and position concatenated")
                                                       : w("token and position added");
  figure.caption = w.format(
      "The four terms of the scores of every query (row) with every key (column), divided by √{}: "
      "word with word, word with position, position with word, position with position, on one "
      "colour scale; their sum, and the attention weights.",
      pairs.d_k());
  const std::vector<MatrixD> terms = scaled_terms(pairs);
  double largest = 0;
  for (const MatrixD& term : terms) largest = std::max(largest, term.cwiseAbs().maxCoeff());
  const auto scale = signed_scale(largest);
  const auto plot = [&](std::size_t k, std::string title) {
    return pair_plot(scene, kTerms[k], std::move(title), terms[k], scale,
                     sets("explain", "score", "term", kTerms[k]));
  };
  return with(
      std::move(figure), plot(0, w("x·x: word, word")), plot(1, w("x·p: word, position")),
      pair_plot(scene, "score_sum", w("score: their sum"), pairs.scores, signed_scale(pairs.scores),
                explains("score")),
      plot(2, w("p·x: position, word")), plot(3, w("p·p: positions")),
      pair_plot(scene, "position_weights", w("softmax"), pairs.weights, kToOne, explains("score")));
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
  Bars bars{.color = Role::dim, .marked = to_int(p.term)};
  for (const MatrixD& term : scaled_terms(*model.pairs)) bars.values.push_back(term(i, j));
  bars.values.push_back(model.pairs->scores(i, j));
  for (const char* id : kTerms) bars.picks.push_back(sets("term", id, "explain", "score"));
  bars.picks.push_back(explains("score"));
  Extent extent{0, 0};
  extent.add(bars.values);
  Plot plot{.id = "pair_bars",
            .x = cell_axis("", 5),
            .y = value_axis(w.format("term / √{}", model.pairs->d_k()), 1.15 * extent.lo,
                            1.15 * extent.hi),
            .marks = {std::move(bars)}};
  plot.x.labels =
      labels(std::vector<std::string>{w("x·x"), w("x·p"), w("p·x"), w("p·p"), w("score")});
  return with(std::move(figure), std::move(plot));
}

Figure weights_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("weights", w("The weights without positions"), {.span = 6, .height = 330});
  figure.caption = w("The attention weights from the words alone, for comparison.");
  return with(std::move(figure),
              pair_plot(scene, "content_weights", w("softmax of x·x"),
                        scene.model.pairs->content_weights, kToOne, explains("score")));
}

// The weights in the new order. Its rows are other words: the picked pair stands where the words
// went, and a click would lie.
Plot moved_plot(const Scene& scene) {
  const core::MovedTokens& order = *scene.model.order;
  Plot plot = pair_plot(scene, "order_after", scene.w("in the new order"), order.after, kToOne, {});
  plot.x.labels = plot.y.labels =
      labels(each(order.order, [&](Index home) { return scene.word(home); }));
  plot.x.link = plot.y.link = "";
  auto& map = std::get<Heatmap>(plot.marks.front());
  map.row_param = map.col_param = "";
  map.pinned = {order.place(scene.model.query), order.place(scene.model.key)};
  plot.y.marked = to_int(map.pinned->first);
  plot.x.marked = to_int(map.pinned->second);
  return plot;
}

Figure permuted_figure(const Scene& scene) {
  const auto& w = scene.w;
  const core::MovedTokens& order = *scene.model.order;
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
                        const ColorScale& scale) {
    return pair_plot(scene, id, std::move(title), cells, scale, explains("order"));
  };
  return with(std::move(figure), plot("order_before", w("as they stand"), order.before, kToOne),
              moved_plot(scene), plot("order_back", w("put back"), order.after_at_home, kToOne),
              plot("order_difference", w("difference"), difference,
                   signed_scale(std::max(order.weight_change, 1e-3))));
}

Figure output_figure(const Scene& scene) {
  const auto& w = scene.w;
  const core::MovedTokens& order = *scene.model.order;
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
  figure.plots = {strip("output_before", w("before"), before, Role::value, largest),
                  strip("output_after", w("after"), after, Role::value, largest),
                  strip("output_pooled", w("Δ mean"), pooled, Role::dim, largest)};
  for (Plot& plot : figure.plots) {
    plot.x.link = "dimension";
    std::get<Bars>(plot.marks.front()).numbers = scene.p.width <= 16;
  }
  return figure;
}

// --- how long a sequence stays distinguishable

constexpr double kLeastDistance = 1e-7;  // on a logarithmic axis; 0 is drawn here

double drawn_distance(const core::Lag& lag) { return std::max(lag.distance, kLeastDistance); }

// The smallest distance as a staircase over the length, which is one more than the lag.
Line staircase(const std::vector<core::Lag>& records, double last_length) {
  Line line;
  for (std::size_t k = 0; k < records.size(); ++k) {
    const double y = drawn_distance(records[k]);
    const bool last = k + 1 == records.size();
    line.x.push_back(to_double(records[k].lag + 1));
    line.x.push_back(last ? last_length : to_double(records[k + 1].lag + 1));
    line.y.insert(line.y.end(), {y, y});
  }
  return line;
}

Figure separation_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Collisions& c = *model.collisions;
  const double last = std::max<double>(3, to_double(c.records.back().lag + 1));
  const double length = std::max(
      last, p.grid() ? std::max(p.grid_height, p.grid_width) : to_double(model.table->filled));
  Figure figure = new_figure("separation", w("The two nearest positions, against length"),
                             {.span = 7, .height = 340});
  figure.note = w.format("dashed: {}", short_number(p.threshold));
  figure.caption = w.format(
      "The smallest distance between any two of n encodings in a row, wherever the row begins; it "
      "can only fall as n grows. Points are distances at which it falls. Threshold {}.",
      short_number(p.threshold));
  Extent extent{p.threshold, 1};
  if (c.distance.size() > 0) extent.add(std::max(c.distance.maxCoeff(), kLeastDistance));
  extent.add(drawn_distance(c.records.back()));
  for (const auto& records : c.sizes.width_records) {
    if (records.empty()) continue;
    extent.add(drawn_distance(records.front()));
    extent.add(drawn_distance(records.back()));
  }
  Plot plot{
      .id = "separation_curve",
      .x = log_axis(p.grid() ? w("places along an axis") : w("length n (positions)"), 2, length),
      .y = log_axis(w("smallest distance"), extent.lo / 2, 2 * extent.hi)};
  for (std::size_t k = 0; k < c.sizes.width_records.size(); ++k) {
    if (c.sizes.widths[k] == p.width) continue;
    Line line = staircase(c.sizes.width_records[k], length);
    line.color = Color::of_head(to_int(k), 0.8f);
    line.label = w.format("d = {}", c.sizes.widths[k]);
    plot.add(std::move(line));
  }
  Line own = staircase(c.records, length);
  own.width = 2.2f;
  own.label = w.format("d = {}", p.width);
  Points points{.color = Role::text};
  for (const core::Lag& lag : c.records) {
    points.add(lag.lag + 1, drawn_distance(lag), sets("lag", lag.lag, "explain", "distance"));
  }
  plot.add(std::move(own));
  plot.add(Rule{false, p.threshold, Role::bad});
  plot.add(std::move(points));
  return with(std::move(figure), std::move(plot));
}

Figure lag_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Collisions& c = *model.collisions;
  Figure figure = new_figure("distances", w("Distance of encodings"), {.span = 5, .height = 340});
  figure.caption = model.table->sinusoidal || p.grid()
                       ? w("The distance |PE(p+t) - PE(p)|, the same for every p.")
                       : w("The smallest distance |p(k+t) - p(k)| over all positions k.");
  const Index count = std::min<Index>(p.window, c.distance.size());
  const Index begin = std::clamp<Index>(p.lag - count / 2 - 1, 0, c.distance.size() - count);
  const VectorD shown = c.distance.segment(begin, count);
  const Index first = begin + 1, last = begin + count;
  if (count < c.distance.size()) figure.note = w.format("{} to {}", first, last);
  Plot plot{.id = "distance_curve",
            .x = value_axis(w("distance t (positions)"), first, last),
            .y = {w("|PE(p+t) - PE(p)|"), 0, 1.08 * std::max(shown.maxCoeff(), 1e-6)},
            .marks = {curve_of(shown, first), Rule{false, p.threshold, Role::bad}},
            .click = explains("distance"),
            .x_param = "lag"};
  if (p.lag > begin && p.lag <= begin + count) plot.add(picked_point(p.lag, c.distance(p.lag - 1)));
  return with(std::move(figure), std::move(plot));
}

// Lengths over widths or bases; where no two were found the point stands, faint, at the edge of
// the search.
Plot comparison(const Scene& scene, std::string id, std::string label, const char* param,
                const std::vector<double>& values, const std::vector<double>& lengths, double now) {
  const Index searched = scene.model.collisions->sizes.searched;
  const double edge = to_double(searched);
  Plot plot{
      .id = std::move(id),
      .x = log_axis(std::move(label), 0.8 * values.front(), 1.25 * values.back()),
      .y = log_axis(scene.w("positions told apart"), 1, 8 * edge),
      .marks = {Rule{false, edge, Role::dim, true, scene.w.format("none up to {}", searched)}}};
  Points found{.color = Role::text, .radius = 4}, none{.color = Role::faint, .radius = 4};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool there = std::isfinite(lengths[k]);
    Points& points = there ? found : none;
    points.add(values[k], there ? lengths[k] : edge, sets(param, values[k]));
  }
  if (now >= plot.x.lo && now <= plot.x.hi) plot.add(Rule{true, now, Role::accent});
  plot.add(std::move(none));
  plot.add(std::move(found));
  return plot;
}

Figure comparison_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Collisions& c = *model.collisions;
  Figure figure = new_figure("lengths", w("How many positions in a row are told apart"),
                             {.height = 300, .columns = 2});
  figure.note = w.format("no two closer than {}", short_number(p.threshold));
  figure.caption = w.format(
      "The number of positions in a row of which no two encodings are closer than {}: for several "
      "widths at base {}, and for several bases at width {}. Faint: no such pair up to {} "
      "positions.",
      short_number(p.threshold), p.base, p.width, c.sizes.searched);
  return with(
      std::move(figure),
      comparison(scene, "length_by_width", w("width d"), "width",
                 {c.sizes.widths.begin(), c.sizes.widths.end()}, c.sizes.width_lengths, p.width),
      comparison(scene, "length_by_base", w("base"), "base", c.sizes.bases, c.sizes.base_lengths,
                 p.base));
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

std::vector<Figure> collision_figures(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  if (c.records.empty()) return {};
  std::vector<Figure> figures = {separation_figure(scene), lag_figure(scene)};
  if (!c.sizes.widths.empty()) figures.push_back(comparison_figure(scene));
  return figures;
}

}  // namespace lab::absolute
