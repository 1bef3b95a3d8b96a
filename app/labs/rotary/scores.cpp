// What the turned query and key score: over distance, at other places, pair by pair, everywhere.
#include "app/labs/rotary/page.h"
#include "app/labs/shared/drawing/token_map.h"

namespace lab::rotary {
namespace {

constexpr Index kMostPlaces = 256;  // places that can be clicked along a curve

// Points along the curve whose clicks put the pair at their distance.
Points distance_points(const Scene& scene) {
  const Index reach = scene.model.distances;
  const Index step = std::max<Index>(1, (2 * reach + kMostPlaces) / kMostPlaces);
  Points points{{}, {}, Role::text};
  points.radius = 2 * reach > kMostPlaces ? 1.0f : (2 * reach > 96 ? 1.5f : 2.5f);
  for (Index t = -reach / step * step; t <= reach; t += step) {
    points.add(t, scene.model.score_at(t), scene.at_distance(t, "score"));
  }
  return points;
}

void add_curve(const Curve& curve, Plot& plot) {
  if (curve.stretch == 1) {
    plot.add(Line{curve.x, curve.lo, Color(Role::text, 0.8f)});
    return;
  }
  plot.add(Band{curve.x, curve.lo, curve.hi, Color(Role::text, 0.35f)});
  // Up and down within each stretch.
  Line line{{}, {}, Color(Role::text, 0.5f), 1};
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    line.x.insert(line.x.end(), 2, curve.x[k]);
    line.y.push_back(k % 2 == 0 ? curve.lo[k] : curve.hi[k]);
    line.y.push_back(k % 2 == 0 ? curve.hi[k] : curve.lo[k]);
  }
  plot.add(std::move(line));
}

// --- what is said about decay, beside what happens: the bound, random vectors, xPos

constexpr Index kMostPicks = 128;
constexpr double kLeastShare = 1e-3;  // where the logarithmic axis ends
constexpr Index kShownFactors = 4;

Line over_distance(const VectorD& values, Color color, float width, std::string label,
                   double least) {
  Line line{{}, {}, color, width, false, std::move(label)};
  for (Index t = 0; t < values.size(); ++t) line.add(t, std::max(values(t), least));
  return line;
}

// The curve whose values are picked and explained: points whose clicks put the key so far before
// the query, or ahead of it, and the pair's own when it stands on that side.
void add_picks(const Scene& scene, const VectorD& values, Explained explained, std::string_view id,
               bool ahead, Plot& plot) {
  const Index last = values.size() - 1, step = std::max<Index>(1, (last + kMostPicks) / kMostPicks);
  Points points{{}, {}, Role::text, 1};
  for (Index t = 0; t <= last; t += step) {
    points.add(t, values(t), scene.at_distance(ahead ? t : -t, id));
  }
  plot.add(std::move(points));
  const Index own = scene.model.size_of_distance();
  if (own > last || scene.model.ahead() != ahead) return;
  const Color color = scene.p.explained == explained ? Role::accent : Role::dim;
  plot.add(Rule{true, own, color});
  plot.add(Points{{own}, {values(own)}, color, 4});
}

// Which pair each column belongs to under a pairing; columns that do not turn belong to none.
Plot chips(const Scene& scene, std::string id, core::RotaryPairing pairing, std::string lead) {
  const Index d = scene.p.d, rotating = scene.model.theta.size();
  Matrix row(1, d);
  for (Index c = 0; c < d; ++c) {
    const Index pair = pairing == core::RotaryPairing::neighbors ? c / 2 : c % rotating;
    row(0, c) = c < 2 * rotating ? to_float(pair) : core::kMasked;
  }
  Heatmap map = lab::heatmap(row, {.map = MapName::groups, .hi = 256});
  map.color_bar = false;
  Plot plot{.id = std::move(id), .x = cell_axis("", d, "column"), .y = cell_axis("", 1)};
  plot.x.visible = plot.y.visible = false;
  plot.lead = std::move(lead);
  plot.lead_color = pairing == scene.p.pairing ? Role::accent : Role::dim;
  plot.add(std::move(map));
  return plot;
}

Plot vector_strip(const Scene& scene, const char* id, const VectorD& x, Role role, double largest) {
  const Pair& pair = scene.model.chosen(scene.p);
  const std::vector<double> values(x.begin(), x.end());
  Plot plot = strip(id, id, values, Color(role, 0.45f), largest);
  plot.x.link = "column";
  Bars chosen{std::vector<double>(values.size()), role, false};
  for (const Index c : {pair.a, pair.b}) chosen.values[to_size(c)] = values[to_size(c)];
  plot.add(std::move(chosen));
  return plot;
}

Plot factors_plot(const Scene& scene, Axis distances) {
  const VectorD& zeta = scene.model.xpos_curves->zeta;
  const Index pairs = zeta.size(), shown = std::min(pairs, kShownFactors);
  const Index count = scene.model.xpos_curves->rope.size();
  Plot plot{.id = "factors", .x = std::move(distances)};
  plot.y.label = scene.w("factor ζ_i^(t/B)");
  for (Index k = 0; k < shown; ++k) {
    const Index i = shown > 1 ? k * (pairs - 1) / (shown - 1) : 0;
    const VectorD factor = VectorD::NullaryExpr(
        count, [&](Index t) { return std::pow(zeta(i), to_double(t) / scene.p.scale_base); });
    plot.add(
        over_distance(factor, Color::of_head(to_int(k)), 1.5f, scene.w.format("pair {}", i), 0));
  }
  return plot;
}

}  // namespace

Figure score_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Curve& curve = *model.curve;
  const double reach = to_double(model.distances), t = to_double(model.distance);
  Figure figure = new_figure("score", w("Score over distance"), {.span = 8, .height = 270});
  figure.note = w.format("distance {}: {:.3f}", model.distance, model.score);
  figure.caption = w.format(
      "The score of the rotated q and k over the distance n - m of their positions, key minus "
      "query; marked: distance {}, score {:.3f}.",
      model.distance, model.score);
  Plot plot{.id = "score", .x = {w("key - query, n - m (positions)"), -reach, reach}};
  plot.y = fitted_axis(w("q·k after rotation"), {curve.lowest, curve.highest});
  if (curve.stretch > 1) {
    plot.note = w.format("each point covers {} distances, from their lowest to their highest",
                         curve.stretch);
  }
  add_curve(curve, plot);
  plot.add(distance_points(scene));
  plot.add(Rule{true, t, Role::accent});
  plot.add(Handle{.x = t, .y = model.score, .also = explains("score")});
  return with(std::move(figure), std::move(plot));
}

Figure moved_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Moved& moved = model.moved;
  Figure figure = new_figure("moved", w("Both moved: the same score"), {.span = 4, .height = 270});
  figure.caption = w.format(
      "The score computed from the rotated vectors, both moved together; the largest deviation "
      "from the score as a function of distance is {:.1e}.",
      moved.deviation);
  Plot plot{.id = "moved"};
  plot.note = w.format("largest deviation {:.1e}", moved.deviation);
  plot.x = log_axis(w("position of the earlier one"), 1, kLastPosition);
  plot.y.label = w("q·k after rotation");
  fit(plot.y,
      {std::min(model.curve->lowest, model.score), std::max(model.curve->highest, model.score)});
  Points points{moved.places, moved.scores, Role::text};
  for (const double place : moved.places) {
    points.picks.push_back(sets("moved_to", place, "explain", "score"));
  }
  plot.add(Line{{1, kLastPosition}, {model.score, model.score}, Color(Role::text, 0.4f)});
  plot.add(std::move(points));
  plot.add(Handle{.x = to_double(moved.own_place),
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
  Bars bars{{}, Role::dim};
  bars.marked = p.pair;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    bars.values.push_back(model.pairs[i].term(to_double(model.distance)));
    bars.picks.push_back(sets("pair", i, "explain", "dial"));
  }
  const double largest = std::max(largest_size(bars.values), 1e-6);
  Plot plot{.id = "terms"};
  plot.x = cell_axis(w("pair"), to_index(bars.values.size()));
  plot.y = {w("part of q·k"), -largest, largest};
  plot.add(std::move(bars));
  return with(std::move(figure), std::move(plot));
}

Figure every_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("every", w("The score at every two positions"), {.span = 5, .height = 300});
  figure.caption = w.format(
      "The score of this q and k with the query at each position (row) and the key at each "
      "(column), 0 to {}.",
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
  Plot plot =
      map.plot("every", "", model.every, signed_scale(model.every_largest), explains("score"));
  plot.x.marked = plot.y.marked = -1;  // positions have no names
  return with(std::move(figure), std::move(plot));
}

// The text's attention without position, with it, and the difference.
Figure text_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const TextModel& text = *model.text;
  const bool xpos = p.text_variant == Variant::xpos;
  const MatrixD difference = text.rotated.weights - text.none.weights;
  // One scale for both, so that they can be compared.
  const ColorScale weights =
      weight_scale(std::max(text.none.weights.maxCoeff(), text.rotated.weights.maxCoeff()));
  const auto mask =
      p.causal ? std::make_shared<const Mask>(Mask::causal(text.n(), text.n())) : nullptr;
  const PairMap map = token_map(text.n(), text.labels, {p.query, p.key}, p.pool, w);
  const auto plot = [&](std::string id, std::string title, const MatrixD& cells,
                        const ColorScale& scale) {
    return map.plot(std::move(id), std::move(title),
                    std::make_shared<DenseSource>(cells.cast<float>(), mask), scale,
                    explains("weight"));
  };
  Figure figure =
      new_figure("text", w.format("The same words without and with positions, head {}", p.head),
                 {.height = 390, .columns = 3});
  figure.note = w.format("query {}, key {}", scene.token(p.query), scene.token(p.key));
  figure.caption = xpos ? w.format(
                              "Attention weights of head {} without positions, with xPos, and "
                              "their difference; row: query, column: key.",
                              p.head)
                        : w.format(
                              "Attention weights of head {} without positions, with RoPE, and "
                              "their difference; row: query, column: key.",
                              p.head);
  return with(std::move(figure), plot("none", w("without positions"), text.none.weights, weights),
              plot("turned", xpos ? w("with xPos") : w("with RoPE"), text.rotated.weights, weights),
              plot("difference", w("difference"), difference, signed_scale(difference)));
}

Figure decay_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Decay& decay = *model.decay;
  const Index last = decay.bound.size() - 1;
  Figure figure = new_figure("decay", w("Scores over distance"), {.span = 6, .height = 300});
  figure.caption = w.format(
      "The bound of RoFormer's section 3.4.3, the score of this q and k, and the root mean square "
      "and the largest of random pairs ({}), each divided by (r/2) max |h_(i+1) - h_i|. r columns "
      "are rotated; as complex numbers, h_i is pair i of q times the conjugate of pair i of k.",
      p.draws);
  if (2 * model.theta.size() < p.d) {
    figure.caption = w.format(
        "{} {}", figure.caption,
        w("The fixed columns are left out of this score: they add the same at every distance."));
  }
  Plot plot{.id = "decay", .x = value_axis(w("distance |n - m| (positions)"), 0, last)};
  plot.x.link = "size";
  plot.y = log_axis(w("|score|, divided as below (logarithmic)"), kLeastShare,
                    1.5 * decay.bound.maxCoeff());
  if (last < model.distances) plot.note = w.format("the first {} distances", last);
  const auto add = [&](const VectorD& values, Color color, float width, std::string label) {
    plot.add(over_distance(values, color, width, std::move(label), kLeastShare));
  };
  add(decay.largest, Color(Role::dim, 0.55f), 1, w("largest"));
  add(decay.own, Color::of_head(1), 1.5f, w("this q, k"));
  add(decay.mean, Role::dim, 2, w("random"));
  add(decay.bound, Role::text, 2, w("bound"));
  add_picks(scene, decay.bound, Explained::bound, "bound", model.ahead(), plot);
  return with(std::move(figure), std::move(plot));
}

Figure xpos_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& [rope, xpos, zeta] = *model.xpos_curves;
  const double largest = std::max({rope.cwiseAbs().maxCoeff(), xpos.cwiseAbs().maxCoeff(), 1e-6});
  Figure figure = new_figure("xpos", w("xPos: each pair also shrinks"),
                             {.span = 6, .height = 300, .columns = 2});
  figure.note = w.format("γ = {:.3g}, B = {:.4g}", p.gamma, p.scale_base);
  figure.caption = w.format(
      "The score of keys before the query with RoPE and with xPos, whose pair i is multiplied by "
      "ζ_i^(|n - m|/B), γ = {:.3g}, B = {:.4g}; beside it, these factors.",
      p.gamma, p.scale_base);
  Plot scores{
      .id = "xpos",
      .x = value_axis(w("distance |n - m|, key before query (positions)"), 0, rope.size() - 1)};
  scores.x.link = "size";
  scores.y = {w("score"), -1.05 * largest, 1.05 * largest};
  scores.marks = {over_distance(rope, Color(Role::dim, 0.6f), 1, w("RoPE"), -largest),
                  over_distance(xpos, Role::text, 1.5f, w("xPos"), -largest)};
  add_picks(scene, xpos, Explained::xpos, "xpos", false, scores);
  Plot factors = factors_plot(scene, scores.x);
  return with(std::move(figure), std::move(scores), std::move(factors));
}

Figure columns_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pair& pair = model.chosen(p);
  Figure figure =
      new_figure("columns", w("Which columns form a pair"), {.height = 270, .columns = 1});
  figure.note = p.pairing == core::RotaryPairing::neighbors
                    ? w.format("interleaved; pair {} is columns {} and {}", p.pair, pair.a, pair.b)
                    : w.format("half-split; pair {} is columns {} and {}", p.pair, pair.a, pair.b);
  figure.caption = w.format(
      "Which columns of q and k turn together when pairs are interleaved and when halves are "
      "split: each pair has one colour; hatched columns do not turn. Below: q and k, columns {} "
      "and {} highlighted.",
      pair.a, pair.b);
  const double largest = std::max(model.q.cwiseAbs().maxCoeff(), model.k.cwiseAbs().maxCoeff());
  return with(std::move(figure), chips(scene, "interleaved", core::RotaryPairing::neighbors, "2i"),
              chips(scene, "halves", core::RotaryPairing::halves, "r/2"),
              vector_strip(scene, "q", model.q, Role::query, largest),
              vector_strip(scene, "k", model.k, Role::key, largest));
}

}  // namespace lab::rotary
