// The weights of all queries: queries by keys.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/pooling/page.h"

namespace lab::pooling {
namespace {

using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

Plot weight_plot(const Scene& scene, std::string id, std::string title, const Pooled& pooled,
                 double largest) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(w("key j, in order of x"), scene.data().size(), "keys");
  plot.x.color = Role::key;
  plot.y = cell_axis(w("query i"), p.queries, "queries");
  plot.y.color = Role::query;
  plot.y.marked = p.query;
  Heatmap map;
  map.source = pooled.cells;
  map.scale.hi = static_cast<float>(largest > 0 ? largest * (1 + 1e-6) : 1);
  map.pool = p.pool;
  map.row_param = "query";
  map.col_param = "key";
  map.also = {{"explain", "prediction"}};
  if (const auto key = scene.key()) map.pinned = {p.query, *key};
  map.bar_label = w("weight α");
  plot.marks.emplace_back(std::move(map));
  return plot;
}

}  // namespace

Figure attention_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("attention", w("Attention: every query over every key"),
                             {.span = model.before || !model.sweep ? 12 : 7, .height = 340});
  const double mine = model.pooled->largest;
  if (!model.before) {
    figure.note = w("click a cell");
    figure.caption = w.format("Attention weights of {} queries (rows) over {} keys (columns).",
                              p.queries, scene.data().size());
    figure.plots.push_back(weight_plot(scene, "attention", "", *model.pooled, mine));
    return figure;
  }
  const double largest = std::max(mine, model.before->largest);
  figure.note = w("one colour scale");
  figure.caption = w.format(
      "Attention weights of {} queries (rows) over {} keys (columns) before training (w = {}) and "
      "after step {} (w = {}), on one colour scale.",
      p.queries, scene.data().size(), number(p.w0), model.step, number(model.state().w));
  figure.columns = 2;
  figure.plots.push_back(weight_plot(scene, "attention_before",
                                     w.format("before training: w = {}", number(p.w0)),
                                     *model.before, largest));
  figure.plots.push_back(weight_plot(
      scene, "attention", w.format("after step {}: w = {}", model.step, number(model.state().w)),
      *model.pooled, largest));
  return figure;
}

}  // namespace lab::pooling
