// How long a sequence stays distinguishable.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::AxisScale;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

constexpr double kLeastDistance = 1e-7;  // on a logarithmic axis; 0 is drawn here

// The smallest distance as a staircase over the length, which is one more than the lag.
Line staircase(const std::vector<core::Lag>& records, double last_length) {
  Line line;
  for (std::size_t k = 0; k < records.size(); ++k) {
    const double y = std::max(records[k].distance, kLeastDistance);
    line.x.push_back(static_cast<double>(records[k].lag + 1));
    line.y.push_back(y);
    line.x.push_back(k + 1 < records.size() ? static_cast<double>(records[k + 1].lag + 1)
                                            : last_length);
    line.y.push_back(y);
  }
  return line;
}

figure::Axis log_axis(std::string label, double lo, double hi) {
  figure::Axis axis = value_axis(std::move(label), lo, hi);
  axis.scale = AxisScale::log;
  return axis;
}

double largest_distance(const Collisions& c) {
  double largest = c.distance.size() ? c.distance.maxCoeff() : 1;
  for (const auto& records : c.width_records) {
    for (const core::Lag& lag : records) largest = std::max(largest, lag.distance);
  }
  return std::max(largest, 1.0);
}

Figure separation_figure(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  const double last = std::max<double>(3, static_cast<double>(c.records.back().lag + 1));
  const bool grid = scene.p.grid();
  const double length = std::max(last, grid ? std::max(scene.p.grid_height, scene.p.grid_width)
                                            : static_cast<double>(scene.table().filled));
  Figure figure = new_figure("separation", scene.w("The two nearest positions, against length"),
                             {.span = 7, .height = 340});
  figure.note = scene.w.format("dashed: {}", short_number(scene.p.threshold));
  figure.caption = scene.w.format(
      "The smallest distance between any two of the first n encodings; it can only fall as n "
      "grows. Points are distances at which it falls. Threshold {}.",
      short_number(scene.p.threshold));
  Plot plot{.id = "separation_curve"};
  plot.x =
      log_axis(grid ? scene.w("places along an axis") : scene.w("length n (positions)"), 2, length);
  double least = scene.p.threshold;
  const auto look = [&](const std::vector<core::Lag>& records) {
    if (!records.empty()) {
      least = std::min(least, std::max(records.back().distance, kLeastDistance));
    }
  };
  look(c.records);
  for (const auto& records : c.width_records) look(records);
  plot.y = log_axis(scene.w("smallest distance"), least / 2, 2 * largest_distance(c));
  for (std::size_t k = 0; k < c.width_records.size(); ++k) {
    if (c.widths[k] == scene.p.width) continue;
    Line line = staircase(c.width_records[k], length);
    line.color = figure::Color::of_head(static_cast<int>(k), 0.8f);
    line.label = scene.w.format("d = {}", c.widths[k]);
    plot.marks.emplace_back(std::move(line));
  }
  Line own = staircase(c.records, length);
  own.width = 2.2f;
  own.label = scene.w.format("d = {}", scene.p.width);
  plot.marks.emplace_back(std::move(own));
  plot.marks.emplace_back(figure::Rule{false, scene.p.threshold, Role::bad, true, ""});
  figure::Points points;
  points.color = Role::text;
  for (const core::Lag& lag : c.records) {
    points.x.push_back(static_cast<double>(lag.lag + 1));
    points.y.push_back(std::max(lag.distance, kLeastDistance));
    points.picks.push_back({{"lag", fmt::format("{}", lag.lag)}, {"explain", "distance"}});
  }
  plot.marks.emplace_back(std::move(points));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure lag_figure(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  Figure figure =
      new_figure("distances", scene.w("Distance of encodings"), {.span = 5, .height = 340});
  const bool all = scene.table().sinusoidal || scene.p.grid();
  figure.caption = all ? scene.w("The distance |PE(p+t) - PE(p)|, the same for every p.")
                       : scene.w("The smallest distance |p(k+t) - p(k)| over all positions k.");
  const Index count = std::min<Index>(scene.p.window, c.distance.size());
  const Index begin = std::clamp<Index>(scene.p.lag - count / 2 - 1, 0, c.distance.size() - count);
  const VectorD shown = c.distance.segment(begin, count);
  const auto first = static_cast<double>(begin + 1);
  const double last = first + static_cast<double>(count - 1);
  if (count < c.distance.size()) figure.note = scene.w.format("{} to {}", first, last);
  Plot plot{.id = "distance_curve"};
  plot.x = value_axis(scene.w("distance t (positions)"), first, last);
  plot.y = value_axis(scene.w("|PE(p+t) - PE(p)|"), 0, 1.08 * std::max(shown.maxCoeff(), 1e-6));
  plot.x_param = "lag";
  plot.click = explained_by("distance");
  plot.marks.emplace_back(thinned(shown, first));
  plot.marks.emplace_back(figure::Rule{false, scene.p.threshold, Role::bad, true, ""});
  if (scene.p.lag > begin && scene.p.lag <= begin + count) {
    plot.marks.emplace_back(figure::Points{.x = {static_cast<double>(scene.p.lag)},
                                           .y = {c.distance(scene.p.lag - 1)},
                                           .color = Role::accent,
                                           .radius = 5});
  }
  figure.plots = {std::move(plot)};
  return figure;
}

// Lengths over widths or bases; where no two were found the point stands, faint, at the edge of
// the search.
Plot comparison(const Scene& scene, std::string id, std::string label, const char* param,
                const std::vector<double>& values, const std::vector<double>& lengths, double now) {
  const auto searched = static_cast<double>(scene.model.collisions->searched);
  Plot plot{.id = std::move(id)};
  plot.x = log_axis(std::move(label), 0.8 * values.front(), 1.25 * values.back());
  plot.y = log_axis(scene.w("positions told apart"), 1, 8 * searched);
  figure::Points found{.color = Role::text, .radius = 4}, none{.color = Role::faint, .radius = 4};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool there = std::isfinite(lengths[k]);
    figure::Points& points = there ? found : none;
    points.x.push_back(values[k]);
    points.y.push_back(there ? lengths[k] : searched);
    points.picks.push_back({{param, fmt::format("{}", values[k])}});
  }
  plot.marks.emplace_back(
      figure::Rule{false, searched, Role::dim, true,
                   scene.w.format("none up to {}", scene.model.collisions->searched)});
  if (now >= plot.x.lo && now <= plot.x.hi) {
    plot.marks.emplace_back(figure::Rule{true, now, Role::accent, true, ""});
  }
  plot.marks.emplace_back(std::move(none));
  plot.marks.emplace_back(std::move(found));
  return plot;
}

Figure comparison_figure(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  Figure figure = new_figure("lengths", scene.w("How many positions in a row are told apart"),
                             {.height = 300, .columns = 2});
  figure.note = scene.w.format("no two closer than {}", short_number(scene.p.threshold));
  figure.caption = scene.w.format(
      "The number of positions in a row of which no two encodings are closer than {}: for several "
      "widths at base {}, and for several bases at width {}. Faint: no such pair up to {} "
      "positions.",
      short_number(scene.p.threshold), scene.p.base, scene.p.width, c.searched);
  std::vector<double> widths(c.widths.begin(), c.widths.end());
  figure.plots = {comparison(scene, "length_by_width", scene.w("width d"), "width", widths,
                             c.width_lengths, scene.p.width),
                  comparison(scene, "length_by_base", scene.w("base"), "base", c.bases,
                             c.base_lengths, scene.p.base)};
  return figure;
}

}  // namespace

std::vector<Figure> collision_figures(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  if (c.records.empty()) return {};
  std::vector<Figure> figures = {separation_figure(scene), lag_figure(scene)};
  if (!c.widths.empty()) figures.push_back(comparison_figure(scene));
  return figures;
}

}  // namespace lab::absolute
