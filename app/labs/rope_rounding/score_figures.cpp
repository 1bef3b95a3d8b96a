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

// A range that holds all finite values, with room; never empty.
void fit(figure::Axis& axis, std::initializer_list<const std::vector<double>*> all) {
  double lo = 0, hi = 0;
  bool first = true;
  for (const auto* values : all) {
    for (const double value : *values) {
      if (!std::isfinite(value)) continue;
      lo = first ? value : std::min(lo, value);
      hi = first ? value : std::max(hi, value);
      first = false;
    }
  }
  const double room = std::max(0.08 * (hi - lo), std::max(1e-9, 1e-3 * std::abs(hi)));
  axis.lo = lo - room;
  axis.hi = hi + room;
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
  double at = 0;                           // the picked place
  std::vector<figure::Assignments> picks;  // one a point
};

std::vector<double> places(const Ways& ways) {
  std::vector<double> x;
  for (const Index at : ways.curve.at) {
    x.push_back(static_cast<double>(ways.log ? std::max<Index>(1, at) : at));
  }
  return x;
}

Plot base_plot(const Ways& ways, std::string suffix, const std::vector<double>& x) {
  Plot plot{.id = ways.id + suffix};
  plot.x = {ways.x_label, x.front(), std::max(x.back(), x.front() + 1)};
  plot.x.link = ways.id;
  if (ways.log) plot.x.scale = figure::AxisScale::log;
  return plot;
}

// About evenly many points, of all that are there.
Points pick_points(const Ways& ways, const std::vector<double>& x, const std::vector<double>& y) {
  Points points;
  const std::size_t step = (x.size() + kMostPicks - 1) / kMostPicks;
  for (std::size_t k = 0; k < x.size(); k += step) {
    if (!std::isfinite(y[k])) continue;
    points.x.push_back(x[k]);
    points.y.push_back(y[k]);
    points.picks.push_back(ways.picks[k]);
  }
  points.color = rounded_color();
  points.radius = x.size() > 64 ? 1.5f : 2.5f;
  return points;
}

Plot scores_plot(const Scene& scene, const Ways& ways, const std::vector<double>& x) {
  const ScoreCurve& curve = ways.curve;
  Plot plot = base_plot(ways, "_score", x);
  plot.x.label.clear();
  plot.y.label = scene.w("score q·k/√d");
  fit(plot.y, {&curve.exact, &curve.rounded});
  plot.marks.emplace_back(
      line_of(x, finite(curve.rounded), rounded_color(), 1.5f, scene.w("rounded")));
  plot.marks.emplace_back(line_of(x, curve.exact, exact_color(), 1.5f, scene.w("exact")));
  plot.marks.emplace_back(pick_points(ways, x, curve.rounded));
  plot.marks.emplace_back(Rule{true, ways.at, Role::accent, true, {}});
  return plot;
}

Plot errors_plot(const Scene& scene, const Ways& ways, const std::vector<double>& x) {
  const ScoreCurve& curve = ways.curve;
  Plot plot = base_plot(ways, "_error", x);
  plot.y.label = scene.w("error");
  const std::vector<double> zero{0.0};
  fit(plot.y, {&curve.lo, &curve.hi, &zero});
  plot.marks.emplace_back(Rule{false, 0, Role::dim, false, {}});
  if (curve.neighbours > 1) {
    plot.marks.emplace_back(
        figure::Band{x, finite(curve.lo), finite(curve.hi), rounded_color(0.35f)});
    plot.marks.emplace_back(line_of(x, finite(curve.lo), rounded_color(0.8f), 1, {}));
    plot.note = scene.w.format("each point: the lowest and highest of {} neighbouring positions",
                               curve.neighbours);
  }
  plot.marks.emplace_back(line_of(x, finite(curve.hi), rounded_color(), 1.5f, {}));
  plot.marks.emplace_back(Rule{true, ways.at, Role::accent, true, {}});
  return plot;
}

std::string largest_text(const Scene& scene, const ScoreCurve& curve) {
  if (curve.missing > 0) {
    return scene.w.format("{} of {} are not numbers", curve.missing, curve.at.size());
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
  const std::vector<double> x = places(ways);
  figure.plots = {scores_plot(scene, ways, x), errors_plot(scene, ways, x)};
  return figure;
}

}  // namespace

Figure distance_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Ways ways{*model.by_distance,
            "distance",
            w("distance m - n (positions)"),
            false,
            static_cast<double>(p.query - p.key),
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
  Ways ways{*model.by_position,
            "place",
            w("query at m"),
            true,
            std::max(1.0, static_cast<double>(p.query)),
            {}};
  for (const Index m : ways.curve.at) {
    ways.picks.push_back(
        {{"query", fmt::format("{}", m)}, {"key", fmt::format("{}", m - t)}, {"explain", "score"}});
  }
  Figure figure = scores_figure(scene, ways);
  figure.title = w.format("Score over position, distance {}", t);
  figure.caption = w.format(
      "The score of one q and one k at distance {} wherever they stand: exactly it is one number, "
      "with {} rounded to {} it is not.",
      t, scene.rounded(), scene.format());
  return figure;
}

}  // namespace lab::rope_rounding
