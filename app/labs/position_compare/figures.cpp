// The pictures, their differences and their curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/position_compare/page.h"

namespace lab::position_compare {
namespace {

using figure::Axis;
using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

std::string place(std::size_t k) { return fmt::format("{}", k + 1); }

Axis token_axis(const Scene& scene, bool query) {
  Axis axis;
  axis.label = query ? scene.w("query") : scene.w("key");
  axis.hi = static_cast<double>(scene.model.n());
  axis.cells = true;
  axis.labels = scene.model.content->labels;
  axis.link = query ? "query" : "key";
  axis.color = query ? Role::query : Role::key;
  axis.marked = static_cast<int>(query ? scene.model.query : scene.model.key);
  return axis;
}

// Of the page's 12 columns. Two pictures leave room for their difference beside them, two
// differences for the curves.
struct Spans {
  int side, difference, curves;
};
Spans spans(const Scene& scene) {
  if (scene.count() == 2) return {8, 4, 12};
  if (scene.count() == 3) return {12, 7, 5};
  return {12, 12, 12};
}

// The axes are shared, and said once: what stands to the right leaves that room to the colour bar.
Plot pair_plot(const Scene& scene, std::string id, std::string title, Heatmap map,
               figure::Assignments also, bool first) {
  map.row_param = "query";
  map.col_param = "key";
  map.also = std::move(also);
  map.pinned = {scene.model.query, scene.model.key};
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = token_axis(scene, false);
  plot.y = token_axis(scene, true);
  if (!first) plot.y.label.clear();
  plot.square = true;
  plot.marks.emplace_back(std::move(map));
  return plot;
}

std::string quantity_words(const Scene& scene) {
  return scene.p.quantity == Quantity::scores ? scene.w("scores as they enter the softmax")
                                              : scene.w("weights that multiply the values");
}

// One scale for all schemes, so that they can be compared.
figure::ColorScale shared_scale(const Scene& scene) {
  float largest = 0, lowest = 0;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    largest = std::max(largest, scene.shown(k).largest);
    if (scene.scheme(k) == Scheme::urpe) {
      lowest = std::min(lowest, static_cast<float>(scene.shown(k).scored->weights.size() > 0
                                                       ? scene.shown(k).scored->weights.minCoeff()
                                                       : 0));
    }
  }
  // URPE's numbers may be negative, and so its weights.
  if (scene.p.quantity == Quantity::scores || lowest < 0) return signed_scale(largest);
  return {.hi = 1.00001f * (largest > 0.5f && largest <= 1 ? 1 : std::max(largest, 1e-6f))};
}

struct Range {
  double lo = 0, hi = 0;
  void hold(double value) {
    if (!std::isfinite(value)) return;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
};

// A curve with its band, over the distances that some pair has.
void add_curve(const Scene& scene, std::size_t k, Plot& plot, Range& range) {
  const Curve& curve = scene.shown(k).curve;
  figure::Band band;
  figure::Line line;
  for (std::size_t t = 0; t < curve.mean.size(); ++t) {
    if (curve.pairs[t] == 0) continue;
    line.x.push_back(static_cast<double>(t) - static_cast<double>(scene.model.n() - 1));
    line.y.push_back(curve.mean[t]);
    band.lo.push_back(curve.mean[t] - curve.deviation[t]);
    band.hi.push_back(curve.mean[t] + curve.deviation[t]);
    range.hold(band.lo.back());
    range.hold(band.hi.back());
  }
  band.x = line.x;
  band.color = scheme_color(k, 0.14f);
  line.color = scheme_color(k);
  line.label = scene.name(k);
  line.dashed = k % 2 == 1;  // equal curves on top of each other stay visible
  plot.marks.emplace_back(std::move(band));
  plot.marks.emplace_back(std::move(line));
}

}  // namespace

std::size_t Scene::chosen() const {
  const auto k = static_cast<std::size_t>(model.chosen);
  return p.explain == Explained::difference ? std::max<std::size_t>(k, 1) : k;
}

std::string Scene::indexed(Index token) const {
  const figure::Labels& labels = model.content->labels;
  return labels ? w.format("\"{}\" ({})", (*labels)[static_cast<std::size_t>(token)], token)
                : fmt::format("{}", token);
}

figure::Color scheme_color(std::size_t k, float alpha) {
  // Four of the palette that differ most in lightness and hue in both themes.
  constexpr int kColors[] = {0, 1, 10, 4};
  return figure::Color::of_head(kColors[k % 4], alpha);
}

Figure side_figure(const Scene& scene) {
  Figure figure = new_figure(
      "side", scene.w("The same queries and keys under each scheme"),
      {.span = spans(scene).side, .height = 330, .columns = static_cast<int>(scene.count())});
  figure.caption = scene.w.format(
      "Head {} of the same {} tokens under {} schemes: {}; row: query, column: key, one colour "
      "scale for all.",
      scene.p.head, scene.model.n(), scene.count(), quantity_words(scene));
  const figure::ColorScale scale = shared_scale(scene);
  figure.note = scene.p.quantity == Quantity::scores
                    ? scene.w.format("scores, {:.3g} to {:.3g}", scale.lo, scale.hi)
                    : scene.w.format("weights, {:.3g} to {:.3g}", scale.lo, scale.hi);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    Heatmap map;
    map.source = scene.shown(k).source;
    map.scale = scale;
    Plot plot = pair_plot(scene, "map_" + place(k), scene.name(k), std::move(map),
                          {{"explain", "value"}, {"scheme", place(k)}}, k == 0);
    plot.selected = scene.p.explain == Explained::value && k == scene.chosen();
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Figure difference_figure(const Scene& scene) {
  Figure figure = new_figure("difference", scene.w.format("What each adds to {}", scene.name(0)),
                             {.span = spans(scene).difference,
                              .height = 330,
                              .columns = static_cast<int>(scene.count()) - 1});
  figure.caption = scene.w.format(
      "Each scheme minus {}, pair by pair: what its positions change. One colour scale for all.",
      scene.name(0));
  float largest = 0;
  for (std::size_t k = 1; k < scene.count(); ++k) {
    largest = std::max(largest, scene.shown(k).largest_difference);
  }
  for (std::size_t k = 1; k < scene.count(); ++k) {
    Heatmap map;
    map.source = scene.shown(k).difference;
    map.scale = signed_scale(largest);
    figure.plots.push_back(pair_plot(scene, "difference_" + place(k),
                                     scene.name(k) + " − " + scene.name(0), std::move(map),
                                     {{"explain", "difference"}, {"scheme", place(k)}}, k == 1));
  }
  return figure;
}

Figure curves_figure(const Scene& scene) {
  const double last = static_cast<double>(std::max<Index>(1, scene.model.n() - 1));
  Plot plot{.id = "curves"};
  plot.x = {scene.w("distance, query minus key (tokens)"),
            scene.p.mask == MaskKind::causal ? 0 : -last, last};
  plot.y.label = scene.p.quantity == Quantity::scores ? scene.w("score") : scene.w("weight");
  Range range;
  for (std::size_t k = 0; k < scene.count(); ++k) add_curve(scene, k, plot, range);
  const double room = std::max(1e-9, 0.05 * (range.hi - range.lo));
  plot.y.lo = range.lo - room;
  plot.y.hi = range.hi + room;
  plot.marks.emplace_back(figure::Rule{
      .vertical = true, .at = static_cast<double>(scene.model.distance), .color = Role::accent});
  const auto at = static_cast<std::size_t>(scene.model.distance + scene.model.n() - 1);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const Curve& curve = scene.shown(k).curve;
    if (curve.pairs[at] == 0) continue;
    const bool chosen = scene.p.explain == Explained::distance && k == scene.chosen();
    plot.marks.emplace_back(
        figure::Points{.x = {static_cast<double>(scene.model.distance)},
                       .y = {curve.mean[at]},
                       .color = chosen ? figure::Color(Role::accent) : scheme_color(k),
                       .radius = chosen ? 5.0f : 4.0f,
                       .picks = {{{"explain", "distance"}, {"scheme", place(k)}}}});
  }
  plot.x_param = "distance";
  plot.click = {{"explain", "distance"}};
  Figure figure = new_figure("curves", scene.w("Over distance"));
  figure.note = scene.w("mean ± standard deviation");
  figure.caption = scene.w.format(
      "Mean over all pairs at each distance, {}; bands: one standard deviation to either side.",
      quantity_words(scene));
  if (scene.p.quantity == Quantity::scores) {
    figure.caption += " ";
    figure.caption += scene.w("Where a band has no width, only the distance counts.");
  }
  figure.span = spans(scene).curves;
  figure.height = figure.span == 12 ? 270 : 330;
  figure.plots = {std::move(plot)};
  return figure;
}

std::vector<Figure> figures(const Scene& scene) {
  std::vector<Figure> result{side_figure(scene), difference_figure(scene), curves_figure(scene),
                             table_figure(scene), operations_figure(scene)};
  if (scene.measured) result.push_back(time_figure(scene));
  return result;
}

}  // namespace lab::position_compare
