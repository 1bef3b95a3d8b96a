// All heads in numbers: by layer, in order of size, and two numbers of each against each other.
#include "app/labs/tensors/page.h"

namespace lab::tensors {
namespace {

constexpr Index kMostBars = 48;

double value_of(const Scene& scene, Metric metric, Index head) {
  return scene.model.statistics->heads[to_size(head)].*named(metric).value;
}

HeadAt dimension_of(const Scene& scene, Index head) {
  const Index heads = scene.given().heads;
  return {head / heads, scene.model.at.batch, head % heads};
}

std::string sampled_text(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (model.statistics->rows == model.n()) return {};
  return w.format("sampled: {} of {} queries of each head", model.statistics->rows, model.n());
}

std::string metric_label(const Scene& scene, Metric metric) {
  const NamedMetric& one = named(metric);
  return one.unit.empty() ? scene.w(one.name)
                          : scene.w.format("{} ({})", scene.w(one.name), scene.w(one.unit));
}

// By falling value; heads without one at the end.
std::vector<Index> by_value(const Scene& scene, Index most) {
  const auto& heads = scene.model.statistics->heads;
  return largest_first(
      to_index(heads.size()),
      [&](Index head) {
        const double value = value_of(scene, scene.p.metric, head);
        return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
      },
      most);
}

}  // namespace

const core::EnumArray<Metric, NamedMetric>& named_metrics() {
  using core::heads::HeadStatistics;
  static const core::EnumArray<Metric, NamedMetric> kMetrics{
      {{"entropy", N_("entropy"), N_("0 where each query attends to one key alone"), N_("nats"),
        &HeadStatistics::entropy},
       {"distance", N_("mean distance"),
        N_("How far from its own position a query attends, on average"), N_("tokens"),
        &HeadStatistics::distance},
       {"first", N_("share on the first token"), N_("The weight of key 0"), "",
        &HeadStatistics::first},
       {"diagonal", N_("share on the diagonal"), N_("The weight of the query's own position"), "",
        &HeadStatistics::diagonal},
       {"separators", N_("share on separators"),
        N_("The weight of the tokens that the knob names as separators"), "",
        &HeadStatistics::separators}}};
  return kMetrics;
}

Figure metric_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Given& given = scene.given();
  Matrix cells(given.layers, given.heads);
  Extent extent{0, 0};
  for (Index k = 0; k < cells.size(); ++k) {
    const double value = value_of(scene, p.metric, k);
    cells.data()[k] = to_float(value);
    extent.add(value);
  }
  Plot plot{
      .id = "by_layer",
      .x = counted_axis(w("head"), given.heads),
      .y = counted_axis(w("layer"), given.layers),
      .marks = {Heatmap{.source = cells_of(cells),
                        .scale = {.hi = extent.hi > 0 ? kScaleMargin * to_float(extent.hi) : 1},
                        .pinned = std::pair{model.at.layer, model.at.head}}},
      .x_param = "head",
      .y_param = "layer"};
  Figure figure =
      new_figure("by_layer", w.format("By layer and head: {}", metric_label(scene, p.metric)),
                 {.span = 5, .height = 360});
  figure.caption =
      w("Means over the queries of each head, without a first one that sees itself alone.");
  figure.pointer_caption = w("Click a head to choose it.");
  return with(std::move(figure), std::move(plot));
}

Figure sorted_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<Index> order = by_value(scene, kMostBars);
  const std::size_t all = model.statistics->heads.size();
  Bars bars{.color = Role::query};
  Extent extent{0, 0};
  auto names = std::make_shared<std::vector<std::string>>();
  for (const Index head : order) {
    const double value = value_of(scene, p.metric, head);
    const HeadAt at = dimension_of(scene, head);
    if (at == model.at) bars.marked = to_int(bars.values.size());
    bars.values.push_back(std::isnan(value) ? 0 : value);
    bars.picks.push_back(sets("layer", at.layer + 1, "head", at.head + 1));
    names->push_back(std::isnan(value) ? head_name(at) + " –" : head_name(at));
    extent.add(value);
  }
  Plot plot{.id = "sorted"};
  plot.x = cell_axis(w("layer.head"), to_index(names->size()), {.labels = names});
  plot.y = fitted_axis(metric_label(scene, p.metric), extent, 0.15);
  plot.add(std::move(bars));
  Figure figure = new_figure("sorted", w("In order of size"), {.span = 7, .height = 360});
  figure.note = all > order.size() ? w.format("the {} largest of {}", order.size(), all)
                                   : sampled_text(scene);
  figure.caption = w("The heads from the largest on; a dash: no row of it is a probability.");
  figure.pointer_caption = w("Click a head to choose it.");
  return with(std::move(figure), std::move(plot));
}

Figure plane_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  constexpr std::array<std::pair<Metric, Metric>, 2> kPlanes{
      {{Metric::distance, Metric::entropy}, {Metric::diagonal, Metric::first}}};
  Figure figure = new_figure("planes", w("Heads beside each other"), {.height = 360, .columns = 2});
  figure.caption =
      w("Each head is a point: how far it reaches against how widely, and its weight on its own "
        "position against that on the first token.");
  figure.pointer_caption = w("Click a head to choose it.");
  for (const auto& [across, up] : kPlanes) {
    figure::Points points{.color = Role::query, .radius = 4};
    figure::Points picked{.color = Role::accent, .radius = 7};
    Extent x, y;
    for (Index k = 0; k < std::ssize(model.statistics->heads); ++k) {
      const double at_x = value_of(scene, across, k), at_y = value_of(scene, up, k);
      if (std::isnan(at_x) || std::isnan(at_y)) continue;
      const HeadAt at = dimension_of(scene, k);
      auto& to = at == model.at ? picked : points;
      to.add(at_x, at_y, sets("layer", at.layer + 1, "head", at.head + 1));
      x.add(at_x);
      y.add(at_y);
    }
    figure.plots.push_back({.id = fmt::format("{}_{}", named(across).id, named(up).id),
                            .x = fitted_axis(metric_label(scene, across), x),
                            .y = fitted_axis(metric_label(scene, up), y),
                            .marks = {std::move(points), std::move(picked)}});
  }
  return figure;
}

}  // namespace lab::tensors
