// ALiBi: the slopes of all heads, how far each reaches, and their bias matrices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;

// Head against something positive on a logarithmic axis, one point a head that chooses it.
Plot head_plot(const Scene& scene, std::string id, std::string title, std::string label) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = {scene.w("head"), 0.5, static_cast<double>(scene.p.heads) + 0.5};
  plot.x.link = "head";
  plot.y.label = std::move(label);
  plot.y.scale = figure::AxisScale::log;
  plot.x_param = "head";
  plot.click = explains("own");
  return plot;
}

struct Style {
  Color color;
  std::string label;
  bool dashed = false;
};

void add_heads(const Scene& scene, const std::vector<double>& values, const Style& style,
               bool pickable, Plot& plot) {
  figure::Line line;
  line.color = style.color;
  line.label = style.label;
  line.dashed = style.dashed;
  line.width = 1;
  figure::Points points;
  points.color = style.color;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto head = static_cast<double>(k + 1);
    line.x.push_back(head);
    line.y.push_back(values[k]);
    points.x.push_back(head);
    points.y.push_back(values[k]);
    figure::Assignments pick = explains("own");
    pick.emplace_back("head", fmt::format("{}", k + 1));
    if (pickable) points.picks.push_back(std::move(pick));
  }
  plot.marks.emplace_back(std::move(line));
  plot.marks.emplace_back(std::move(points));
  if (!pickable) return;
  const auto chosen = static_cast<std::size_t>(scene.p.head - 1);
  plot.marks.emplace_back(
      figure::Points{{static_cast<double>(scene.p.head)}, {values[chosen]}, Role::accent, 6, {}});
}

std::vector<double> list(const VectorD& values) { return {values.begin(), values.end()}; }

Plot slope_plot(const Scene& scene) {
  using core::AlibiSlopeRule;
  Plot plot =
      head_plot(scene, "slope_plot", scene.w("slope of each head"), scene.w("slope m (per token)"));
  plot.y.lo = std::exp2(-8.6);
  plot.y.hi = 1.1;
  const bool released = scene.p.rule == AlibiSlopeRule::released;
  const auto other = list(core::alibi_slopes(
      scene.p.heads, released ? AlibiSlopeRule::geometric : AlibiSlopeRule::released));
  const auto chosen = list(scene.scheme().slopes);
  // For a power of two both are one.
  const bool same = other == chosen;
  if (!same) {
    add_heads(scene, other,
              {Color(Role::dim, 0.6f), released ? scene.w("geometric") : scene.w("released"), true},
              false, plot);
  }
  add_heads(scene, chosen,
            {Role::text, std::string(same       ? scene.w("both rules")
                                     : released ? scene.w("released")
                                                : scene.w("geometric"))},
            true, plot);
  return plot;
}

Plot reach_plot(const Scene& scene) {
  Plot plot = head_plot(scene, "reach_plot", scene.w("effective reach of each head"),
                        scene.w("ln(1/ε) / m (tokens)"));
  const double drop = std::log(1 / scene.p.epsilon);
  std::vector<double> reach;
  for (const double slope : scene.scheme().slopes) reach.push_back(drop / slope);
  const auto [least, most] = std::minmax_element(reach.begin(), reach.end());
  plot.y.lo = *least / 1.6;
  plot.y.hi = *most * 1.6;
  plot.note = scene.w.format("penalty ln(1/ε) = {:.3f}", drop);
  add_heads(scene, reach, {Role::text, {}}, true, plot);
  const Index n = scene.model.n();
  const auto at = static_cast<double>(n);
  if (at > plot.y.lo && at < plot.y.hi) {
    plot.marks.emplace_back(
        figure::Rule{false, at, Role::dim, true, scene.w.format("this sequence: {}", n)});
  }
  return plot;
}

Figure heads_figure(const Scene& scene) {
  Figure figure =
      new_figure("slopes", scene.w.format("{} heads, {} slopes", scene.p.heads, scene.p.heads),
                 {.height = 300, .columns = 2});
  figure.note = scene.w("click a head");
  figure.caption = scene.w.format(
      "The slopes of {} heads, and the distance at which the penalty lies ln(1/ε) below that of "
      "the query's own place, ε = {:g}.",
      scene.p.heads, scene.p.epsilon);
  figure.plots = {slope_plot(scene), reach_plot(scene)};
  return figure;
}

Figure sheet_figure(const Scene& scene) {
  constexpr int kPerRow = 8;
  const Index n = scene.model.n();
  const VectorD& slopes = scene.scheme().slopes;
  Figure figure = new_figure("bias_sheet", scene.w("The bias matrix of every head"));
  figure.note = scene.w("one colour scale for all");
  figure.caption = scene.w.format(
      "The biases of all {} heads on one colour scale; row: query, column: key. Below each its "
      "slope.",
      scene.p.heads);
  const int rows = (scene.p.heads + kPerRow - 1) / kPerRow;
  figure.columns = (scene.p.heads + rows - 1) / rows;
  figure.height = 50 + 140 * static_cast<float>(rows);
  const auto scale = signed_scale(
      static_cast<float>(slopes.maxCoeff() * static_cast<double>(std::max<Index>(n - 1, 1))));
  for (int head = 1; head <= scene.p.heads; ++head) {
    const double slope = slopes(head - 1);
    std::vector<float> values;
    const bool by_key = scene.p.alibi_bias == AlibiBias::key_only;
    Plot plot = pair_plot(scene, fmt::format("bias_{}", head), fmt::format("{}", head));
    plot.note = fmt::format("{:.4g}", slope);
    plot.thumbnail = true;
    plot.selected = head == scene.p.head;
    plot.click = explains("own");
    plot.click.emplace_back("head", fmt::format("{}", head));
    figure::Heatmap map;
    map.scale = scale;
    map.pool = scene.p.pool;
    map.color_bar = false;
    if (by_key) {
      map.source = computed_source(
          n, scene.model.pairs->causal,
          [slope](const Block& block, double* out) {
            for (Index k = 0; k < block.rows * block.cols; ++k) {
              out[k] = slope * static_cast<double>(block.j0 + k % block.cols);
            }
          },
          1);
    } else {
      for (Index r = 1 - n; r < n; ++r) {
        values.push_back(static_cast<float>(-slope * static_cast<double>(std::abs(r))));
      }
      map.source = distance_source(n, scene.model.pairs->causal,
                                   std::make_shared<const std::vector<float>>(std::move(values)));
    }
    plot.marks.emplace_back(std::move(map));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace

Index reach_of(double slope, double epsilon) { return core::alibi_reach(slope, 1 - epsilon); }

std::vector<Figure> slope_figures(const Scene& scene) {
  return {heads_figure(scene), sheet_figure(scene)};
}

}  // namespace lab::relative
