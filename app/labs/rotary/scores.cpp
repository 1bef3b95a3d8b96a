// What the turned query and key score: over distance, at other places, pair by pair, everywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr Index kMostPlaces = 256;  // places that can be clicked along a curve

// A range of values with room above and below; never empty.
void fit(figure::Axis& axis, double lo, double hi) {
  const double size = std::max({std::abs(lo), std::abs(hi), 1e-6});
  const double room = std::max(0.08 * (hi - lo), 0.02 * size);
  axis.lo = lo - room;
  axis.hi = hi + room;
}

// Points along the curve whose clicks put the pair at their distance.
Points distance_points(const Scene& scene) {
  const Index reach = scene.model.distances;
  const Index step = std::max<Index>(1, (2 * reach + kMostPlaces) / kMostPlaces);
  Points points;
  for (Index t = -reach / step * step; t <= reach; t += step) {
    points.x.push_back(static_cast<double>(t));
    points.y.push_back(core::score_at(scene.model.scores, static_cast<double>(t)));
    points.picks.push_back(scene.at_distance(t, "score"));
  }
  points.color = Role::text;
  points.radius = 2 * reach > kMostPlaces ? 1.0f : (2 * reach > 96 ? 1.5f : 2.5f);
  return points;
}

void add_curve(const Curve& curve, Plot& plot) {
  Line line;
  line.color = Color(Role::text, curve.stretch == 1 ? 0.8f : 0.5f);
  if (curve.stretch == 1) {
    line.x = curve.x;
    line.y = curve.lo;
  } else {
    plot.marks.emplace_back(figure::Band{curve.x, curve.lo, curve.hi, Color(Role::text, 0.35f)});
    // Up and down within each stretch.
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      line.x.insert(line.x.end(), 2, curve.x[k]);
      line.y.push_back(k % 2 == 0 ? curve.lo[k] : curve.hi[k]);
      line.y.push_back(k % 2 == 0 ? curve.hi[k] : curve.lo[k]);
    }
    line.width = 1;
  }
  plot.marks.emplace_back(std::move(line));
}

}  // namespace

Figure score_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Curve& curve = *model.curve;
  Figure figure = new_figure("score", w("Score over distance"), {.span = 8, .height = 270});
  figure.note = w.format("distance {}: {:.3f}", model.distance, model.score);
  figure.caption = w.format(
      "The score of the turned q and k over the distance m - n of their positions; marked: "
      "distance {}, score {:.3f}.",
      model.distance, model.score);
  Plot plot{.id = "score"};
  plot.x = {w("distance m - n (positions)"), -static_cast<double>(model.distances),
            static_cast<double>(model.distances)};
  plot.y.label = w("q·k after the turn");
  fit(plot.y, curve.lowest, curve.highest);
  if (curve.stretch > 1) {
    plot.note = w.format("each point stands for {} distances, from their lowest to their highest",
                         curve.stretch);
  }
  add_curve(curve, plot);
  plot.marks.emplace_back(distance_points(scene));
  const auto t = static_cast<double>(model.distance);
  plot.marks.emplace_back(figure::Rule{true, t, Role::accent, true, {}});
  figure::Handle handle;
  handle.x = t, handle.y = model.score;
  handle.also = {{"explain", "score"}};
  plot.marks.emplace_back(std::move(handle));
  return with(std::move(figure), std::move(plot));
}

Figure moved_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Moved& moved = model.moved;
  Figure figure = new_figure("moved", w("Both moved: the same score"), {.span = 4, .height = 270});
  figure.caption = w.format(
      "The score computed from the turned vectors, both moved together; the largest deviation from "
      "the score by distance is {:.1e}.",
      moved.deviation);
  Plot plot{.id = "moved"};
  plot.x = {w("the earlier one stands at"), 1, kLastPosition, figure::AxisScale::log};
  plot.y.label = w("q·k after the turn");
  fit(plot.y, std::min(model.curve->lowest, model.score),
      std::max(model.curve->highest, model.score));
  plot.note = w.format("largest deviation {:.1e}", moved.deviation);
  Line line;
  line.x = {1, static_cast<double>(kLastPosition)};
  line.y = {model.score, model.score};
  line.color = Color(Role::text, 0.4f);
  plot.marks.emplace_back(std::move(line));
  Points points;
  points.x = moved.places, points.y = moved.scores;
  for (const double place : moved.places) {
    points.picks.push_back({{"moved_to", fmt::format("{:.0f}", place)}, {"explain", "score"}});
  }
  points.color = Role::text;
  plot.marks.emplace_back(std::move(points));
  figure::Handle handle;
  handle.x = p.moved_to, handle.y = moved.own;
  handle.x_param = "moved_to";
  handle.label = fmt::format("{:.3f}", moved.own);
  plot.marks.emplace_back(std::move(handle));
  return with(std::move(figure), std::move(plot));
}

Figure terms_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto t = static_cast<double>(model.distance);
  Figure figure = new_figure("terms", w("What each pair adds"), {.span = 7, .height = 250});
  figure.note = w.format("their sum is {:.3f}", model.score);
  figure.caption = w.format(
      "At distance {} each pair adds |q||k| times the cosine of the angle between its hands; the "
      "sum is the score {:.3f}.",
      model.distance, model.score);
  Plot plot{.id = "terms"};
  figure::Bars bars;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    bars.values.push_back(model.pairs[i].term(t));
    bars.picks.push_back({{"pair", fmt::format("{}", i)}, {"explain", "dial"}});
  }
  bars.color = Role::dim;
  bars.marked = p.pair;
  const double largest = std::max(largest_size(bars.values), 1e-6);
  plot.x = cell_axis(w("pair"), static_cast<Index>(bars.values.size()));
  plot.y = {w("part of q·k"), -largest, largest};
  plot.marks.emplace_back(std::move(bars));
  return with(std::move(figure), std::move(plot));
}

Figure every_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("every", w("One diagonal, one score"), {.span = 5, .height = 300});
  figure.caption = w.format(
      "The score of this q and k with the query at each position (row) and the key at each "
      "(column), 0 to {}: every diagonal, one distance, has one colour.",
      model.places);
  Plot plot{.id = "every"};
  plot.square = true;
  plot.x = cell_axis(w("key at n"), model.places + 1, "key_place");
  plot.y = cell_axis(w("query at m"), model.places + 1, "query_place");
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  figure::Heatmap map;
  map.source = model.every;
  map.scale = signed_scale(static_cast<float>(model.every_largest));
  map.pool = p.pool;
  map.row_param = std::string("m");
  map.col_param = std::string("n");
  map.also = {{"explain", "score"}};
  map.pinned = {p.m, p.n};
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::rotary
