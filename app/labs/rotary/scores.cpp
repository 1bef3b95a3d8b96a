// What the turned query and key score: over distance, at other places, pair by pair, everywhere.
#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

constexpr Index kMostPlaces = 256;  // places that can be clicked along a curve

// A range of values with room above and below; never empty.
void fit(figure::Axis& axis, double lo, double hi) {
  const double size = std::max({std::abs(lo), std::abs(hi), 1e-6});
  const double room = std::max(0.08 * (hi - lo), 0.02 * size);
  axis.lo = lo - room;
  axis.hi = hi + room;
}

// Points along the curve whose clicks put the pair at their distance.
Points distance_points(const Scene& scene) {
  const Index reach = scene.model.distances;
  const Index step = std::max<Index>(1, (2 * reach + kMostPlaces) / kMostPlaces);
  Points points{{}, {}, Role::text};
  points.radius = 2 * reach > kMostPlaces ? 1.0f : (2 * reach > 96 ? 1.5f : 2.5f);
  for (Index t = -reach / step * step; t <= reach; t += step) {
    points.x.push_back(to_double(t));
    points.y.push_back(scene.model.score_at(t));
    points.picks.push_back(scene.at_distance(t, "score"));
  }
  return points;
}

void add_curve(const Curve& curve, Plot& plot) {
  if (curve.stretch == 1) {
    plot.marks.emplace_back(Line{curve.x, curve.lo, Color(Role::text, 0.8f)});
    return;
  }
  plot.marks.emplace_back(figure::Band{curve.x, curve.lo, curve.hi, Color(Role::text, 0.35f)});
  // Up and down within each stretch.
  Line line{{}, {}, Color(Role::text, 0.5f), 1};
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    line.x.insert(line.x.end(), 2, curve.x[k]);
    line.y.push_back(k % 2 == 0 ? curve.lo[k] : curve.hi[k]);
    line.y.push_back(k % 2 == 0 ? curve.hi[k] : curve.lo[k]);
  }
  plot.marks.emplace_back(std::move(line));
}

}  // namespace

Figure score_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Curve& curve = *model.curve;
  const double reach = to_double(model.distances), t = to_double(model.distance);
  Figure figure = new_figure("score", w("Score over distance"), {.span = 8, .height = 270});
  figure.note = w.format("distance {}: {:.3f}", model.distance, model.score);
  figure.caption = w.format(
      "The score of the turned q and k over the distance n - m of their positions, key minus "
      "query; marked: distance {}, score {:.3f}.",
      model.distance, model.score);
  Plot plot{.id = "score", .x = {w("key - query, n - m (positions)"), -reach, reach}};
  plot.y.label = w("q·k after the turn");
  fit(plot.y, curve.lowest, curve.highest);
  if (curve.stretch > 1) {
    plot.note = w.format("each point stands for {} distances, from their lowest to their highest",
                         curve.stretch);
  }
  add_curve(curve, plot);
  plot.marks.emplace_back(distance_points(scene));
  plot.marks.emplace_back(Rule{true, t, Role::accent});
  plot.marks.emplace_back(figure::Handle{.x = t, .y = model.score, .also = explains("score")});
  return with(std::move(figure), std::move(plot));
}

Figure moved_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Moved& moved = model.moved;
  Figure figure = new_figure("moved", w("Both moved: the same score"), {.span = 4, .height = 270});
  figure.caption = w.format(
      "The score computed from the turned vectors, both moved together; the largest deviation from "
      "the score by distance is {:.1e}.",
      moved.deviation);
  Plot plot{.id = "moved"};
  plot.note = w.format("largest deviation {:.1e}", moved.deviation);
  plot.x = {w("the earlier one stands at"), 1, kLastPosition, figure::AxisScale::log};
  plot.y.label = w("q·k after the turn");
  fit(plot.y, std::min(model.curve->lowest, model.score),
      std::max(model.curve->highest, model.score));
  Points points{moved.places, moved.scores, Role::text};
  for (const double place : moved.places) {
    points.picks.push_back(sets("moved_to", place, "explain", "score"));
  }
  plot.marks.emplace_back(
      Line{{1, kLastPosition}, {model.score, model.score}, Color(Role::text, 0.4f)});
  plot.marks.emplace_back(std::move(points));
  plot.marks.emplace_back(figure::Handle{.x = to_double(p.moved_to),
                                         .y = moved.own,
                                         .x_param = "moved_to",
                                         .label = fmt::format("{:.3f}", moved.own)});
  return with(std::move(figure), std::move(plot));
}

Figure terms_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("terms", w("What each pair adds"), {.span = 7, .height = 250});
  figure.note = w.format("their sum is {:.3f}", model.score);
  figure.caption = w.format(
      "At distance {} each pair adds |q||k| times the cosine of the angle between its hands; the "
      "sum is the score {:.3f}.",
      model.distance, model.score);
  figure::Bars bars{{}, Role::dim};
  bars.marked = p.pair;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    bars.values.push_back(model.pairs[i].term(to_double(model.distance)));
    bars.picks.push_back(sets("pair", i, "explain", "dial"));
  }
  const double largest = std::max(largest_size(bars.values), 1e-6);
  Plot plot{.id = "terms"};
  plot.x = cell_axis(w("pair"), static_cast<Index>(bars.values.size()));
  plot.y = {w("part of q·k"), -largest, largest};
  plot.marks.emplace_back(std::move(bars));
  return with(std::move(figure), std::move(plot));
}

Figure every_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("every", w("One diagonal, one score"), {.span = 5, .height = 300});
  figure.caption = w.format(
      "The score of this q and k with the query at each position (row) and the key at each "
      "(column), 0 to {}: every diagonal, one distance, has one colour.",
      model.places);
  const PairMap map{.queries = model.places + 1,
                    .keys = model.places + 1,
                    .query = p.m,
                    .key = p.n,
                    .pinned = true,
                    .pool = p.pool,
                    .query_label = w("query at m"),
                    .key_label = w("key at n"),
                    .query_link = "query_place",
                    .key_link = "key_place",
                    .query_param = "m",
                    .key_param = "n"};
  Plot plot = map.plot("every", "", model.every,
                       signed_scale(static_cast<float>(model.every_largest)), explains("score"));
  plot.x.marked = plot.y.marked = -1;  // positions have no names
  return with(std::move(figure), std::move(plot));
}

// The text's attention without position, with it, and the difference.
Figure text_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const TextModel& text = *model.text;
  const bool xpos = p.text_scheme == TextScheme::xpos;
  const MatrixD difference = text.turned.weights - text.none.weights;
  // One scale for both, so that they can be compared.
  const figure::ColorScale weights =
      weight_scale(std::max(text.none.weights.maxCoeff(), text.turned.weights.maxCoeff()));
  const auto mask = p.causal
                        ? std::make_shared<const core::Mask>(core::Mask::causal(text.n(), text.n()))
                        : nullptr;
  const PairMap map{.queries = text.n(),
                    .keys = text.n(),
                    .labels = text.labels,
                    .query = p.query,
                    .key = p.key,
                    .pinned = true,
                    .pool = p.pool,
                    .query_label = w("query"),
                    .key_label = w("key")};
  const auto plot = [&](std::string id, std::string title, const MatrixD& cells,
                        const figure::ColorScale& scale) {
    return map.plot(std::move(id), std::move(title),
                    std::make_shared<figure::DenseSource>(cells.cast<float>(), mask), scale,
                    explains("weight"));
  };
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
  return with(std::move(figure), plot("none", w("without position"), text.none.weights, weights),
              plot("turned", xpos ? w("with xPos") : w("with RoPE"), text.turned.weights, weights),
              plot("difference", w("difference"), difference,
                   signed_scale(static_cast<float>(difference.cwiseAbs().maxCoeff()))));
}

}  // namespace lab::rotary
