// Over distance: the scores of every method, the angles of the chosen one, ALiBi's penalties.
#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {
namespace {

constexpr int kMostLabels = 9;  // heads that are all named
constexpr int kScoreColumns = 3;

Axis distance_axis(const Scene& scene) {
  const bool log = scene.p.on_log();
  Axis axis{scene.w("distance (positions)"), log ? 1.0 : 0.0, to_double(scene.p.length),
            log ? AxisScale::log : AxisScale::linear};
  axis.link = "distance";
  return axis;
}

// Where distances go on beyond the trained length.
void add_beyond(const Scene& scene, Plot& plot) {
  if (scene.p.length <= scene.p.trained) return;
  const double from = scene.p.trained, to = scene.p.length;
  plot.add(
      Band{{from, to}, {plot.y.lo, plot.y.lo}, {plot.y.hi, plot.y.hi}, Color(Role::bad, 0.07f)});
}

void mark_distance(const Scene& scene, double value, bool chosen, Plot& plot) {
  const double t = scene.p.distance;
  if (t <= 0 && scene.p.on_log()) return;
  plot.add(Rule{true, t, Color(Role::accent, chosen ? 1 : 0.5f)});
  plot.add(Points{{t}, {value}, Role::accent, chosen ? 4.5f : 3});
}

// Up and down within each stretch.
Line zigzag(const Curve& curve, Color color) {
  Line line{{}, {}, color, 1.2f};
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const bool rising = k % 2 == 0;
    line.add(curve.x[k], rising ? curve.lo[k] : curve.hi[k]);
    if (curve.lo[k] == curve.hi[k]) continue;
    line.add(curve.x[k], rising ? curve.hi[k] : curve.lo[k]);
  }
  return line;
}

// One range for all plots: that of the rotating methods. ALiBi leaves it at the bottom.
Axis logit_axis(const Model& model) {
  Extent extent{0, 0};
  for (std::size_t m = 0; m < kRotating; ++m) {
    extent.add(model.curves[m]->lo);
    extent.add(model.curves[m]->hi);
  }
  const double room = 0.06 * std::max(extent.hi - extent.lo, 1e-6);
  return {"", extent.lo - room, extent.hi + room};
}

Plot score_plot(const Scene& scene, Method method, const Axis& logits) {
  const auto& [p, model, w] = scene;
  const double value = model.logit(p, method, p.distance);
  Plot plot{.id = fmt::format("score_{}", method_id(method)),
            .title = scene.name(method),
            .note = w.format("at {}: {:.3f}", p.distance, value),
            .x = distance_axis(scene),
            .y = logits,
            .selected = method == p.method,
            .click = sets("method", method_id(method), "explain", "score"),
            .x_param = "distance"};
  add_beyond(scene, plot);
  plot.add(zigzag(*model.curves[to_size(method)], method_color(method)));
  mark_distance(scene, value, plot.selected, plot);
  return plot;
}

// The colours and name of what the cells show.
struct CellsShown {
  std::string title, bar;
  ColorScale scale;
};

CellsShown cells_shown(const Scene& scene) {
  const auto& w = scene.w;
  constexpr float kHi = kScaleMargin;
  if (scene.alibi()) {
    return {w("What the bias multiplies a weight by"),
            w("exp(-slope t)"),
            {.transform = figure::Transform::log, .lo = 1e-3f, .hi = kHi}};
  }
  if (scene.p.cells == core::AngleQuantity::cosine) {
    return {w("Cosine of every angle"), w("cos of the angle"), signed_scale(1)};
  }
  if (scene.p.cells == core::AngleQuantity::turns) {
    return {w("Every angle, modulo whole turns"), w("turns"), {.hi = kHi}};
  }
  return {w("Angles never seen in training"),
          w("share never seen"),
          {.map = MapName::magma, .hi = kHi}};
}

}  // namespace

Figure scores_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("scores", w("Score over distance, the same query and key"),
                             {.height = 470, .columns = kScoreColumns});
  const Index longest = model.curves[0]->longest;
  figure.note =
      longest == 1
          ? w("every distance has a point")
          : w.format("a point covers up to {} distances, from their lowest to their highest",
                     longest);
  figure.caption = w.format(
      "The score q·k/√d of one query and one key over their distance with each method; red: beyond "
      "the trained length {}. YaRN's scores are multiplied by {}, the square of its attention "
      "factor.",
      p.trained, number(model.attention_factor * model.attention_factor));
  if (longest > 1) {
    figure.caption = w.format(
        "{} {}", figure.caption,
        w.format("Each point covers up to {} distances, from their lowest to their highest score.",
                 longest));
  }
  const Axis logits = logit_axis(model);
  for (int m = 0; m < kMethods; ++m) {
    Plot plot = score_plot(scene, static_cast<Method>(m), logits);
    if (m + kScoreColumns < kMethods) plot.x.label.clear();  // the row below has it
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Figure cells_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const CellsShown shown = cells_shown(scene);
  Figure figure = new_figure("cells", shown.title, {.span = 6, .height = 400});
  figure.note = scene.chosen_name();
  figure.caption =
      scene.alibi()
          ? w.format(
                "What ALiBi's bias multiplies a weight by in each head (column) at each of {} "
                "distances (row).",
                p.length)
          : w.format("{}, {}: each of {} positions (row), each pair of dimensions (column).",
                     shown.title, scene.chosen_name(), p.length);
  Plot plot{.id = "cells"};
  plot.x = scene.alibi() ? cell_axis(w("head"), p.heads, "head")
                         : cell_axis(w("pair i"), p.d / 2, "pair");
  plot.y = cell_axis(scene.alibi() ? w("distance") : w("position"), p.length, "position");
  Heatmap map{model.cells, shown.scale, p.pool, "distance"};
  map.bar_label = shown.bar;
  if (scene.alibi()) {
    plot.x.labels = head_names(p.heads);
    plot.x.named = true;
    map.also = explains("bias");
    map.pinned = {p.distance, p.head - 1};
  } else {
    map.col_param = "pair";
    map.also = explains("cell");
    map.pinned = {p.distance, p.pair};
  }
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure bias_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("bias", w("ALiBi's penalty over distance"), {.span = 6, .height = 400});
  figure.note = w.format("head {}: slope {}", p.head, number(model.slope(p)));
  figure.caption = w.format(
      "The penalty slope times distance that ALiBi takes from the scores in each head ({} in all). "
      "Discs: the distance that holds 99 % of the weight when all contents are equal. Red: beyond "
      "the trained length {}.",
      p.heads, p.trained);
  const double lo = model.slopes.minCoeff();
  Plot plot{.id = "bias", .x = distance_axis(scene)};
  plot.y =
      log_axis(w("penalty slope · t"), lo, std::max(model.slopes.maxCoeff() * p.length, lo * 2));
  plot.x_param = "distance";
  plot.click = explains("bias");
  add_beyond(scene, plot);
  Points reach{{}, {}, Role::text};
  for (int head = 1; head <= p.heads; ++head) {
    const double slope = model.slopes(head - 1);
    const bool chosen = head == p.head;
    Line line{{}, {}, chosen ? method_color(Method::alibi) : Color(Role::dim, 0.6f)};
    line.width = chosen ? 2.5f : 1.2f;
    for (const double x : model.curves[kRotating]->x) {
      if (x > 0) line.x.push_back(x), line.y.push_back(slope * x);
    }
    const bool named = p.heads <= kMostLabels || chosen || head == 1 || head == p.heads;
    if (named) line.label = w.format("head {}", head);
    plot.add(std::move(line));
    const double far = to_double(core::alibi_reach(slope));
    if (far < 1 || far > p.length) continue;
    reach.x.push_back(far), reach.y.push_back(slope * far);
    reach.picks.push_back(sets("head", head, "explain", "bias"));
  }
  plot.add(std::move(reach));
  if (p.distance > 0) mark_distance(scene, model.slope(p) * p.distance, true, plot);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::extrapolation
