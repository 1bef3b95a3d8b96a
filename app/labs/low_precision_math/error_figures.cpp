// How errors grow: of dot products with their width, of softmax with the number of keys.
#include "app/labs/low_precision_math/page.h"

namespace lab::low_precision_math {
namespace {

constexpr double kFloor = 1e-12;  // of errors on a logarithmic axis

// A logarithmic axis that holds every positive number of the means, by whole decades.
void fit_errors(figure::Axis& axis, const std::array<Spread, kMethods>& of) {
  double lo = 1, hi = 0;
  for (const Spread& spread : of) {
    for (const double mean : spread.mean) {
      if (!(mean > 0)) continue;  // NaN neither
      lo = std::min(lo, mean);
      hi = std::max(hi, mean);
    }
    for (const double high : spread.high) {
      if (std::isfinite(high)) hi = std::max(hi, high);
    }
  }
  if (!(hi > 0)) lo = 1e-6, hi = 1;
  lo = std::clamp(lo, kFloor, hi);
  axis.scale = figure::AxisScale::log;
  axis.lo = std::pow(10.0, std::floor(std::log10(lo) - 1e-9));
  axis.hi = std::pow(10.0, std::ceil(std::log10(hi) + 1e-9));
}

// Zero has no place on a logarithmic axis: the line breaks there, and a band ends at the floor.
std::vector<double> positive(std::vector<double> values, double instead) {
  for (double& value : values) {
    if (!(value > 0)) value = std::isnan(value) ? value : instead;
  }
  return values;
}

void add_methods(const Scene& scene, const std::vector<double>& lengths,
                 const std::array<Spread, kMethods>& of, Plot& plot) {
  const bool log = plot.y.scale == figure::AxisScale::log;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Spread& own = of[scene.method()];
  plot.marks.emplace_back(figure::Band{lengths, log ? positive(own.low, plot.y.lo) : own.low,
                                       log ? positive(own.high, plot.y.lo) : own.high,
                                       Color(Role::accent, 0.18f)});
  for (std::size_t k = 0; k < kMethods; ++k) {
    const auto method = static_cast<Method>(k);
    const bool chosen = method == scene.p.method;
    Line line{lengths,
              log ? positive(of[k].mean, none) : of[k].mean,
              chosen ? Color(Role::accent) : scene.method_color(method),
              chosen ? 2.5f : 1.5f,
              false,
              scene.method_name(method)};
    plot.marks.emplace_back(std::move(line));
  }
}

Plot length_plot(const Scene& scene, std::string id, std::string label, std::string param) {
  Plot plot{.id = std::move(id)};
  plot.x = {std::move(label), 1, to_double(scene.p.longest), figure::AxisScale::log};
  plot.x_param = std::move(param);
  return plot;
}

void add_here(Plot& plot, double x) {
  plot.marks.emplace_back(Rule{true, x, Color(Role::accent, 0.6f), true, {}});
}

std::string method_words(const Scene& scene) {
  return scene.w.format("Band: least and largest of {} repetitions, {}.", scene.p.repeats,
                        scene.method_name(scene.p.method));
}

// Which methods make no error at all: they have no place on a logarithmic axis.
std::string note_of(const Scene& scene, const std::array<Spread, kMethods>& of) {
  std::string names;
  for (std::size_t k = 0; k < kMethods; ++k) {
    const auto none = [](double mean) { return mean == 0; };
    if (!std::all_of(of[k].mean.begin(), of[k].mean.end(), none)) continue;
    if (!names.empty()) names += ", ";
    names += scene.method_name(static_cast<Method>(k));
  }
  if (names.empty()) return scene.w.format("mean of {}", scene.p.repeats);
  return scene.w.format("no error: {}", names);
}

}  // namespace

Figure dot_errors_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const DotErrors& errors = *m.dot_errors;
  Figure figure = new_figure("dot_errors", w("Error of a dot product"), {.span = 6, .height = 290});
  figure.note = note_of(scene, errors.of);
  figure.caption = w.format(
      "The error of q·k as a share of Σ |q k| against the width d. {} Dashed: the bound γ = m u / "
      "(1 - m u).",
      method_words(scene));
  Plot plot = length_plot(scene, "dot_errors", w("width d"), "d");
  plot.y.label = w("error / Σ |q k|");
  plot.click = {{"explain", "dot"}};
  fit_errors(plot.y, errors.of);
  if (p.measure == Measure::accumulation) {
    Line bound{errors.lengths, errors.bounds[scene.method()], Role::dim, 1.2f, true, {}};
    plot.marks.emplace_back(std::move(bound));
  }
  add_methods(scene, errors.lengths, errors.of, plot);
  add_here(plot, p.d);
  return with(std::move(figure), std::move(plot));
}

Figure softmax_errors_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const SoftmaxErrors& errors = *m.softmax_errors;
  Figure figure =
      new_figure("softmax_errors", w("Largest error of a weight"), {.span = 6, .height = 290});
  figure.note = note_of(scene, errors.largest);
  figure.caption = w.format(
      "Softmax of n random scores: the largest error of a weight as a share of that weight, "
      "against n. {}",
      method_words(scene));
  Plot plot = length_plot(scene, "softmax_errors", w("keys n"), "n");
  plot.y.label = w("error / weight");
  plot.click = {{"explain", "weight"}};
  fit_errors(plot.y, errors.largest);
  add_methods(scene, errors.lengths, errors.largest, plot);
  add_here(plot, p.n);
  return with(std::move(figure), std::move(plot));
}

Figure total_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const SoftmaxErrors& errors = *m.softmax_errors;
  Figure figure = new_figure("total", w("What the weights add up to"));
  figure.note = w.format("mean of {}", p.repeats);
  figure.caption =
      w.format("The sum of a row's weights, added without error, against n; it should be 1. {}",
               method_words(scene));
  figure.span = 6;
  figure.height = 290;
  Plot plot = length_plot(scene, "total", w("keys n"), "n");
  plot.y.label = w("sum of the weights");
  plot.click = {{"explain", "total"}};
  double low = 1, high = 1;
  for (const Spread& spread : errors.total) {
    for (const double value : spread.low) low = std::isfinite(value) ? std::min(low, value) : low;
    for (const double value : spread.high) {
      high = std::isfinite(value) ? std::max(high, value) : high;
    }
  }
  const double room = std::max(0.08 * (high - low), 1e-7);
  plot.y.lo = low - room;
  plot.y.hi = high + room;
  plot.marks.emplace_back(Rule{false, 1, Role::dim, true, {}});
  add_methods(scene, errors.lengths, errors.total, plot);
  add_here(plot, p.n);
  return with(std::move(figure), std::move(plot));
}

Figure row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("row", w("One row of weights"), {.span = 6, .height = 290});
  figure.note = w.format("key {} · click a key", p.key);
  figure.caption = w.format(
      "The weights of one query over {} keys: bars exact, points as {} has them, accumulated {}.",
      p.n, m.name, scene.method_name(p.method));
  const auto& row = m.softmax(p);
  const VectorD powers = (m.scores->array() - m.scores->maxCoeff()).exp();
  const VectorD exact = powers / powers.sum();
  Plot plot{.id = "row"};
  plot.x = cell_axis(w("key"), p.n);
  plot.y.label = w("weight");
  figure::Bars bars;
  Points points;
  double largest = exact.maxCoeff();
  for (Index j = 0; j < p.n; ++j) {
    bars.values.push_back(exact(j));
    bars.picks.push_back({{"key", fmt::format("{}", j)}, {"explain", "weight"}});
    if (!row || !std::isfinite(row->weights(j))) continue;
    points.x.push_back(static_cast<double>(j) + 0.5);
    points.y.push_back(row->weights(j));
    largest = std::max(largest, row->weights(j));
  }
  bars.color = Color(Role::text, 0.35f);
  bars.numbers = false;
  bars.marked = p.key;
  points.color = Role::accent;
  points.radius = p.n > 256 ? 1.5f : 3;
  plot.y.hi = 1.1 * largest;
  plot.marks.emplace_back(std::move(bars));
  plot.marks.emplace_back(std::move(points));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::low_precision_math
