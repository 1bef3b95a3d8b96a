// ALiBi: the slopes of all heads, how far each reaches, and their bias matrices.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using core::AlibiSlopeRule;

// Head against something positive on a logarithmic axis, one point a head that chooses it.
Plot head_plot(const Scene& scene, std::string id, std::string title, figure::Axis y) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = {scene.w("head"), 0.5, to_double(scene.p.heads) + 0.5};
  plot.x.link = "head";
  plot.y = std::move(y);
  plot.y.scale = figure::AxisScale::log;
  plot.x_param = "head";
  plot.click = explains("own");
  return plot;
}

// One value a head. Pickable ones choose their head, and the chosen one's disc is larger.
void add_heads(const Scene& scene, const VectorD& values, const Color& color, std::string label,
               bool pickable, Plot& plot) {
  std::vector<double> heads;
  std::vector<figure::Assignments> picks;
  for (Index head = 1; head <= values.size(); ++head) {
    heads.push_back(to_double(head));
    if (pickable) picks.push_back(sets("explain", "own", "head", head));
  }
  const std::vector<double> list(values.begin(), values.end());
  plot.marks.emplace_back(Line{heads, list, color, 1, !pickable, std::move(label)});
  plot.marks.emplace_back(Points{heads, list, color, 3, std::move(picks)});
  if (!pickable) return;
  const int chosen = scene.p.head;
  plot.marks.emplace_back(Points{{to_double(chosen)}, {values(chosen - 1)}, Role::accent, 6});
}

Plot slope_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Plot plot = head_plot(scene, "slope_plot", w("slope of each head"),
                        {w("slope m (per token)"), std::exp2(-8.6), 1.1});
  const bool released = p.rule == AlibiSlopeRule::released;
  const std::string names[] = {w("released"), w("geometric")};
  const VectorD& chosen = scene.scheme().slopes;
  const VectorD other =
      core::alibi_slopes(p.heads, released ? AlibiSlopeRule::geometric : AlibiSlopeRule::released);
  // For a power of two both are one.
  const bool same = other == chosen;
  if (!same) add_heads(scene, other, Color(Role::dim, 0.6f), names[released], false, plot);
  add_heads(scene, chosen, Role::text, same ? w("both rules") : names[!released], true, plot);
  return plot;
}

Plot reach_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double drop = std::log(1 / p.epsilon);
  const VectorD reach = drop / scene.scheme().slopes.array();
  Plot plot =
      head_plot(scene, "reach_plot", w("effective reach of each head"),
                {w("ln(1/ε) / m (tokens)"), reach.minCoeff() / 1.6, reach.maxCoeff() * 1.6});
  plot.note = w.format("penalty ln(1/ε) = {:.3f}", drop);
  add_heads(scene, reach, Role::text, {}, true, plot);
  const double n = to_double(model.n());
  if (n > plot.y.lo && n < plot.y.hi) {
    plot.marks.emplace_back(
        Rule{false, n, Role::dim, true, w.format("this sequence: {}", model.n())});
  }
  return plot;
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("slopes", w.format("{} heads, {} slopes", p.heads, p.heads),
                             {.height = 300, .columns = 2});
  figure.note = w("click a head");
  figure.caption = w.format(
      "The slopes of {} heads, and the distance at which the penalty lies ln(1/ε) below that of "
      "the query's own place, ε = {:g}.",
      p.heads, p.epsilon);
  return with(std::move(figure), slope_plot(scene), reach_plot(scene));
}

// One head's biases.
Sources::Source bias_source(const Scene& scene, double slope) {
  const Index n = scene.model.n();
  const bool causal = scene.model.pairs->causal;
  if (scene.p.by_key()) {
    return computed_source(
        n, causal,
        [slope](const Block& block) -> MatrixD {
          return MatrixD::NullaryExpr(block.rows, block.cols, [&](Index, Index b) {
            return slope * to_double(block.j0 + b);
          });
        },
        1);
  }
  std::vector<float> values;
  for (Index r = 1 - n; r < n; ++r) {
    values.push_back(static_cast<float>(-slope * to_double(std::abs(r))));
  }
  return distance_source(n, causal, std::make_shared<const std::vector<float>>(std::move(values)));
}

Figure sheet_figure(const Scene& scene) {
  constexpr int kPerRow = 8;
  const auto& [p, model, w] = scene;
  const VectorD& slopes = scene.scheme().slopes;
  const int rows = (p.heads + kPerRow - 1) / kPerRow;
  Figure figure = new_figure(
      "bias_sheet", w("The bias matrix of every head"),
      {.height = 50 + 140 * static_cast<float>(rows), .columns = (p.heads + rows - 1) / rows});
  figure.note = w("one colour scale for all");
  figure.caption = w.format(
      "The biases of all {} heads on one colour scale; row: query, column: key. Below each its "
      "slope.",
      p.heads);
  const auto scale = signed_scale(
      static_cast<float>(slopes.maxCoeff() * to_double(std::max<Index>(model.n() - 1, 1))));
  for (int head = 1; head <= p.heads; ++head) {
    const double slope = slopes(head - 1);
    Plot plot = scene.map().plot(fmt::format("bias_{}", head), fmt::format("{}", head));
    plot.note = fmt::format("{:.4g}", slope);
    plot.thumbnail = true;
    plot.selected = head == p.head;
    plot.click = sets("explain", "own", "head", head);
    figure::Heatmap map{bias_source(scene, slope), scale, p.pool};
    map.color_bar = false;
    plot.marks.emplace_back(std::move(map));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace

Index reach_of(double slope, double epsilon) { return core::alibi_reach(slope, 1 - epsilon); }

std::vector<Figure> slope_figures(const Scene& scene) {
  return {heads_figure(scene), sheet_figure(scene)};
}

}  // namespace lab::relative
