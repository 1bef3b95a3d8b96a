// Ways to hide a key, side by side with the right answer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/layout.h"
#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;
using figure::TextStyle;

constexpr std::array<const char*, kWays> kWayIds{
    "left_out",          "minus_million",      "minus_two_to_32", "minus_infinity",
    "scores_times_mask", "weights_times_mask", "renormalised"};
constexpr std::array<const char*, 3> kArithmetics{"float64", "float32", "float16"};

// Differences that rounding in the chosen arithmetic explains are no mistake of the way.
double tolerance(Arithmetic arithmetic) {
  constexpr std::array<double, 3> kTolerance{1e-12, 1e-5, 1e-2};
  return kTolerance[static_cast<std::size_t>(arithmetic)];
}

bool is_right(const Hidden& hidden, Arithmetic arithmetic) {
  return !hidden.broken() && hidden.error <= tolerance(arithmetic);
}

figure::Assignments way_pick(std::size_t way) { return {{"way", kWayIds[way]}}; }

Plot way_plot(const Scene& scene, std::size_t k) {
  const auto& [p, m, w] = scene;
  const Hidden& hidden = m.fills->formats[static_cast<std::size_t>(p.arithmetic)][k];
  const bool right = is_right(hidden, p.arithmetic);
  Plot plot = bar_plot(fmt::format("way_{}", kWayIds[k]), scene.way_name(static_cast<Way>(k)),
                       hidden.weights, right ? Role::good : Role::bad,
                       picks_of(scene.n(), "weight", way_pick(k)));
  plot.y.lo = 0;
  plot.y.hi = 1.18;
  plot.click = way_pick(k);
  plot.selected = static_cast<Way>(k) == p.way;
  plot.note = hidden.broken() ? std::string("NaN")
                              : w.format("hidden keys get {}", weight_text(hidden.leaked));
  auto& bars = std::get<figure::Bars>(plot.marks.front());
  bars.marked = plot.selected ? static_cast<int>(scene.weight()) : -1;
  if (p.visible < p.count) {
    plot.marks.emplace_back(
        figure::Rule{true, static_cast<double>(p.visible) + 1, Role::dim, true, {}});
  }
  return plot;
}

figure::Table::Cell cell(const Hidden& hidden, Arithmetic arithmetic, bool chosen) {
  if (hidden.broken()) return {{"NaN", Role::bad, TextStyle::mono_bold}};
  const bool right = is_right(hidden, arithmetic);
  const auto style = chosen ? TextStyle::mono_bold : TextStyle::mono;
  return {{weight_text(hidden.leaked), right ? Role::good : Role::bad, style}};
}

}  // namespace

Figure hidden_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("hidden", w("A row whose last keys are hidden"), {.height = 280, .columns = 2});
  figure.note = w.format("{} of {} keys visible, logits lowered by {}", p.visible, p.count,
                         figure::number_text(p.lowered, 6));
  figure.caption = w.format(
      "{} logits, of which the first {} are visible, and the right weights: softmax over the "
      "visible ones alone. Every logit is then lowered by {}, which changes none of them.",
      p.count, p.visible, figure::number_text(p.lowered, 6));
  Plot logits = logit_plot(scene, p.visible);
  if (p.visible > 0) {
    figure::Handle edge;
    edge.x = p.visible + 0.5;
    edge.y = 0.88 * logits.y.hi;
    edge.x_param = "visible";
    edge.color = Role::good;
    logits.marks.emplace_back(figure::Rule{true, p.visible + 1.0, Role::good, true, {}});
    logits.marks.emplace_back(std::move(edge));
  }
  Plot right = bar_plot("right", w("the right weights"), m.fills->right, Role::good,
                        picks_of(scene.n(), "weight", way_pick(0)));
  right.y.hi = 1.18;
  right.note = w.format("Σ p = {:.4f}", m.fills->right.sum());
  std::get<figure::Bars>(right.marks.front()).marked = static_cast<int>(scene.weight());
  figure.plots = {std::move(logits), std::move(right)};
  return figure;
}

Figure ways_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("ways", w("Six ways to hide them"), {.height = 400, .columns = 3});
  figure.note = w.format("{}; green: right", scene.arithmetic_name());
  figure.caption = w.format(
      "The weights when hidden keys are overwritten by a fill before softmax, or multiplied by the "
      "mask before or after it, in {}. Green: equal to the right weights up to rounding.",
      scene.arithmetic_name());
  for (std::size_t k = 1; k < kWays; ++k) figure.plots.push_back(way_plot(scene, k));
  return figure;
}

Figure leak_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("leak", w("What leaks when all logits are low"), {.span = 6, .height = 330});
  figure.note = scene.arithmetic_name();
  figure.caption = w.format(
      "The weight that hidden keys get, against how far every logit is lowered, in {}. A finite "
      "fill hides nothing that is lower than itself.",
      scene.arithmetic_name());
  Plot plot{.id = "leak"};
  plot.x.label = w("logits lowered by");
  plot.y.label = w("weight on hidden keys");
  plot.x.scale = figure::AxisScale::log;
  plot.x.lo = 1;
  plot.x.hi = 1e11;
  plot.y.hi = 1.08;
  plot.x_param = "lowered";
  struct Drawn {
    Way way;
    int color;
  };
  for (const Drawn drawn : {Drawn{Way::million, 1}, Drawn{Way::two_to_32, 10},
                            Drawn{Way::infinity, 4}, Drawn{Way::weights_times_mask, 9}}) {
    const bool chosen = drawn.way == p.way;
    plot.marks.emplace_back(figure::Line{m.fills->lowered,
                                         m.fills->leaks[static_cast<std::size_t>(drawn.way)],
                                         chosen ? Color(Role::accent) : Color::of_head(drawn.color),
                                         chosen ? 2.5f : 1.6f, false, scene.way_name(drawn.way)});
  }
  plot.marks.emplace_back(figure::Rule{true, p.lowered, Color(Role::accent, 0.6f), true, {}});
  return with(std::move(figure), std::move(plot));
}

Figure formats_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("formats", w("Weight on hidden keys, in three formats"));
  figure.caption =
      w("What hidden keys get, by way and number format. Red: some weight is wrong, whether the "
        "hidden keys get anything or not; NaN: a weight is 0/0 or ∞ - ∞.");
  figure.span = 6;
  figure.height = 330;
  figure::Table table;
  table.columns = {{w("way"), 2.2f, -1}};
  for (const char* name : kArithmetics) table.columns.push_back({name, 1, 1});
  for (std::size_t k = 0; k < kWays; ++k) {
    const bool chosen = static_cast<Way>(k) == p.way;
    std::vector<figure::Table::Cell> row{
        {{scene.way_name(static_cast<Way>(k)), Role::text, TextStyle::label}}};
    for (std::size_t f = 0; f < kArithmetics.size(); ++f) {
      const auto arithmetic = static_cast<Arithmetic>(f);
      row.push_back(cell(m.fills->formats[f][k], arithmetic, arithmetic == p.arithmetic));
    }
    table.rows.push_back(std::move(row));
    table.picks.push_back(way_pick(k));
    if (chosen) table.marked = static_cast<int>(k);
  }
  Plot plot{.id = "formats"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::softmax
