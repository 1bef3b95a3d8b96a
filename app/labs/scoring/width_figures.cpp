// How scores spread with the width, and what that does to softmax.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/scoring/page.h"

namespace lab::scoring {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

constexpr int kPlainColor = 1, kDividedColor = 4;

Plot spread_plot(const Scene& scene, std::string id, std::string title,
                 const OneWidth::Histogram& histogram, Color color, double variance) {
  const auto& w = scene.w;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.note = w.format("variance {:.4g}", variance);
  plot.x.label = w("score");
  plot.y.label = w("density");
  plot.x.lo = histogram.z.front();
  plot.x.hi = histogram.z.back();
  figure::Band bars;
  for (std::size_t k = 0; k < histogram.density.size(); ++k) {
    const double from = histogram.from + histogram.step * static_cast<double>(k);
    for (const double x : {from, from + histogram.step}) {
      bars.x.push_back(x);
      bars.lo.push_back(0);
      bars.hi.push_back(histogram.density[k]);
      plot.y.hi = std::max(k == 0 ? 0 : plot.y.hi, 1.12 * histogram.density[k]);
    }
  }
  for (const double exact : histogram.exact) plot.y.hi = std::max(plot.y.hi, 1.12 * exact);
  bars.color = Color(color.role, 0.3f);
  bars.color.head = color.head;
  plot.marks.emplace_back(std::move(bars));
  plot.marks.emplace_back(Line{histogram.z, histogram.normal, Role::dim, 1.5f, true});
  plot.marks.emplace_back(Line{histogram.z, histogram.exact, color, 2.2f});
  return plot;
}

// A quantity of every width, with a click or a drag that chooses the width.
Plot width_plot(const Scene& scene, std::string id, std::string label) {
  Plot plot{.id = std::move(id)};
  plot.x = {scene.w("width d"), 2, kWidest, figure::AxisScale::log};
  plot.x.link = "width";
  plot.x_param = "d";
  plot.y.label = std::move(label);
  plot.marks.emplace_back(
      figure::Rule{true, static_cast<double>(scene.p.d), Color(Role::accent, 0.7f), true, {}});
  return plot;
}

template <class Value>
void add_curve(const Scene& scene, Value value, Color color, std::string label, Plot& plot) {
  Line line{{}, {}, color, 2};
  figure::Points points{{}, {}, color, 3, {}};
  for (const WidthPoint& point : scene.model.widths->points) {
    line.x.push_back(static_cast<double>(point.d));
    line.y.push_back(value(point));
  }
  points.x = line.x;
  points.y = line.y;
  line.label = std::move(label);
  plot.marks.emplace_back(std::move(line));
  plot.marks.emplace_back(std::move(points));
}

void add_both(const Scene& scene, double Saturation::*part, Plot& plot) {
  add_curve(
      scene, [part](const WidthPoint& point) { return point.plain.*part; },
      Color::of_head(kPlainColor), scene.w("q·k"), plot);
  add_curve(
      scene, [part](const WidthPoint& point) { return point.divided.*part; },
      Color::of_head(kDividedColor), scene.w("q·k / √d"), plot);
}

}  // namespace

Figure spread_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const OneWidth& width = scene.width();
  const double d = p.d;
  Figure figure = new_figure("spread", w.format("Scores of random vectors of width {}", p.d),
                             {.height = 290, .columns = 2});
  figure.note = w.format("{} scores", width.scores.size());
  figure.caption = w.format(
      "Histogram of {} products q·k of width {} with entries of variance 1, and of the same "
      "divided by √{}. Line: the exact density; dashed: a normal one of the same variance.",
      width.scores.size(), p.d, p.d);
  figure.plots = {spread_plot(scene, "plain", w("q·k"), width.plain, Color::of_head(kPlainColor),
                              width.point.variance),
                  spread_plot(scene, "divided", w("q·k / √d"), width.divided,
                              Color::of_head(kDividedColor), width.point.variance / d)};
  return figure;
}

Figure variance_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("variance", w("Variance of a score"));
  figure.note = w("dashed: theory");
  figure.caption =
      w("The variance of sampled products q·k against their width, and of the same divided by √d; "
        "theory: d, and 1.");
  figure.span = 4;
  figure.height = 300;
  Plot plot = width_plot(scene, "variance", w("variance"));
  plot.y.scale = figure::AxisScale::log;
  plot.y.lo = 0.2;
  plot.y.hi = 4000;
  plot.marks.emplace_back(Line{{2, kWidest}, {2, kWidest}, Role::dim, 1.5f, true});
  plot.marks.emplace_back(Line{{2, kWidest}, {1, 1}, Role::dim, 1.5f, true});
  add_curve(
      scene, [](const WidthPoint& point) { return point.variance; }, Color::of_head(kPlainColor),
      w("q·k"), plot);
  add_curve(
      scene, [](const WidthPoint& point) { return point.variance / static_cast<double>(point.d); },
      Color::of_head(kDividedColor), w("q·k / √d"), plot);
  return with(std::move(figure), std::move(plot));
}

Figure saturation_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("saturation", w("What softmax makes of them"),
                             {.span = 8, .height = 300, .columns = 2});
  figure.note = w.format("mean of {} queries with {} keys each", p.rows, p.row_keys);
  figure.caption = w.format(
      "Against the width: the largest of {} weights, and the size of the softmax's Jacobian "
      "(Frobenius norm), means over {} queries, with and without division by √d.",
      p.row_keys, p.rows);
  Plot largest = width_plot(scene, "largest", w("largest weight"));
  largest.y.hi = 1;
  largest.marks.emplace_back(
      figure::Rule{false, 1.0 / p.row_keys, Role::dim, true, fmt::format("1/{}", p.row_keys)});
  add_both(scene, &Saturation::largest, largest);
  Plot gradient = width_plot(scene, "gradient", w("size of the Jacobian"));
  double highest = 0.01;
  for (const WidthPoint& point : m.widths->points) {
    highest = std::max({highest, point.plain.gradient, point.divided.gradient});
  }
  gradient.y.hi = 1.15 * highest;
  add_both(scene, &Saturation::gradient, gradient);
  figure.plots = {std::move(largest), std::move(gradient)};
  return figure;
}

}  // namespace lab::scoring
