// The Jacobian, its picked column, and how it vanishes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

Figure jacobian_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("jacobian", w("The Jacobian: what each logit does to each weight"),
                             {.span = 6, .height = 400});
  figure.caption = w.format(
      "d p_i / d x_j at temperature {:.4g}; row: weight i, column: logit j. The diagonal is "
      "positive, all else negative; every row and every column sums to 0.",
      p.temperature);
  Plot plot{.id = "jacobian"};
  plot.x = counted_axis(w("logit j"), scene.n());
  plot.x.color = Color::of_head(kLogitColor);
  plot.y = counted_axis(w("weight i"), scene.n());
  plot.y.color = Color::of_head(kWeightColor);
  plot.square = true;
  plot.x_param = "logit";
  plot.y_param = "weight";
  const auto largest = static_cast<float>(m.jacobian.cwiseAbs().maxCoeff());
  figure::Heatmap map = dense_heatmap(m.jacobian.cast<float>(), signed_scale(largest));
  map.pinned = {scene.weight(), scene.logit()};
  plot.marks.emplace_back(std::move(map));
  figure.plots.push_back(std::move(plot));
  const double row_sum = m.jacobian.row(scene.weight()).sum();
  figure.footer = {{w.format("picked: {}", weight_text(m.jacobian(scene.weight(), scene.logit()))),
                    Role::accent, figure::TextStyle::label},
                   {w.format("sum of its row: {:.1g}", row_sum), Role::dim}};
  return figure;
}

Figure column_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("column", w.format("When logit {} rises", p.logit),
                             {.span = 6, .height = 400, .columns = 1});
  figure.note = w.format("one wins, the others pay");
  figure.caption = w.format(
      "Above: how fast each weight changes with logit {}. Below: the size of the whole Jacobian "
      "(Frobenius norm) against the temperature; at both ends nothing can be learned.",
      p.logit);
  const VectorD column = m.jacobian.col(scene.logit());
  Plot bars = bar_plot("column", w.format("d p / d x{}", p.logit), column,
                       Color::of_head(kWeightColor), picks_of(scene.n(), "weight"));
  std::get<figure::Bars>(bars.marks.front()).marked = static_cast<int>(scene.weight());
  Plot norm = temperature_plot(scene, "norm");
  norm.y.label = w("size of the Jacobian");
  const Sweep& sweep = *m.sweep;
  norm.y.hi = 1.15 * *std::max_element(sweep.jacobian_norm.begin(), sweep.jacobian_norm.end());
  if (!(norm.y.hi > 0)) norm.y.hi = 1;
  norm.marks.emplace_back(
      Line{sweep.temperatures, sweep.jacobian_norm, Color::of_head(kWeightColor), 2, false, {}});
  norm.marks.emplace_back(figure::Rule{true, p.temperature, Role::accent, true, {}});
  figure::Handle handle;
  handle.x = p.temperature;
  handle.y = m.row.jacobian_norm;
  handle.x_param = "temperature";
  handle.radius = 5;
  norm.marks.emplace_back(std::move(handle));
  figure.plots = {std::move(bars), std::move(norm)};
  return figure;
}

}  // namespace lab::softmax
