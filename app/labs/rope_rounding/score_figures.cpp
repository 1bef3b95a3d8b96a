// Scores of one q and one k, exact and rounded: over their distance, and over where they stand.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

constexpr std::size_t kMostPicks = 128;

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> kept;
  for (const double value : values) {
    kept.push_back(std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN());
  }
  return kept;
}

Extent extent_of(std::initializer_list<const std::vector<double>*> all) {
  Extent extent;
  for (const auto* values : all) extent.add(*values);
  return extent;
}

Line line_of(const std::vector<double>& x, std::vector<double> y, Color color, float width,
             std::string label) {
  Line line;
  line.x = x;
  line.y = std::move(y);
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

// What the two curves of scores differ in.
struct Ways {
  const ScoreCurve& curve;
  std::string id, x_label;
  bool log = false;
  double at = 0;                   // the picked place
  std::vector<Assignments> picks;  // one a point
};

std::vector<double> rounded_steps(const Ways& ways) {
  std::vector<double> x;
  for (const Index at : ways.curve.at) {
    x.push_back(to_double(ways.log ? std::max<Index>(1, at) : at));
  }
  return x;
}

Plot base_plot(const Ways& ways, const std::string& suffix, const std::vector<double>& x) {
  Plot plot{.id = ways.id + suffix};
  plot.x = {ways.x_label, x.front(), std::max(x.back(), x.front() + 1)};
  plot.x.link = ways.id;
  if (ways.log) plot.x.scale = AxisScale::log;
  return plot;
}

// About evenly many points, of all that are there.
Points pick_points(const Ways& ways, const std::vector<double>& x, const std::vector<double>& y) {
  Points points;
  const std::size_t step = (x.size() + kMostPicks - 1) / kMostPicks;
  for (std::size_t k = 0; k < x.size(); k += step) {
    if (!std::isfinite(y[k])) continue;
    points.add(x[k], y[k], ways.picks[k]);
  }
  points.color = rounded_color();
  points.radius = x.size() > 64 ? 1.5f : 2.5f;
  return points;
}

Plot scores_plot(const Scene& scene, const Ways& ways, const std::vector<double>& x) {
  const ScoreCurve& curve = ways.curve;
  Plot plot = base_plot(ways, "_score", x);
  plot.x.label.clear();
  plot.y = fitted_axis(scene.w("score q·k/√d"), extent_of({&curve.exact, &curve.rounded}));
  plot.add(line_of(x, finite(curve.rounded), rounded_color(), 1.5f, scene.w("rounded")));
  plot.add(line_of(x, curve.exact, exact_color(), 1.5f, scene.w("exact")));
  plot.add(pick_points(ways, x, curve.rounded));
  plot.add(Rule{true, ways.at, Role::accent, true, {}});
  return plot;
}

Plot errors_plot(const Scene& scene, const Ways& ways, const std::vector<double>& x) {
  const ScoreCurve& curve = ways.curve;
  Plot plot = base_plot(ways, "_error", x);
  plot.y.label = scene.w("error");
  const std::vector<double> zero{0.0};
  fit(plot.y, extent_of({&curve.lo, &curve.hi, &zero}));
  plot.add(Rule{false, 0, Role::dim, false, {}});
  if (curve.neighbors > 1) {
    plot.add(Band{x, finite(curve.lo), finite(curve.hi), rounded_color(0.35f)});
    plot.add(line_of(x, finite(curve.lo), rounded_color(0.8f), 1, {}));
    plot.note = scene.w.format("each point: the lowest and highest of {} neighbouring positions",
                               curve.neighbors);
  }
  plot.add(line_of(x, finite(curve.hi), rounded_color(), 1.5f, {}));
  plot.add(Rule{true, ways.at, Role::accent, true, {}});
  return plot;
}

std::string largest_text(const Scene& scene, const ScoreCurve& curve) {
  if (curve.missing > 0) {
    return scene.w.format("not numbers: {} of {}", curve.missing, curve.at.size());
  }
  return scene.w.format("error up to {}", short_number(curve.largest));
}

Figure scores_figure(const Scene& scene, const Ways& ways) {
  Figure figure;
  figure.id = ways.id;
  figure.note = largest_text(scene, ways.curve);
  figure.span = 6;
  figure.height = 380;
  figure.columns = 1;
  const std::vector<double> x = rounded_steps(ways);
  figure.plots = {scores_plot(scene, ways, x), errors_plot(scene, ways, x)};
  return figure;
}

// --- the attention of a block of tokens: exact, under rounding, and what has changed

// Smaller weights are shown as none at all.
constexpr float kLeastWeight = 1e-4f;

// Tokens by their positions.
Axis token_axis(const Window& window, std::string label, std::string link, Role color) {
  Axis axis = cell_axis(std::move(label), window.n, std::move(link));
  axis.lo = to_double(window.start);
  axis.hi = to_double(window.start + window.n);
  axis.color = color;
  return axis;
}

Plot tokens_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
                 const ColorScale& scale) {
  const Window& window = *scene.model.window;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.square = true;
  plot.x = token_axis(window, scene.w("key at n"), "key_at", Role::key);
  plot.y = token_axis(window, scene.w("query at m"), "query_at", Role::query);
  plot.x_param = "key";
  plot.y_param = "query";
  plot.click = explained_by("weight");
  Heatmap map;
  map.source = std::make_shared<DenseSource>(
      cells.cast<float>(), std::make_shared<const Mask>(Mask::causal(window.n, window.n)));
  map.scale = scale;
  map.pool = scene.p.pool;
  map.pinned = {scene.p.query - window.start, scene.p.key - window.start};
  plot.add(std::move(map));
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
    return scene.w.format("weights that are not numbers: {} of {}", window.missing,
                          window.n * (window.n + 1) / 2);
  }
  if (window.largest == 0) return scene.w("no weight changes");
  return scene.w.format("largest change {} at query {}, key {}", short_number(window.largest),
                        window.start + window.row, window.start + window.col);
}

}  // namespace

Figure distance_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Ways ways{*model.by_distance,
            "distance",
            w("distance |n - m|, key before query (positions)"),
            false,
            to_double(p.query - p.key),
            {}};
  for (const Index t : ways.curve.at) {
    ways.picks.push_back({{"key", fmt::format("{}", p.query - t)}, {"explain", "score"}});
  }
  Figure figure = scores_figure(scene, ways);
  figure.title = w.format("Score over distance, query at {}", p.query);
  figure.caption = w.format(
      "The score of one q at position {} with one k at every distance before it, exact and with {} "
      "rounded to {}, and the error below.",
      p.query, scene.rounded(), scene.format());
  return figure;
}

Figure position_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const int t = p.query - p.key;
  Ways ways{
      *model.by_position, "place", w("query at m"), true, std::max(1.0, to_double(p.query)), {}};
  for (const Index m : ways.curve.at) {
    ways.picks.push_back(
        {{"query", fmt::format("{}", m)}, {"key", fmt::format("{}", m - t)}, {"explain", "score"}});
  }
  Figure figure = scores_figure(scene, ways);
  figure.title = w.format("Score over position, distance {}", t);
  const double exact = model.exact_score(t);
  Extent range;
  for (const std::vector<double>& errors : {ways.curve.lo, ways.curve.hi}) {
    for (const double error : errors) {
      if (std::isfinite(error)) range.add(exact + error);
    }
  }
  figure.caption =
      !range.empty()
          ? w.format(
                "The score of one q and one k at distance {} at every position: the exact score is "
                "one number, {}; with {} rounded to {} it ranges from {} to {}.",
                t, short_number(exact), scene.rounded(), scene.format(), short_number(range.lo),
                short_number(range.hi))
          : w.format(
                "The score of one q and one k at distance {} at every position: the exact score is "
                "one number, {}; with {} rounded to {} it is not a number.",
                t, short_number(exact), scene.rounded(), scene.format());
  return figure;
}

Figure attention_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  Figure figure = new_figure("attention", w("The same tokens, the same q and k"),
                             {.height = 330, .columns = 3});
  figure.note = change_text(scene);
  figure.caption = w.format(
      "Causal attention among the tokens at positions {0} to {1} with RoPE (d {2}, base {3}): "
      "exact, with {4} rounded to {5} (logarithmic colours), and the difference; {6}.",
      window.start, window.start + window.n - 1, p.d, short_number(p.base), scene.rounded(),
      scene.format(), change_text(scene));
  const double largest = std::max(
      {largest_weight(window.exact.weights), largest_weight(window.rounded.weights), 2e-4});
  // The first query has one key to look at and the others dozens: their weights differ in size.
  ColorScale scale;
  scale.transform = figure::Transform::log;
  scale.lo = kLeastWeight;
  scale.hi = to_float(largest) * (1 + 1e-5f);
  const MatrixD change = window.rounded.weights - window.exact.weights;
  figure.plots = {tokens_plot(scene, "exact", w("exact"), window.exact.weights, scale),
                  tokens_plot(scene, "rounded", w.format("rounded: {}", scene.rounded()),
                              window.rounded.weights, scale),
                  tokens_plot(scene, "difference", w("rounded minus exact"), change,
                              signed_scale(window.largest))};
  return figure;
}

}  // namespace lab::rope_rounding
