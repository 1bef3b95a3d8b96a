// The plane: the score's field with query and keys on it, values and outputs, and all scoring
// functions side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/scoring/page.h"

namespace lab::scoring {
namespace {

using figure::Assignments;
using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;
using figure::TextStyle;

Plot plane_plot(std::string id, std::string title) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.square = true;
  plot.upright = true;
  plot.x.lo = plot.y.lo = -kEdge;
  plot.x.hi = plot.y.hi = kEdge;
  return plot;
}

Assignments key_pick(Index key) { return {{"key", fmt::format("{}", key)}}; }

void add_keys(const Scene& scene, Plot& plot) {
  const MatrixD& keys = scene.plane().keys;
  for (Index j = 0; j < keys.rows(); ++j) {
    figure::Handle handle;
    handle.x = keys(j, 0);
    handle.y = keys(j, 1);
    handle.points_param = "keys";
    handle.point = static_cast<std::size_t>(j);
    handle.also = key_pick(j);
    handle.color = Role::key;
    handle.radius = j == scene.p.key ? 8 : 6;
    handle.label = scene.key_name(j);
    plot.marks.emplace_back(std::move(handle));
  }
}

void add_query(const Scene& scene, Plot& plot) {
  figure::Handle handle;
  handle.x = scene.p.q_x;
  handle.y = scene.p.q_y;
  handle.x_param = "q_x";
  handle.y_param = "q_y";
  handle.color = Role::query;
  handle.radius = 8;
  handle.label = "q";
  plot.marks.emplace_back(std::move(handle));
}

Plot field_plot(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Matrix& field = m.plane->fields->scores[static_cast<std::size_t>(p.scoring)];
  Plot plot = plane_plot("field", w.format("score of {} wherever q stands", scene.key_name(p.key)));
  figure::Heatmap map =
      dense_heatmap(field, signed_scale(field.size() > 0 ? field.cwiseAbs().maxCoeff() : 0));
  plot.marks.emplace_back(std::move(map));
  plot.points_param = "keys";
  add_keys(scene, plot);
  add_query(scene, plot);
  return plot;
}

// From the output to each value, the stronger the more it weighs.
void add_pull(const Scene& scene, Plot& plot) {
  const Answer& answer = scene.answer();
  const MatrixD& values = scene.plane().values;
  for (Index j = 0; j < values.rows(); ++j) {
    const auto strength = static_cast<float>(0.12 + 0.88 * answer.weights(j));
    plot.marks.emplace_back(figure::Line{{answer.output[0], values(j, 0)},
                                         {answer.output[1], values(j, 1)},
                                         Color(Role::value, strength),
                                         1 + 4 * strength});
  }
}

void add_values(const Scene& scene, Plot& plot) {
  const MatrixD& values = scene.plane().values;
  for (Index j = 0; j < values.rows(); ++j) {
    figure::Handle handle;
    handle.x = values(j, 0);
    handle.y = values(j, 1);
    // A key's own place as its value is no point of the list, and cannot be dragged.
    if (j < static_cast<Index>(scene.p.values.size())) {
      handle.points_param = "values";
      handle.point = static_cast<std::size_t>(j);
    }
    handle.also = key_pick(j);
    handle.color = Role::value;
    handle.radius = j == scene.p.key ? 8 : 6;
    handle.label = fmt::format("v{}", j);
    plot.marks.emplace_back(std::move(handle));
  }
}

// The outputs of all scoring functions, the chosen one first: it has its name where there is room
// for one only.
void add_outputs(const Scene& scene, Plot& plot) {
  const auto add = [&](Scoring scoring) {
    const Answer& answer = scene.plane().answers[static_cast<std::size_t>(scoring)];
    if (answer.weights.size() == 0) return;
    const bool chosen = scoring == scene.p.scoring;
    figure::Handle output;
    output.x = answer.output[0];
    output.y = answer.output[1];
    output.also = {{"score", std::string(scoring_id(scoring))}, {"explain", "output"}};
    output.color = chosen ? Color(Role::accent) : Color(Role::dim);
    output.radius = chosen ? 7 : 4;
    output.label = scene.score_name(scoring);
    plot.marks.emplace_back(std::move(output));
  };
  add(scene.p.scoring);
  for (int k = 0; k < kScorings; ++k) {
    if (const auto scoring = static_cast<Scoring>(k); scoring != scene.p.scoring) add(scoring);
  }
}

Plot value_plot(const Scene& scene) {
  Plot plot = plane_plot("values", scene.w("values, and the output between them"));
  add_pull(scene, plot);
  add_outputs(scene, plot);
  add_values(scene, plot);
  return plot;
}

std::vector<Assignments> bar_picks(Index count, Scoring scoring, const char* explained) {
  std::vector<Assignments> picks;
  for (Index j = 0; j < count; ++j) {
    picks.push_back({{"score", std::string(scoring_id(scoring))},
                     {"key", fmt::format("{}", j)},
                     {"explain", explained}});
  }
  return picks;
}

Plot score_bars(const Scene& scene, Scoring scoring, double largest) {
  const Answer& answer = scene.plane().answers[static_cast<std::size_t>(scoring)];
  Plot plot = weight_bars(fmt::format("scores_{}", scoring_id(scoring)), scene.score_name(scoring),
                          answer.scores, Role::key, static_cast<int>(scene.p.key),
                          bar_picks(answer.scores.size(), scoring, "score"));
  plot.y.lo = -1.2 * largest;
  plot.y.hi = 1.2 * largest;
  plot.selected = scoring == scene.p.scoring;
  return plot;
}

}  // namespace

Plot weight_bars(std::string id, std::string title, const VectorD& weights, Color color, int marked,
                 std::vector<Assignments> picks) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis("", std::max<Index>(1, weights.size()));
  plot.y.hi = 1.18;
  figure::Bars bars;
  bars.values.assign(weights.begin(), weights.end());
  bars.color = color;
  bars.marked = marked;
  bars.picks = std::move(picks);
  plot.marks.emplace_back(std::move(bars));
  return plot;
}

Figure plane_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Answer& answer = scene.answer();
  Figure figure = new_figure("plane", w("Query, keys and values"), {.height = 420, .columns = 2});
  figure.note = scene.score_name(p.scoring);
  figure.caption = w.format(
      "Left: the {} score of key {} for every place of the query, with the query (blue) and the "
      "keys (red). Right: the values (green) and the output, their mean weighted by softmax; small "
      "points: the outputs of the other scoring functions.",
      scene.score_name(p.scoring), p.key);
  figure.plots = {field_plot(scene), value_plot(scene)};
  if (answer.weights.size() > 0) {
    figure.footer = {
        {w.format("score of {}: {}", scene.key_name(p.key), score_text(answer.scores(p.key))),
         Role::key, TextStyle::label},
        {w.format("weight: {}", weight_text(answer.weights(p.key))), Role::accent,
         TextStyle::label},
        {w.format("output ({:.3f}, {:.3f})", answer.output[0], answer.output[1]), Role::value,
         TextStyle::label}};
  }
  return figure;
}

Figure compare_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("compare", w("Five scoring functions, the same query and keys"));
  figure.note = w("above: scores, below: weights");
  figure.caption =
      w("Scores of every key, and the weights that softmax makes of them, by dot product, dot "
        "product divided by √2, additive, bilinear and Gaussian score.");
  figure.columns = kScorings;
  figure.height = 330;
  double largest = 1e-3;
  for (const Answer& answer : m.plane->answers) {
    for (const double score : answer.scores) largest = std::max(largest, std::abs(score));
  }
  for (int k = 0; k < kScorings; ++k) {
    figure.plots.push_back(score_bars(scene, static_cast<Scoring>(k), largest));
  }
  for (int k = 0; k < kScorings; ++k) {
    const auto scoring = static_cast<Scoring>(k);
    const VectorD& weights = m.plane->answers[static_cast<std::size_t>(k)].weights;
    figure.plots.push_back(weight_bars(fmt::format("weights_{}", scoring_id(scoring)), "", weights,
                                       Role::value, p.key,
                                       bar_picks(weights.size(), scoring, "weight")));
    figure.plots.back().selected = scoring == p.scoring;
  }
  return figure;
}

Figure fields_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure(
      "fields", w.format("Where the query gives its weight to {}", scene.key_name(p.key)),
      {.height = 210, .columns = kScorings});
  figure.caption = w.format(
      "The weight of key {} for every place of the query in the plane, by scoring function.",
      p.key);
  for (int k = 0; k < kScorings; ++k) {
    const auto scoring = static_cast<Scoring>(k);
    Plot plot = plane_plot(fmt::format("field_{}", scoring_id(scoring)), scene.score_name(scoring));
    plot.thumbnail = true;
    plot.selected = scoring == p.scoring;
    plot.click = {{"score", std::string(scoring_id(scoring))}, {"explain", "weight"}};
    figure::ColorScale scale;
    scale.hi = 1;
    figure::Heatmap map =
        dense_heatmap(m.plane->fields->weights[static_cast<std::size_t>(k)], scale);
    map.color_bar = false;
    plot.marks.emplace_back(std::move(map));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace lab::scoring
