// What is said about decay, beside what happens: the bound, random vectors, xPos. And which columns
// make a pair.
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
using figure::Role;

constexpr Index kMostPicks = 128;
constexpr double kLeastShare = 1e-3;  // where the logarithmic axis ends
constexpr Index kShownFactors = 4;

Line over_distance(const VectorD& values, Color color, float width, std::string label,
                   double least) {
  Line line;
  for (Index t = 0; t < values.size(); ++t) {
    line.x.push_back(static_cast<double>(t));
    line.y.push_back(std::max(values(t), least));
  }
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

// Points on a curve whose clicks put the pair at their distance and explain it there.
figure::Points picks_along(const Scene& scene, const VectorD& values, std::string_view explained) {
  const Index last = values.size() - 1, step = std::max<Index>(1, (last + kMostPicks) / kMostPicks);
  figure::Points points;
  for (Index t = 0; t <= last; t += step) {
    points.x.push_back(static_cast<double>(t));
    points.y.push_back(values(t));
    points.picks.push_back(scene.at_distance(t, explained));
  }
  points.color = Role::text;
  points.radius = 1;
  return points;
}

void mark(const Scene& scene, double value, bool chosen, Plot& plot) {
  const auto t = static_cast<double>(scene.model.size_of_distance());
  plot.marks.emplace_back(figure::Rule{true, t, chosen ? Role::accent : Role::dim, true, {}});
  figure::Points points;
  points.x = {t}, points.y = {value};
  points.color = chosen ? Role::accent : Role::dim;
  points.radius = 4;
  plot.marks.emplace_back(std::move(points));
}

// Which pair each column belongs to under a pairing; columns that do not turn belong to none.
core::Matrix pair_row(const Scene& scene, bool neighbours) {
  const Index d = scene.p.d, turning = scene.model.theta.size();
  core::Matrix row(1, d);
  for (Index c = 0; c < d; ++c) {
    const Index pair = neighbours ? c / 2 : c % turning;
    row(0, c) = c < 2 * turning ? static_cast<float>(pair) : core::kMasked;
  }
  return row;
}

Plot vector_strip(const Scene& scene, const char* id, const VectorD& x, Role role, double largest) {
  const Pair& pair = scene.model.chosen(scene.p);
  const std::vector<double> values(x.begin(), x.end());
  Plot plot = strip(id, id, values, Color(role, 0.45f), largest);
  plot.x.link = "column";
  figure::Bars chosen;
  chosen.values.assign(values.size(), 0);
  for (const Index c : {pair.a, pair.b}) {
    chosen.values[static_cast<std::size_t>(c)] = values[static_cast<std::size_t>(c)];
  }
  chosen.color = role;
  chosen.numbers = false;
  plot.marks.emplace_back(std::move(chosen));
  return plot;
}

}  // namespace

Figure decay_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Decay& decay = *model.decay;
  Figure figure = new_figure("decay", w("What decays is a bound"), {.span = 6, .height = 300});
  figure.caption = w.format(
      "The bound of RoFormer's section 3.4.3, the score of this q and k, and the root mean square "
      "and the largest of {} random pairs, each as a share of (r/2) max |h_(i+1) - h_i|.",
      p.draws);
  Plot plot{.id = "decay"};
  const Index last = decay.bound.size() - 1;
  plot.x.label = w("distance |m - n| (positions)");
  plot.x.hi = static_cast<double>(last);
  plot.x.link = "size";
  plot.y = {w("|score|, as a share (logarithmic)"), kLeastShare, 1.5 * decay.bound.maxCoeff(),
            figure::AxisScale::log};
  if (last < model.distances) plot.note = w.format("the first {} distances", last);
  plot.marks.emplace_back(
      over_distance(decay.largest, Color(Role::dim, 0.55f), 1, w("largest"), kLeastShare));
  plot.marks.emplace_back(
      over_distance(decay.own, Color::of_head(1), 1.5f, w("this q, k"), kLeastShare));
  plot.marks.emplace_back(over_distance(decay.mean, Role::dim, 2, w("random"), kLeastShare));
  plot.marks.emplace_back(over_distance(decay.bound, Role::text, 2, w("bound"), kLeastShare));
  plot.marks.emplace_back(picks_along(scene, decay.bound, "bound"));
  const Index t = model.size_of_distance();
  if (t <= last) mark(scene, decay.bound(t), p.explained == Explained::bound, plot);
  return with(std::move(figure), std::move(plot));
}

Figure xpos_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const XposCurves& curves = *model.xpos_curves;
  Figure figure = new_figure("xpos", w("xPos: each pair also shrinks"),
                             {.span = 6, .height = 300, .columns = 2});
  figure.note = w.format("γ = {:.3g}, B = {:.4g}", p.gamma, p.scale_base);
  figure.caption = w.format(
      "The score over distance under RoPE and under xPos, whose pair i is multiplied by ζ_i^((m - "
      "n)/B), γ = {:.3g}, B = {:.4g}; beside it these factors.",
      p.gamma, p.scale_base);
  const Index last = curves.rope.size() - 1;
  Plot scores{.id = "xpos"};
  scores.x.label = w("distance m - n (positions)");
  scores.x.hi = static_cast<double>(last);
  scores.x.link = "size";
  scores.y.label = w("score");
  const double largest =
      std::max({curves.rope.cwiseAbs().maxCoeff(), curves.xpos.cwiseAbs().maxCoeff(), 1e-6});
  scores.y.lo = -1.05 * largest;
  scores.y.hi = 1.05 * largest;
  scores.marks.emplace_back(
      over_distance(curves.rope, Color(Role::dim, 0.6f), 1, w("RoPE"), -largest));
  scores.marks.emplace_back(over_distance(curves.xpos, Role::text, 1.5f, w("xPos"), -largest));
  scores.marks.emplace_back(picks_along(scene, curves.xpos, "xpos"));
  const Index t = model.size_of_distance();
  if (t <= last) mark(scene, curves.xpos(t), p.explained == Explained::xpos, scores);
  Plot factors{.id = "factors"};
  factors.x = scores.x;
  factors.y.label = w("factor ζ_i^(t/B)");
  const Index pairs = curves.zeta.size(), shown = std::min(pairs, kShownFactors);
  for (Index k = 0; k < shown; ++k) {
    const Index i = shown > 1 ? k * (pairs - 1) / (shown - 1) : 0;
    const VectorD factor = VectorD::NullaryExpr(last + 1, [&](Index at) {
      return std::pow(curves.zeta(i), static_cast<double>(at) / scene.p.scale_base);
    });
    factors.marks.emplace_back(over_distance(factor, Color::of_head(static_cast<int>(k)), 1.5f,
                                             scene.w.format("pair {}", i), 0));
  }
  figure.plots = {std::move(scores), std::move(factors)};
  return figure;
}

Figure columns_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pair& pair = model.chosen(p);
  Figure figure =
      new_figure("columns", w("Which columns make a pair"), {.height = 270, .columns = 1});
  figure.note = p.pairing == core::RotaryPairing::neighbours
                    ? w.format("interleaved; pair {} is columns {} and {}", p.pair, pair.a, pair.b)
                    : w.format("half-split; pair {} is columns {} and {}", p.pair, pair.a, pair.b);
  figure.caption = w.format(
      "Which columns of q and k turn together when pairs are interleaved and when halves are "
      "split: one colour, one pair; hatched columns do not turn. Below: q and k, columns {} and {} "
      "strong.",
      pair.a, pair.b);
  const figure::ColorScale names{
      .map = figure::MapName::groups, .transform = figure::Transform::linear, .lo = 0, .hi = 256};
  const auto chips = [&](const char* id, bool neighbours, std::string lead) {
    Plot plot{.id = id};
    plot.lead = std::move(lead);
    const bool now = neighbours == (scene.p.pairing == core::RotaryPairing::neighbours);
    plot.lead_color = now ? Role::accent : Role::dim;
    plot.x = cell_axis("", scene.p.d, "column");
    plot.y = cell_axis("", 1);
    plot.x.visible = plot.y.visible = false;
    figure::Heatmap map = dense_heatmap(pair_row(scene, neighbours), names);
    map.color_bar = false;
    plot.marks.emplace_back(std::move(map));
    return plot;
  };
  const double largest = std::max(model.q.cwiseAbs().maxCoeff(), model.k.cwiseAbs().maxCoeff());
  figure.plots = {chips("interleaved", true, "2i"), chips("halves", false, "r/2"),
                  vector_strip(scene, "q", model.q, Role::query, largest),
                  vector_strip(scene, "k", model.k, Role::key, largest)};
  return figure;
}

}  // namespace lab::rotary
