// What is said about decay, beside what happens: the bound, random vectors, xPos. And which columns
// make a pair.
#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

constexpr Index kMostPicks = 128;
constexpr double kLeastShare = 1e-3;  // where the logarithmic axis ends
constexpr Index kShownFactors = 4;

Line over_distance(const VectorD& values, Color color, float width, std::string label,
                   double least) {
  Line line{{}, {}, color, width, false, std::move(label)};
  for (Index t = 0; t < values.size(); ++t) {
    line.x.push_back(to_double(t));
    line.y.push_back(std::max(values(t), least));
  }
  return line;
}

// The curve whose values are picked and explained: points whose clicks put the key so far before
// the query, or ahead of it, and the pair's own when it stands on that side.
void add_picks(const Scene& scene, const VectorD& values, Explained explained, std::string_view id,
               bool ahead, Plot& plot) {
  const Index last = values.size() - 1, step = std::max<Index>(1, (last + kMostPicks) / kMostPicks);
  Points points{{}, {}, Role::text, 1};
  for (Index t = 0; t <= last; t += step) {
    points.x.push_back(to_double(t));
    points.y.push_back(values(t));
    points.picks.push_back(scene.at_distance(ahead ? t : -t, id));
  }
  plot.marks.emplace_back(std::move(points));
  const Index own = scene.model.size_of_distance();
  if (own > last || scene.model.ahead() != ahead) return;
  const Color color = scene.p.explained == explained ? Role::accent : Role::dim;
  plot.marks.emplace_back(Rule{true, to_double(own), color});
  plot.marks.emplace_back(Points{{to_double(own)}, {values(own)}, color, 4});
}

// Which pair each column belongs to under a pairing; columns that do not turn belong to none.
Plot chips(const Scene& scene, std::string id, core::RotaryPairing pairing, std::string lead) {
  const Index d = scene.p.d, turning = scene.model.theta.size();
  Matrix row(1, d);
  for (Index c = 0; c < d; ++c) {
    const Index pair = pairing == core::RotaryPairing::neighbours ? c / 2 : c % turning;
    row(0, c) = c < 2 * turning ? static_cast<float>(pair) : core::kMasked;
  }
  figure::Heatmap map = dense_heatmap(row, {.map = figure::MapName::groups, .hi = 256});
  map.color_bar = false;
  Plot plot{.id = std::move(id), .x = cell_axis("", d, "column"), .y = cell_axis("", 1)};
  plot.x.visible = plot.y.visible = false;
  plot.lead = std::move(lead);
  plot.lead_color = pairing == scene.p.pairing ? Role::accent : Role::dim;
  plot.marks.emplace_back(std::move(map));
  return plot;
}

Plot vector_strip(const Scene& scene, const char* id, const VectorD& x, Role role, double largest) {
  const Pair& pair = scene.model.chosen(scene.p);
  const std::vector<double> values(x.begin(), x.end());
  Plot plot = strip(id, id, values, Color(role, 0.45f), largest);
  plot.x.link = "column";
  figure::Bars chosen{std::vector<double>(values.size()), role, false};
  for (const Index c : {pair.a, pair.b}) chosen.values[to_size(c)] = values[to_size(c)];
  plot.marks.emplace_back(std::move(chosen));
  return plot;
}

Plot factors_plot(const Scene& scene, figure::Axis distances) {
  const VectorD& zeta = scene.model.xpos_curves->zeta;
  const Index pairs = zeta.size(), shown = std::min(pairs, kShownFactors);
  const Index count = scene.model.xpos_curves->rope.size();
  Plot plot{.id = "factors", .x = std::move(distances)};
  plot.y.label = scene.w("factor ζ_i^(t/B)");
  for (Index k = 0; k < shown; ++k) {
    const Index i = shown > 1 ? k * (pairs - 1) / (shown - 1) : 0;
    const VectorD factor = VectorD::NullaryExpr(
        count, [&](Index t) { return std::pow(zeta(i), to_double(t) / scene.p.scale_base); });
    plot.marks.emplace_back(over_distance(factor, Color::of_head(static_cast<int>(k)), 1.5f,
                                          scene.w.format("pair {}", i), 0));
  }
  return plot;
}

}  // namespace

Figure decay_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Decay& decay = *model.decay;
  const Index last = decay.bound.size() - 1;
  Figure figure = new_figure("decay", w("What decays is a bound"), {.span = 6, .height = 300});
  figure.caption = w.format(
      "The bound of RoFormer's section 3.4.3, the score of this q and k, and the root mean square "
      "and the largest of {} random pairs, each as a share of (r/2) max |h_(i+1) - h_i|.",
      p.draws);
  Plot plot{.id = "decay", .x = {w("distance |n - m| (positions)"), 0, to_double(last)}};
  plot.x.link = "size";
  plot.y = {w("|score|, as a share (logarithmic)"), kLeastShare, 1.5 * decay.bound.maxCoeff(),
            figure::AxisScale::log};
  if (last < model.distances) plot.note = w.format("the first {} distances", last);
  const auto add = [&](const VectorD& values, Color color, float width, std::string label) {
    plot.marks.emplace_back(over_distance(values, color, width, std::move(label), kLeastShare));
  };
  add(decay.largest, Color(Role::dim, 0.55f), 1, w("largest"));
  add(decay.own, Color::of_head(1), 1.5f, w("this q, k"));
  add(decay.mean, Role::dim, 2, w("random"));
  add(decay.bound, Role::text, 2, w("bound"));
  add_picks(scene, decay.bound, Explained::bound, "bound", model.ahead(), plot);
  return with(std::move(figure), std::move(plot));
}

Figure xpos_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& [rope, xpos, zeta] = *model.xpos_curves;
  const double largest = std::max({rope.cwiseAbs().maxCoeff(), xpos.cwiseAbs().maxCoeff(), 1e-6});
  Figure figure = new_figure("xpos", w("xPos: each pair also shrinks"),
                             {.span = 6, .height = 300, .columns = 2});
  figure.note = w.format("γ = {:.3g}, B = {:.4g}", p.gamma, p.scale_base);
  figure.caption = w.format(
      "The score of keys before the query under RoPE and under xPos, whose pair i is multiplied by "
      "ζ_i^(|n - m|/B), γ = {:.3g}, B = {:.4g}; beside it these factors.",
      p.gamma, p.scale_base);
  Plot scores{
      .id = "xpos",
      .x = {w("distance |n - m|, key before query (positions)"), 0, to_double(rope.size() - 1)}};
  scores.x.link = "size";
  scores.y = {w("score"), -1.05 * largest, 1.05 * largest};
  scores.marks = {over_distance(rope, Color(Role::dim, 0.6f), 1, w("RoPE"), -largest),
                  over_distance(xpos, Role::text, 1.5f, w("xPos"), -largest)};
  add_picks(scene, xpos, Explained::xpos, "xpos", false, scores);
  Plot factors = factors_plot(scene, scores.x);
  return with(std::move(figure), std::move(scores), std::move(factors));
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
  const double largest = std::max(model.q.cwiseAbs().maxCoeff(), model.k.cwiseAbs().maxCoeff());
  return with(std::move(figure), chips(scene, "interleaved", core::RotaryPairing::neighbours, "2i"),
              chips(scene, "halves", core::RotaryPairing::halves, "r/2"),
              vector_strip(scene, "q", model.q, Role::query, largest),
              vector_strip(scene, "k", model.k, Role::key, largest));
}

}  // namespace lab::rotary
