// The whole context as running rows of colour, and distances as rounded ids see them.
#include "app/labs/position_ids/page.h"

namespace lab::position_ids {
namespace {

Plot matrix_plot(const Scene& scene, std::string id, std::string title,
                 std::shared_ptr<const figure::TileSource> source,
                 const figure::ColorScale& scale) {
  const auto& [p, model, w] = scene;
  figure::Heatmap map{.source = std::move(source), .scale = scale, .pool = p.pool};
  const Index row = p.id - p.start, col = p.other - p.start;
  if (row >= 0 && col >= 0 && row < p.shown() && col < p.shown()) map.pinned = {row, col};
  return {.id = std::move(id),
          .title = std::move(title),
          .x = scene.window_axis(w("key id j"), "key id", Role::key),
          .y = scene.window_axis(w("query id i"), "query id", Role::query),
          .marks = {std::move(map)},
          .square = true,
          .click = explains("distance"),
          .x_param = "other",
          .y_param = "id"};
}

// Distances to keys before the query are never positive.
figure::ColorScale seen_scale(const Scene& scene) {
  figure::ColorScale scale = signed_scale(static_cast<float>(scene.model.matrices->largest_seen));
  if (scene.p.causal && !scene.p.rounding.stochastic()) {
    scale.map = figure::MapName::viridis;
    scale.hi = 0;
  }
  return scale;
}

}  // namespace

figure::Heatmap groups_map(std::shared_ptr<const figure::TileSource> source) {
  return {.source = std::move(source),
          .scale = {figure::MapName::groups, figure::Transform::linear, 0, 256},
          .color_bar = false};
}

figure::Axis Scene::window_axis(std::string label, std::string link, Color color) const {
  figure::Axis axis = cell_axis(std::move(label), p.end(), std::move(link));
  axis.lo = to_double(p.start);
  axis.color = color;
  return axis;
}

Figure context_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index columns = model.context->cols();
  Figure figure = new_figure("context", w("The whole context"), {.span = 5, .height = 380});
  figure.note = w.format("{} ids, {} a row", p.length, columns);
  figure.caption = w.format(
      "Ids 0 to {} in rows of {}, in {} ({}): a run of one colour is one value, hatched ids have "
      "become infinite or NaN.",
      p.length - 1, columns, scene.format_name(), scene.rounding_name());
  figure::Heatmap map = groups_map(model.context);
  map.pinned = {p.id / columns, p.id % columns};
  return with(std::move(figure),
              Plot{.id = "context",
                   .x = cell_axis(w("id, within its row"), columns),
                   .y = cell_axis(w.format("rows of {} ids", columns), model.context->rows()),
                   .marks = {std::move(map)}});
}

Figure distances_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Matrices& m = *model.matrices;
  const core::DistanceFacts& facts = *model.distances;
  Figure figure = new_figure("distances", w("Distance j - i as the rounded ids see it"),
                             {.span = 7, .height = 380, .columns = 2});
  figure.note = w.format("ids {} to {}", p.start, p.end() - 1);
  figure.caption = w.format(
      "Distances between ids {} to {} taken from ids rounded to {} ({}), and what is wrong with "
      "them; row: query, column: key.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  const auto share = [&](Index pairs) {
    return percent(to_double(pairs) / to_double(facts.pairs), 2);
  };
  const auto footer = [](std::string text) {
    return figure::Span{std::move(text), Role::dim, TextStyle::label};
  };
  figure.footer = {footer(w.format("right: {} of all pairs", share(facts.exact))),
                   footer(w.format("by more than 1 wrong: {}", share(facts.wrong_by_more)))};
  return with(std::move(figure),
              matrix_plot(scene, "seen", w("distance seen"), m.seen, seen_scale(scene)),
              matrix_plot(scene, "distance_error", w("seen - true"), m.error,
                          signed_scale(static_cast<float>(m.largest_error))));
}

}  // namespace lab::position_ids
