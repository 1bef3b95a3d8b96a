// How far each pair of dimensions turns, beside how far it turned in training; and its wavelength
// under every method.
#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {
namespace {

constexpr float kFurther = 0.07f, kNew = 0.2f;  // opacities of what lies out of range

// The band between two edges over whole cells [first, last).
figure::Band cells_band(Index first, const VectorD& lo, double hi, float alpha) {
  figure::Band band{{}, {}, {}, Color(Role::bad, alpha)};
  const auto add = [&](double x, Index i) {
    band.x.push_back(x), band.lo.push_back(lo(i)), band.hi.push_back(hi);
  };
  // Straight through the middles of cells, level in the outer halves.
  add(to_double(first), first);
  for (Index i = first; i < lo.size(); ++i) add(to_double(i) + 0.5, i);
  add(to_double(lo.size()), lo.size() - 1);
  return band;
}

void log_range(figure::Axis& axis, double lo, double hi) {
  axis.scale = figure::AxisScale::log;
  const double room = std::pow(hi / lo, 0.04);
  axis.lo = lo / room;
  axis.hi = hi * room;
}

// A rule across, named at the left, where the curves are far above.
void add_level(double at, std::string name, Plot& plot) {
  plot.marks.emplace_back(Rule{false, at});
  const double above = at * std::pow(plot.y.hi / plot.y.lo, 0.055);
  plot.marks.emplace_back(figure::Note{0.006 * plot.x.hi, above, std::move(name), Role::dim});
}

// What was reached beside what was reached in training, and the choice among them.
void add_reached(const Scene& scene, const VectorD& reached, const VectorD& trained, Plot& plot) {
  plot.marks.emplace_back(over_cells(trained, {Role::text, scene.w("in training"), 2}));
  plot.marks.emplace_back(
      over_cells(reached, {method_color(scene.p.method), scene.chosen_name(), 2}));
  const bool heads = scene.alibi();
  add_discs(cell_middles(reached.size()), reached, method_color(scene.p.method),
            heads ? "head" : "pair", heads, heads ? scene.p.head - 1 : scene.p.pair,
            heads ? "bias" : "angle", plot);
}

Plot turns_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& reached = scene.rotation().turns;
  const VectorD& plain = model.rotation(Method::none).turns;
  const VectorD& trained = model.trained_turns;
  Plot plot{.id = "turns"};
  plot.x = cell_axis(w("pair of dimensions i, fast to slow"), reached.size(), "pair");
  plot.y.label = w("turns");
  log_range(plot.y, std::min({trained.minCoeff(), reached.minCoeff(), 0.8}),
            std::max({trained.maxCoeff(), reached.maxCoeff(), plain.maxCoeff(), 2.0}));
  plot.x_param = "pair";
  plot.click = explains("angle");
  plot.marks.emplace_back(cells_band(0, trained, plot.y.hi, kFurther));
  // The pairs that did not finish a turn in training come last.
  const Index slow = (trained.array() >= 1).count();
  if (slow < trained.size()) plot.marks.emplace_back(cells_band(slow, trained, 1, kNew));
  add_level(1, w("one turn"), plot);
  plot.marks.emplace_back(Rule{true, p.pair + 0.5, Role::accent});
  if (p.method != Method::none) {
    plot.marks.emplace_back(over_cells(plain, {Color(Role::dim, 0.45f), scene.name(Method::none)}));
  }
  add_reached(scene, reached, trained, plot);
  return plot;
}

// Names the two lengths at the left, above their rules, where hardly a curve comes near; the lower
// one below where the two are close.
void name_lengths(const Scene& scene, Plot& plot) {
  const auto& [p, model, w] = scene;
  const double away = std::pow(plot.y.hi / plot.y.lo, 0.045);
  const bool by_wavelength = p.quantity == Quantity::wavelength;
  const auto name = [&](int length, bool above, std::string text) {
    const double at = by_wavelength ? length : kTurn / length;
    plot.marks.emplace_back(
        figure::Note{0.006 * plot.x.hi, above ? at * away : at / away, std::move(text), Role::dim});
  };
  if (p.length == p.trained) {
    name(p.length, true, w.format("L = n = {}", p.length));
    return;
  }
  const double apart = std::abs(std::log(to_double(p.length) / p.trained));
  const bool close = apart < 0.11 * std::log(plot.y.hi / plot.y.lo);
  const bool context_upper = (p.length > p.trained) == by_wavelength;
  name(p.length, context_upper || !close, w.format("context n = {}", p.length));
  name(p.trained, !context_upper || !close, w.format("trained L = {}", p.trained));
}

// A plot over the pairs whose picks explain the wavelength, and its lines: one a rotating method.
Plot method_lines(const Scene& scene, std::string id, std::string label,
                  const std::function<VectorD(const VectorD& theta)>& shown, bool named) {
  Plot plot{.id = std::move(id)};
  plot.x = cell_axis(scene.w("pair i"), scene.p.d / 2, "pair");
  plot.y.label = std::move(label);
  plot.x_param = "pair";
  plot.click = explains("wavelength");
  const double at = scene.p.pair + 0.5;
  plot.marks.emplace_back(Rule{true, at, Role::accent});
  for (int m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    plot.marks.emplace_back(over_cells(shown(scene.model.rotation(method).theta),
                                       {method_color(method), named ? scene.name(method) : "",
                                        method == scene.p.method ? 2.5f : 1.3f}));
  }
  plot.marks.emplace_back(
      Points{{at}, {shown(scene.rotation().theta)(scene.p.pair)}, Role::accent, 4.5f});
  return plot;
}

// The values of all lines.
Extent extent_of(const Plot& plot) {
  Extent extent;
  for (const figure::Mark& mark : plot.marks) {
    if (const auto* line = std::get_if<Line>(&mark)) extent.add(line->y);
  }
  return extent;
}

Plot waves_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool wave = p.quantity == Quantity::wavelength;
  Plot plot = method_lines(
      scene, "waves", wave ? w("wavelength (positions)") : w("frequency (radians per position)"),
      [&](const VectorD& theta) { return wave ? VectorD(kTurn * theta.cwiseInverse()) : theta; },
      false);
  Extent extent = extent_of(plot);
  std::vector<figure::Mark> above = std::exchange(plot.marks, {});
  for (const int length : {p.trained, p.length}) {
    const double at = wave ? length : kTurn / length;
    extent.add(at);
    plot.marks.emplace_back(Rule{false, at});
  }
  log_range(plot.y, extent.lo, extent.hi);
  name_lengths(scene, plot);
  plot.marks.insert(plot.marks.end(), above.begin(), above.end());
  return plot;
}

// theta / theta': by how much each pair is slowed down.
Plot slowed_plot(const Scene& scene) {
  const VectorD& untouched = scene.model.theta;
  Plot plot = method_lines(
      scene, "slowed", scene.w("slowed down, θ/θ′"),
      [&](const VectorD& theta) { return VectorD(untouched.cwiseQuotient(theta)); }, true);
  log_range(plot.y, 1, std::max({extent_of(plot).hi, scene.model.s, 2.0}));
  return plot;
}

}  // namespace

Figure angles_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("angles", w("How far each pair turns"), {.height = 300});
  const Index unseen = scene.rotation().unseen;
  figure.note = unseen == 0
                    ? w("no pair reaches angles it never saw")
                    : w.format("{} of {} pairs reach angles they never saw", unseen, p.d / 2);
  figure.caption = w.format(
      "Turns of each pair of dimensions within {} positions under {}, beside those within the {} "
      "positions of training. Light: further than in training. Dark: angles that were never seen, "
      "for the pair had not finished a turn.",
      p.length, scene.chosen_name(), p.trained);
  return with(std::move(figure), turns_plot(scene));
}

Figure penalties_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD reached = model.slopes * to_double(p.length);
  const VectorD trained = model.slopes * to_double(p.trained);
  Figure figure = new_figure("angles", w("How large each head's penalty grows"), {.height = 300});
  figure.note = w("no angles: a penalty that grows with distance");
  figure.caption = w.format(
      "ALiBi's largest penalty in each head within {} positions, beside the largest within the {} "
      "positions of training. Red: larger than in training; above the dashed line the weight is "
      "below 1 % of an equal key's at distance 0.",
      p.length, p.trained);
  Plot plot{.id = "turns"};
  plot.x = cell_axis(w("head"), model.slopes.size(), "head");
  plot.x.labels = head_names(p.heads);
  plot.y.label = w("penalty, slope times length");
  const double hundredth = std::log(100.0);
  log_range(plot.y, std::min({trained.minCoeff(), reached.minCoeff(), hundredth}),
            std::max({trained.maxCoeff(), reached.maxCoeff(), hundredth}));
  plot.marks.emplace_back(cells_band(0, trained, plot.y.hi, kFurther));
  add_level(hundredth, w("weight below 1 %"), plot);
  plot.marks.emplace_back(Rule{true, p.head - 0.5, Role::accent});
  add_reached(scene, reached, trained, plot);
  return with(std::move(figure), std::move(plot));
}

Figure waves_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("waves", w("What each method does to the frequencies"),
                             {.height = 300, .columns = 2});
  figure.note = w.format("s = {}", number(model.s));
  figure.caption = w.format(
      "Left: each pair's wavelength or frequency under every method, with the trained length {} "
      "and the context {}. Right: the same as the factor by which the pair is slowed down; s = {}.",
      p.trained, p.length, number(model.s));
  return with(std::move(figure), waves_plot(scene), slowed_plot(scene));
}

}  // namespace lab::extrapolation
