// The whole context as running rows of colour, and distances as rounded ids see them.
#include <fmt/format.h>

#include "app/labs/position_ids/page.h"

namespace lab::position_ids {
namespace {

using figure::ColorScale;
using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

figure::Axis window_axis(const Scene& scene, std::string label, std::string link, Role color) {
  figure::Axis axis = cell_axis(std::move(label), 0, std::move(link));
  axis.lo = static_cast<double>(scene.p.start);
  axis.hi = static_cast<double>(scene.p.end());
  axis.color = color;
  return axis;
}

Plot matrix_plot(const Scene& scene, std::string id, std::string title,
                 std::shared_ptr<const figure::TileSource> source, const ColorScale& scale) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = window_axis(scene, w("key id j"), "key id", Role::key);
  plot.y = window_axis(scene, w("query id i"), "query id", Role::query);
  plot.square = true;
  plot.x_param = "other";
  plot.y_param = "id";
  plot.click = {{"explain", "distance"}};
  Heatmap map;
  map.source = std::move(source);
  map.scale = scale;
  map.pool = p.pool;
  const Index row = p.id - p.start, col = p.other - p.start;
  if (row >= 0 && col >= 0 && row < p.shown() && col < p.shown()) map.pinned = {row, col};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// Distances to keys before the query are never negative.
ColorScale seen_scale(const Scene& scene) {
  const auto largest = static_cast<float>(scene.model.largest_seen);
  ColorScale scale = signed_scale(largest);
  if (scene.p.causal && !scene.p.rounding.stochastic()) {
    scale.map = figure::MapName::viridis;
    scale.lo = 0;
  }
  return scale;
}

}  // namespace

Figure context_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index columns = model.context->cols();
  Figure figure = new_figure("context", w("The whole context"), {.span = 5, .height = 380});
  figure.note = w.format("{} ids, {} a row", p.length, columns);
  figure.caption = w.format(
      "Ids 0 to {} in rows of {}, in {} ({}): a run of one colour is one value, hatched ids have "
      "become infinite or NaN.",
      p.length - 1, columns, scene.format_name(), scene.rounding_name());
  Plot plot{.id = "context"};
  plot.x = cell_axis(w("id, within its row"), columns);
  plot.y = cell_axis(w.format("rows of {} ids", columns), model.context->rows());
  Heatmap map;
  map.source = model.context;
  map.scale = {figure::MapName::groups, figure::Transform::linear, 0, 256};
  map.color_bar = false;
  map.pinned = {p.id / columns, p.id % columns};
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure distances_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::DistanceFacts& facts = *model.distances;
  Figure figure = new_figure("distances", w("Distance i - j as the rounded ids see it"),
                             {.span = 7, .height = 380, .columns = 2});
  figure.note = w.format("ids {} to {}", p.start, p.end() - 1);
  figure.caption = w.format(
      "Distances between ids {} to {} taken from ids rounded to {} ({}), and what is wrong with "
      "them; row: query, column: key.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  figure.plots = {matrix_plot(scene, "seen", w("distance seen"), model.seen, seen_scale(scene)),
                  matrix_plot(scene, "distance_error", w("seen - true"), model.error,
                              signed_scale(static_cast<float>(model.largest_error)))};
  const auto pairs = static_cast<double>(facts.pairs);
  using figure::TextStyle;
  figure.footer = {
      {w.format("right: {} of all pairs", percent(static_cast<double>(facts.exact) / pairs)),
       Role::dim, TextStyle::label},
      {w.format("by more than 1 wrong: {}",
                percent(static_cast<double>(facts.wrong_by_more) / pairs)),
       Role::dim, TextStyle::label}};
  return figure;
}

}  // namespace lab::position_ids
