// What several figures of the lab are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figure/layout.h"
#include "app/labs/softmax/page.h"

namespace lab::softmax {

using figure::Color;
using figure::Plot;
using figure::Role;

const Hidden& Scene::hidden() const {
  const auto arithmetic = static_cast<std::size_t>(p.arithmetic);
  return model.fills->formats[arithmetic][static_cast<std::size_t>(p.way)];
}

std::string Scene::way_name(Way way) const {
  switch (way) {
    case Way::left_out:
      return w("left out");
    case Way::million:
      return w.format("fill {}", "-10⁶");
    case Way::two_to_32:
      return w.format("fill {}", "-2³²+1");
    case Way::infinity:
      return w.format("fill {}", "-∞");
    case Way::scores_times_mask:
      return w("scores × mask");
    case Way::weights_times_mask:
      return w("weights × mask");
    case Way::renormalised:
      break;
  }
  return w("weights × mask, renormalised");
}

std::string Scene::arithmetic_name() const {
  constexpr std::array<const char*, 3> kNames{"float64", "float32", "float16"};
  return kNames[static_cast<std::size_t>(p.arithmetic)];
}

std::string Scene::fill_name() const {
  constexpr std::array<const char*, 3> kNames{"-10⁶", "-2³²+1", "-∞"};
  return kNames[static_cast<std::size_t>(p.fill)];
}

figure::Axis counted_axis(std::string label, Index count) {
  figure::Axis axis = cell_axis(std::move(label), count);
  axis.lo = 1;
  axis.hi = static_cast<double>(count) + 1;
  return axis;
}

std::vector<figure::Assignments> picks_of(Index n, const std::string& id,
                                          const figure::Assignments& also) {
  std::vector<figure::Assignments> picks;
  for (Index k = 1; k <= n; ++k) {
    picks.push_back({{id, fmt::format("{}", k)}});
    picks.back().insert(picks.back().end(), also.begin(), also.end());
  }
  return picks;
}

Plot bar_plot(std::string id, std::string title, const VectorD& values, Color color,
              std::vector<figure::Assignments> picks) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = counted_axis("", values.size());
  figure::Bars bars;
  bars.values.assign(values.begin(), values.end());
  bars.color = color;
  bars.picks = std::move(picks);
  double lo = 0, hi = 0;
  for (const double value : bars.values) {
    if (!std::isfinite(value)) continue;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  if (!(hi > lo)) hi = 1;
  // Room for the numbers at the ends of the bars.
  plot.y.lo = lo < 0 ? lo - 0.18 * (hi - lo) : 0;
  plot.y.hi = hi > 0 ? hi + 0.18 * (hi - lo) : 0;
  plot.marks.emplace_back(std::move(bars));
  return plot;
}

namespace {

// What taking hold of a logit sets besides.
figure::Assignments taken(const Scene& scene, Index k) {
  const std::string at = fmt::format("{}", k + 1);
  switch (scene.p.view) {
    case View::weights:
      return {{"weight", at}};
    case View::fills:
      return {{"weight", at}};
    default:
      return {{"logit", at}};
  }
}

Index marked_logit(const Scene& scene) {
  return scene.p.is_learning() ? scene.logit() : scene.weight();
}

// The number of a bar on the other side of zero, where no handle covers it.
void add_number(Plot& plot, Index k, double value, Color color) {
  const double gap = 0.07 * (plot.y.hi - plot.y.lo);
  plot.marks.emplace_back(figure::Note{static_cast<double>(k) + 1.5, value >= 0 ? -gap : gap,
                                       fmt::format("{:.2f}", value), color,
                                       figure::TextStyle::mono_small, 0});
}

}  // namespace

Plot logit_plot(const Scene& scene, Index visible) {
  Plot plot{.id = "logits", .title = scene.w("logits x")};
  plot.x = counted_axis("", scene.n());
  double largest = 0;
  for (Index k = 0; k < scene.n(); ++k) largest = std::max(largest, std::abs(scene.p.x(k)));
  plot.y.hi = std::max(4.0, std::ceil(1.25 * largest));
  plot.y.lo = -plot.y.hi;
  figure::Bars bars, dim;
  const auto n = static_cast<std::size_t>(scene.n());
  bars.values.assign(n, 0);
  dim.values.assign(n, 0);
  for (Index k = 0; k < scene.n(); ++k) {
    (k < visible ? bars : dim).values[static_cast<std::size_t>(k)] = scene.p.x(k);
  }
  bars.color = Color::of_head(kLogitColor);
  dim.color = Role::faint;
  bars.numbers = dim.numbers = false;
  bars.marked = static_cast<int>(marked_logit(scene));
  if (bars.marked >= static_cast<int>(visible)) std::swap(bars.marked, dim.marked);
  if (visible < scene.n()) plot.marks.emplace_back(std::move(dim));
  plot.marks.emplace_back(std::move(bars));
  for (Index k = 0; k < scene.n(); ++k) {
    const bool picked = k == marked_logit(scene);
    const Color color = picked ? Color(Role::accent) : Color::of_head(kLogitColor);
    add_number(plot, k, scene.p.x(k), picked ? Color(Role::accent) : Color(Role::dim));
    figure::Handle handle;
    handle.x = static_cast<double>(k) + 1.5;
    handle.y = scene.p.x(k);
    handle.y_param = fmt::format("logit_{}", k + 1);
    handle.also = taken(scene, k);
    handle.color = color;
    handle.radius = 5;
    plot.marks.emplace_back(std::move(handle));
  }
  return plot;
}

figure::Heatmap masked_heatmap(const MatrixD& cells, const core::Mask& mask,
                               const figure::ColorScale& scale) {
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(cells.cast<float>(),
                                                     std::make_shared<const core::Mask>(mask));
  map.scale = scale;
  return map;
}

Plot temperature_plot(const Scene& scene, std::string id) {
  Plot plot{.id = std::move(id)};
  plot.x = {scene.w("temperature T"), 0.01, 100, figure::AxisScale::log};
  plot.x.link = "temperature";
  plot.x_param = "temperature";
  return plot;
}

}  // namespace lab::softmax
