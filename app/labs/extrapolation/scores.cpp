// Over distance: the scores of every method, the angles of the chosen one, ALiBi's penalties.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr int kMostLabels = 9;  // heads that are all named
constexpr int kScoreColumns = 3;

figure::Axis distance_axis(const Scene& scene) {
  const auto& [p, model, w] = scene;
  figure::Axis axis;
  axis.label = w("distance (positions)");
  const bool log = p.distance_axis == DistanceAxis::log;
  axis.scale = log ? figure::AxisScale::log : figure::AxisScale::linear;
  axis.lo = log ? 1 : 0;
  axis.hi = p.length;
  axis.link = "distance";
  return axis;
}

// Where distances go on beyond the trained length.
void add_beyond(const Scene& scene, Plot& plot) {
  if (scene.p.length <= scene.p.trained) return;
  const double from = scene.p.trained, to = scene.p.length;
  plot.marks.emplace_back(figure::Band{
      {from, to}, {plot.y.lo, plot.y.lo}, {plot.y.hi, plot.y.hi}, Color(Role::bad, 0.07f)});
}

bool shown(const Scene& scene) {
  return scene.p.distance > 0 || scene.p.distance_axis == DistanceAxis::linear;
}

void mark_distance(const Scene& scene, double value, bool chosen, Plot& plot) {
  if (!shown(scene)) return;
  const double t = scene.p.distance;
  plot.marks.emplace_back(figure::Rule{true, t, Color(Role::accent, chosen ? 1 : 0.5f), true, {}});
  Points points;
  points.x = {t}, points.y = {value};
  points.color = Role::accent;
  points.radius = chosen ? 4.5f : 3;
  plot.marks.emplace_back(std::move(points));
}

// Up and down within each stretch.
Line zigzag(const Curve& curve, Color color) {
  Line line;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const bool rising = k % 2 == 0;
    line.x.push_back(curve.x[k]);
    line.y.push_back(rising ? curve.lo[k] : curve.hi[k]);
    if (curve.lo[k] == curve.hi[k]) continue;
    line.x.push_back(curve.x[k]);
    line.y.push_back(rising ? curve.hi[k] : curve.lo[k]);
  }
  line.color = color;
  line.width = 1.2f;
  return line;
}

// One range for all plots: that of the rotating methods. ALiBi leaves it at the bottom.
std::pair<double, double> logit_range(const Model& model) {
  double lo = 0, hi = 0;
  for (std::size_t m = 0; m < kRotating; ++m) {
    const Curve& curve = *model.curves[m];
    lo = std::min(lo, *std::min_element(curve.lo.begin(), curve.lo.end()));
    hi = std::max(hi, *std::max_element(curve.hi.begin(), curve.hi.end()));
  }
  const double room = 0.06 * std::max(hi - lo, 1e-6);
  return {lo - room, hi + room};
}

Plot score_plot(const Scene& scene, Method method, std::pair<double, double> range) {
  const auto& [p, model, w] = scene;
  const Curve& curve = *model.curves[static_cast<std::size_t>(method)];
  const bool chosen = method == p.method;
  Plot plot{.id = fmt::format("score_{}", method_id(method))};
  const double value = model.logit(p, method, p.distance);
  plot.title = w.format("{0}: {2:.3f} at {1}", scene.name(method), p.distance, value);
  plot.x = distance_axis(scene);
  plot.y.lo = range.first;
  plot.y.hi = range.second;
  plot.selected = chosen;
  plot.x_param = "distance";
  plot.click = {{"method", std::string(method_id(method))}, {"explain", "score"}};
  add_beyond(scene, plot);
  plot.marks.emplace_back(zigzag(curve, method_color(method)));
  mark_distance(scene, value, chosen, plot);
  return plot;
}

// The colours and name of what the cells show.
struct CellsShown {
  std::string title, bar;
  figure::ColorScale scale;
};

CellsShown cells_shown(const Scene& scene) {
  const auto& w = scene.w;
  CellsShown shown;
  shown.scale.hi = 1 + 1e-5f;
  if (scene.alibi()) {
    shown.title = w("What the bias multiplies a weight by");
    shown.bar = w("exp(-slope t)");
    shown.scale.transform = figure::Transform::log;
    shown.scale.lo = 1e-3f;
  } else if (scene.p.cells == core::AngleQuantity::cosine) {
    shown.title = w("Cosine of every angle");
    shown.bar = w("cos(p θ′)");
    shown.scale = signed_scale(1);
  } else if (scene.p.cells == core::AngleQuantity::turns) {
    shown.title = w("Every angle, without whole turns");
    shown.bar = w("turns");
  } else {
    shown.title = w("Angles never seen in training");
    shown.bar = w("share never seen");
    shown.scale.map = figure::MapName::magma;
  }
  return shown;
}

}  // namespace

Figure scores_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("scores", w("Logit over distance, the same query and key"));
  const Index longest = model.curves[0]->longest;
  figure.note =
      longest == 1
          ? w("every distance is a point")
          : w.format("a point stands for up to {} distances, from their lowest to their highest",
                     longest);
  figure.caption = w.format(
      "The score q·k/√d of one query and one key over their distance under each method; red: "
      "beyond the trained length {}. Each point stands for up to {} distances, from their lowest "
      "to their highest score. YaRN's scores are multiplied by {}, the square of its attention "
      "factor.",
      p.trained, longest, number(model.attention_factor * model.attention_factor));
  figure.columns = kScoreColumns;
  figure.height = 470;
  const auto range = logit_range(model);
  for (int m = 0; m < kMethods; ++m) {
    Plot plot = score_plot(scene, static_cast<Method>(m), range);
    if (m + kScoreColumns < kMethods) plot.x.label.clear();  // the row below has it
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Figure cells_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const CellsShown shown = cells_shown(scene);
  Figure figure = new_figure("cells", shown.title);
  figure.note = scene.chosen_name();
  figure.caption =
      scene.alibi()
          ? w.format(
                "What ALiBi's bias multiplies a weight by in each head (column) at each of {} "
                "distances (row).",
                p.length)
          : w.format("{}, {}: each of {} positions (row) and each pair of dimensions (column).",
                     shown.title, scene.chosen_name(), p.length);
  figure.span = 6;
  figure.height = 400;
  Plot plot{.id = "cells"};
  plot.x = scene.alibi() ? cell_axis(w("head"), p.heads, "head")
                         : cell_axis(w("pair i"), p.d / 2, "pair");
  plot.y = cell_axis(scene.alibi() ? w("distance") : w("position"), p.length, "position");
  figure::Heatmap map;
  map.source = model.cells;
  map.scale = shown.scale;
  map.pool = p.pool;
  map.bar_label = shown.bar;
  map.row_param = "distance";
  if (scene.alibi()) {
    auto names = std::make_shared<std::vector<std::string>>();
    for (int head = 1; head <= p.heads; ++head) names->push_back(fmt::format("{}", head));
    plot.x.labels = std::move(names);
    map.also = {{"explain", "bias"}};
    map.pinned = {p.distance, p.head - 1};
  } else {
    map.col_param = "pair";
    map.also = {{"explain", "cell"}};
    map.pinned = {p.distance, p.pair};
  }
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure bias_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("bias", w("ALiBi's penalty over distance"), {.span = 6, .height = 400});
  figure.note = w.format("head {}: slope {}", p.head, number(model.slope(p)));
  figure.caption = w.format(
      "The penalty slope times distance that ALiBi takes from the scores in each of {} heads. "
      "Discs: the distance within which 99 % of the weight lies when all contents are equal. Red: "
      "beyond the trained length {}.",
      p.heads, p.trained);
  Plot plot{.id = "bias"};
  plot.x = distance_axis(scene);
  plot.y.label = w("penalty slope · t");
  plot.y.scale = figure::AxisScale::log;
  plot.y.lo = model.slopes.minCoeff();
  plot.y.hi = std::max(model.slopes.maxCoeff() * p.length, plot.y.lo * 2);
  plot.x_param = "distance";
  plot.click = {{"explain", "bias"}};
  add_beyond(scene, plot);
  Points reach;
  for (int head = 1; head <= p.heads; ++head) {
    const double slope = model.slopes(head - 1);
    const bool chosen = head == p.head;
    Line line;
    const Curve& at = *model.curves[static_cast<std::size_t>(Method::alibi)];
    for (const double x : at.x) {
      if (x <= 0) continue;
      line.x.push_back(x);
      line.y.push_back(slope * x);
    }
    line.color = chosen ? Color(method_color(Method::alibi)) : Color(Role::dim, 0.6f);
    line.width = chosen ? 2.5f : 1.2f;
    const bool named = p.heads <= kMostLabels || chosen || head == 1 || head == p.heads;
    if (named) line.label = w.format("head {}", head);
    plot.marks.emplace_back(std::move(line));
    const auto far = static_cast<double>(core::alibi_reach(slope));
    if (far < 1 || far > p.length) continue;
    reach.x.push_back(far), reach.y.push_back(slope * far);
    reach.picks.push_back({{"head", fmt::format("{}", head)}, {"explain", "bias"}});
  }
  reach.color = Role::text;
  plot.marks.emplace_back(std::move(reach));
  if (p.distance > 0) mark_distance(scene, model.slope(p) * p.distance, true, plot);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::extrapolation
