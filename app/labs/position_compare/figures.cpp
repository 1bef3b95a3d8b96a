// The pictures, their differences and their curves.
#include "app/labs/position_compare/page.h"

namespace lab::position_compare {
namespace {

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
Plot pair_plot(const Scene& scene, const char* id, std::size_t k, std::string title,
               std::shared_ptr<const figure::TileSource> source, const figure::ColorScale& scale,
               const char* explained, bool first) {
  const Model& m = scene.model;
  return PairMap{.queries = m.n(),
                 .keys = m.n(),
                 .labels = m.content->labels,
                 .query = m.query,
                 .key = m.key,
                 .pinned = true,
                 .query_label = first ? scene.w("query") : "",
                 .key_label = scene.w("key")}
      .plot(fmt::format("{}_{}", id, k + 1), std::move(title), std::move(source), scale,
            scheme_pick(k, explained));
}

std::string quantity_words(const Scene& scene) {
  return scene.p.quantity == Quantity::scores ? scene.w("scores as they enter the softmax")
                                              : scene.w("weights that multiply the values");
}

// One scale for all schemes, so that they can be compared.
figure::ColorScale shared_scale(const Scene& scene) {
  float largest = 0;
  bool negative = scene.p.quantity == Quantity::scores;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    largest = std::max(largest, scene.shown(k).largest);
    // URPE's numbers may be negative, and so its weights.
    const MatrixD& weights = scene.shown(k).scored->weights;
    negative = negative || (weights.size() > 0 && weights.minCoeff() < 0);
  }
  if (negative) return signed_scale(largest);
  return largest <= 1 ? weight_scale(largest) : figure::ColorScale{.hi = kScaleMargin * largest};
}

// A curve with its band, over the distances that some pair has.
void add_curve(const Scene& scene, std::size_t k, Plot& plot, Extent& extent) {
  const Curve& curve = scene.shown(k).curve;
  figure::Band band{.color = scheme_color(k, 0.14f)};
  // Dashed: equal curves on top of each other stay visible.
  Line line{.color = scheme_color(k), .dashed = k % 2 == 1, .label = scene.name(k)};
  for (std::size_t t = 0; t < curve.mean.size(); ++t) {
    if (curve.pairs[t] == 0) continue;
    line.x.push_back(to_double(t) - to_double(scene.model.n() - 1));
    line.y.push_back(curve.mean[t]);
    band.lo.push_back(curve.mean[t] - curve.deviation[t]);
    band.hi.push_back(curve.mean[t] + curve.deviation[t]);
  }
  extent.add(band.lo);
  extent.add(band.hi);
  band.x = line.x;
  plot.marks.emplace_back(std::move(band));
  plot.marks.emplace_back(std::move(line));
}

}  // namespace

std::size_t Scene::chosen() const {
  const std::size_t k = to_size(model.chosen);
  return p.explain == Explained::difference ? std::max<std::size_t>(k, 1) : k;
}

Color scheme_color(std::size_t k, float alpha) {
  // Four of the palette that differ most in lightness and hue in both themes.
  constexpr int kColors[] = {0, 1, 10, 4};
  return Color::of_head(kColors[k % 4], alpha);
}

figure::Assignments scheme_pick(std::size_t k, const char* explained) {
  return sets("explain", explained, "scheme", k + 1);
}

Points scheme_point(const Scene& scene, std::size_t k, double x, double y, Explained explained) {
  const bool chosen = scene.p.explain == explained && k == scene.chosen();
  return {.x = {x},
          .y = {y},
          .color = chosen ? Color(Role::accent) : scheme_color(k),
          .radius = chosen ? 5.0f : 4.0f,
          .picks = {scheme_pick(k, explained == Explained::cost ? "cost" : "distance")}};
}

Figure side_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure = new_figure(
      "side", w("The same queries and keys under each scheme"),
      {.span = spans(scene).side, .height = 330, .columns = static_cast<int>(scene.count())});
  figure.caption = w.format(
      "Head {} of the same {} tokens under {} schemes: {}; row: query, column: key, one colour "
      "scale for all.",
      scene.p.head, scene.model.n(), scene.count(), quantity_words(scene));
  const figure::ColorScale scale = shared_scale(scene);
  figure.note = scene.p.quantity == Quantity::scores
                    ? w.format("scores, {:.3g} to {:.3g}", scale.lo, scale.hi)
                    : w.format("weights, {:.3g} to {:.3g}", scale.lo, scale.hi);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    figure.plots.push_back(
        pair_plot(scene, "map", k, scene.name(k), scene.shown(k).source, scale, "value", k == 0));
    figure.plots.back().selected = scene.p.explain == Explained::value && k == scene.chosen();
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
  for (const auto& shown : scene.model.schemes) {
    largest = std::max(largest, shown->largest_difference);
  }
  for (std::size_t k = 1; k < scene.count(); ++k) {
    figure.plots.push_back(pair_plot(scene, "difference", k, scene.name(k) + " − " + scene.name(0),
                                     scene.shown(k).difference, signed_scale(largest), "difference",
                                     k == 1));
  }
  return figure;
}

Figure curves_figure(const Scene& scene) {
  const auto& [p, m, w, measured] = scene;
  const bool scores = p.quantity == Quantity::scores;
  const int span = spans(scene).curves;
  const double last = to_double(std::max<Index>(1, m.n() - 1)), distance = to_double(m.distance);
  Plot plot{.id = "curves", .click = explains("distance"), .x_param = "distance"};
  plot.x = {w("distance, key minus query (tokens)"), -last, p.mask == MaskKind::causal ? 0 : last};
  plot.y.label = scores ? w("score") : w("weight");
  Extent extent{0, 0};
  for (std::size_t k = 0; k < scene.count(); ++k) add_curve(scene, k, plot, extent);
  fit(plot.y, extent, 0.05);
  plot.marks.emplace_back(Rule{true, distance, Role::accent});
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const Curve& curve = scene.shown(k).curve;
    const std::size_t at = scene.at_distance();
    if (curve.pairs[at] == 0) continue;
    plot.marks.emplace_back(scheme_point(scene, k, distance, curve.mean[at], Explained::distance));
  }
  Figure figure = new_figure("curves", w("Over distance"),
                             {.span = span, .height = span == 12 ? 270.0f : 330.0f});
  figure.note = w("mean ± standard deviation");
  figure.caption = w.format(
      "Mean over all pairs at each distance, {}; bands: one standard deviation to either side.",
      quantity_words(scene));
  if (scores) figure.caption += " " + w("Where a band has no width, only the distance counts.");
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::position_compare
