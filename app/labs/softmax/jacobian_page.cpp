// The Jacobian, its picked column, and how it vanishes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

Figure jacobian_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("jacobian", w("The Jacobian: what each logit does to each weight"),
                             {.span = 6, .height = 400});
  figure.caption = w.format(
      "d p_i / d x_j at temperature {:.4g}; row: weight i, column: logit j. The diagonal is "
      "positive, all else negative; every row and every column sums to 0.",
      p.temperature);
  Plot plot{.id = "jacobian",
            .x = counted_axis(w("logit j"), scene.n()),
            .y = counted_axis(w("weight i"), scene.n()),
            .square = true,
            .x_param = "logit",
            .y_param = "weight"};
  plot.x.color = Color::of_head(kLogitColor);
  plot.y.color = Color::of_head(kWeightColor);
  figure::Heatmap map = dense_heatmap(
      m.jacobian.cast<float>(), signed_scale(static_cast<float>(m.jacobian.cwiseAbs().maxCoeff())));
  map.pinned = {scene.weight(), scene.logit()};
  plot.marks.emplace_back(std::move(map));
  const double row_sum = m.jacobian.row(scene.weight()).sum();
  figure.footer = {{w.format("picked: {}", weight_text(m.jacobian(scene.weight(), scene.logit()))),
                    Role::accent, TextStyle::label},
                   {w.format("sum of its row: {:.1g}", row_sum), Role::dim}};
  return with(std::move(figure), std::move(plot));
}

Figure column_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("column", w.format("When logit {} rises", p.logit),
                             {.span = 6, .height = 400, .columns = 1});
  figure.note = w("one wins, the others pay");
  figure.caption = w.format(
      "Above: how fast each weight changes with logit {}. Below: the size of the whole Jacobian "
      "(Frobenius norm) against the temperature; at both ends nothing can be learned.",
      p.logit);
  const std::vector<double>& norms = m.sweep->jacobian_norm;
  Plot norm = temperature_plot(scene, "norm", w("size of the Jacobian"));
  norm.y.hi = 1.15 * *std::max_element(norms.begin(), norms.end());
  if (!(norm.y.hi > 0)) norm.y.hi = 1;
  norm.marks.emplace_back(Line{m.sweep->temperatures, norms, Color::of_head(kWeightColor), 2});
  mark_temperature(scene, m.row.jacobian_norm, norm);
  const VectorD column = m.jacobian.col(scene.logit());
  return with(
      std::move(figure),
      bar_plot({"column", w.format("d p / d x{}", p.logit), column, Color::of_head(kWeightColor),
                picks_of(1, scene.n(), "weight"), scene.weight()}),
      std::move(norm));
}

std::vector<Readout> entry_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const double entry = m.jacobian(scene.weight(), scene.logit());
  std::vector<Readout> all = row_readouts(scene);
  all.push_back(jacobian_size(scene));
  all.push_back({"entry", w("Picked entry"), entry, weight_text(entry),
                 w("How much the picked weight changes for a small change of the picked logit")});
  return finite(std::move(all));
}

Explanation explain_entry(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight(), j = scene.logit();
  Derivation d(w);
  d.begin(fmt::format("dp{}/dx{}", p.weight, p.logit),
          p.temperature == 1 ? "p_i ([i = j] - p_j)" : "p_i ([i = j] - p_j) / T");
  write_quotient(scene, i, d);
  if (i != j) write_quotient(scene, j, d);
  d.is("", fmt::format("≈ {} ({} - {}){}", long_weight(m.row.p(i)), i == j ? 1 : 0,
                       long_weight(m.row.p(j)), over(p.temperature)));
  d.about_result(weight_text(m.jacobian(i, j)));
  d.say(i == j ? w("A weight rises with its own logit, fastest when it is one half.")
               : w("A weight falls when another logit rises, in proportion to both weights."));
  std::vector<Derivation::Term> terms;
  for (Index k = 0; k < scene.n(); ++k) {
    terms.push_back({fixed(m.jacobian(k, j), 4), fmt::format("dp{}/dx{}", k + 1, p.logit)});
  }
  d.is(w.format("column {}", p.logit), "Σ_i ≈ 0").terms(terms, to_size(i));
  d.say(w("The weights always add up to 1, so their changes add up to 0."));
  return {w.format("What logit {} does to weight {}", p.logit, p.weight), d.take()};
}

}  // namespace

Page jacobian_page(const Scene& scene) {
  Page page;
  page.figures = {row_figure(scene), jacobian_figure(scene), column_figure(scene)};
  page.readouts = entry_readouts(scene);
  page.formula =
      "\\frac{\\partial p_{i}}{\\partial x_{j}} = \\frac{p_{i}\\left(\\delta_{ij} - "
      "p_{j}\\right)}{T}";
  page.explanation = explain_entry(scene);
  page.status = row_status(scene);
  return page;
}

}  // namespace lab::softmax
