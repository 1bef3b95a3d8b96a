// One row: its logits, its weights, and the other forms beside softmax.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;

// Which weight is marked, and what a click on one sets, depends on what is looked at.
std::vector<figure::Assignments> weight_picks(const Scene& scene) {
  switch (scene.p.view) {
    case View::loss:
      return picks_of(scene.n(), "label");
    case View::jacobian:
      return picks_of(scene.n(), "weight");
    default:
      return picks_of(scene.n(), "weight", {{"explain", "weight"}});
  }
}

Plot weight_plot(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const bool loss = p.view == View::loss;
  Plot plot = bar_plot("weights", w("weights p = softmax(x / T)"), m.row.p,
                       Color::of_head(kWeightColor), weight_picks(scene));
  auto& bars = std::get<figure::Bars>(plot.marks.front());
  bars.marked = static_cast<int>(loss ? scene.label() : scene.weight());
  plot.y.hi = 1.12;
  plot.note = loss ? w.format("true class: {}", p.label) : w.format("Σ p = {:.4f}", m.row.p.sum());
  return plot;
}

}  // namespace

Figure row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("row", w("From logits to weights"), {.height = 300, .columns = 2});
  figure.note = p.view == View::weights && p.shift != 0
                    ? w.format("T = {:.3g}, {:+g} added to every logit", p.temperature, p.shift)
                    : w.format("T = {:.3g}", p.temperature);
  figure.caption = w.format(
      "{} logits and their softmax at temperature {:.4g}: each weight is the exponential of its "
      "logit divided by the sum of all.",
      p.count, p.temperature);
  figure.plots = {logit_plot(scene, scene.n()), weight_plot(scene)};
  return figure;
}

Figure forms_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("forms", w("Beside softmax"), {.height = 230, .columns = 3});
  figure.caption = w.format(
      "For the same {} logits: hardmax, the logarithm of softmax, and softmax as it is written, "
      "without subtracting the largest logit, in float32.",
      p.count);
  Plot hard = bar_plot("hardmax", w("hardmax"), m.row.hardmax, Color::of_head(kWeightColor),
                       picks_of(scene.n(), "weight", {{"explain", "hardmax"}}));
  hard.y.hi = 1.18;
  Plot log = bar_plot("log_weights", w("log p"), m.row.log_p, Color::of_head(kOtherColor),
                      picks_of(scene.n(), "weight", {{"explain", "log_weight"}}));
  Plot naive = bar_plot("naive", w("exp(x) / Σ exp(x) in float32"), m.row.naive, Role::dim,
                        picks_of(scene.n(), "weight", {{"explain", "naive"}}));
  if (m.row.naive.array().isNaN().any()) {
    naive.note = w("NaN");
  } else {
    naive.y.hi = 1.18;
  }
  figure.plots = {std::move(hard), std::move(log), std::move(naive)};
  for (Plot& plot : figure.plots) {
    std::get<figure::Bars>(plot.marks.front()).marked = static_cast<int>(scene.weight());
  }
  return figure;
}

}  // namespace lab::softmax
