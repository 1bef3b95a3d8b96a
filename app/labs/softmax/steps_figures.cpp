// Key, future and query mask, one after the other, on the same scores.
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

Plot cell_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
               const core::Mask& mask, const figure::ColorScale& scale) {
  const auto& [p, m, w] = scene;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(w("key j"), p.tokens, "token");
  plot.x.color = Role::key;
  plot.y = cell_axis(w("query i"), p.tokens, "row");
  plot.y.color = Role::query;
  plot.square = true;
  figure::Heatmap map = masked_heatmap(cells, mask, scale);
  map.row_param = "query";
  map.col_param = "key";
  map.pinned = {p.query, p.key};
  map.color_bar = false;
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// Cells that the fill overwrote are hatched.
core::Mask not_filled(const Scene& scene, const MatrixD& cells) {
  return core::Mask::dense((cells.array() != fill_value(scene.p.fill)).matrix());
}

std::string_view off(bool on) { return on ? std::string_view() : N_("off"); }

}  // namespace

Figure steps_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  const bool before = p.multiplies_scores();
  Figure figure =
      new_figure("steps", w("Three masks, one after the other"), {.height = 560, .columns = 3});
  figure.note = w.format("{} of {} tokens are real", p.valid, p.tokens);
  figure.caption = w.format(
      "Scores of {} tokens, {} of them real; row: query, column: key. Key and future mask "
      "overwrite scores by {} (hatched); the query mask multiplies {}. Last: everything masked "
      "left out.",
      p.tokens, p.valid, scene.fill_name(), before ? w("scores") : w("weights"));
  const auto scores = signed_scale(static_cast<float>(s.scores.cwiseAbs().maxCoeff()));
  figure::ColorScale weights;
  weights.hi = 1;
  const core::Mask all = core::Mask::none(p.tokens, p.tokens);
  const auto add = [&](const char* id, std::string title, const MatrixD& cells,
                       const core::Mask& mask, const figure::ColorScale& scale,
                       std::string_view note) {
    figure.plots.push_back(cell_plot(scene, id, std::move(title), cells, mask, scale));
    if (!note.empty()) figure.plots.back().note = scene.w(note);
  };
  add("scores", w("scores"), s.scores, all, scores, "");
  add("after_keys", w("1 key mask"), s.after_keys, not_filled(scene, s.after_keys), scores,
      off(p.key_mask));
  add("after_future", w("2 future mask"), s.after_future, not_filled(scene, s.after_future), scores,
      off(p.future_mask));
  if (before) {
    add("query_mask", w("3 query mask: × 0"), s.before_softmax, not_filled(scene, s.before_softmax),
        scores, off(p.query_mask));
    add("weights", w("4 softmax"), s.weights, all, weights, "");
  } else {
    add("softmax", w("3 softmax"), s.softmax, all, weights, "");
    add("weights", w("4 query mask: × 0"), s.weights, all, weights, off(p.query_mask));
  }
  add("right", w("all masked left out"), s.right, s.mask, weights, "");
  return figure;
}

Figure steps_row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  Figure figure = new_figure("steps_row", w.format("What query {} looks at", p.query),
                             {.height = 220, .columns = 2});
  figure.note = p.query < p.valid ? w("a real token") : w("padding");
  figure.caption = w.format(
      "The weights of query {}: after the masks one after the other, and with everything masked "
      "left out.",
      p.query);
  for (const bool step : {true, false}) {
    const VectorD row = (step ? s.weights : s.right).row(p.query);
    Plot plot =
        bar_plot(step ? "row_steps" : "row_right", step ? w("one after the other") : w("left out"),
                 row, step ? Color::of_head(kWeightColor) : Color(Role::good), {});
    plot.x = cell_axis(w("key j"), p.tokens, "token");
    plot.x.color = Role::key;
    plot.y.lo = 0;
    plot.y.hi = 1.18;
    auto& bars = std::get<figure::Bars>(plot.marks.front());
    bars.marked = p.key;
    for (int j = 0; j < p.tokens; ++j) bars.picks.push_back({{"key", fmt::format("{}", j)}});
    plot.note = w.format("Σ p = {}", weight_text(row.sum()));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace lab::softmax
