// How far each pair of dimensions turns, beside how far it turned in training; and its wavelength
// under every method.
#include "app/labs/extrapolation/page.h"
#include "core/enum_array.h"

namespace lab::extrapolation {
namespace {

constexpr float kFurther = 0.07f, kNew = 0.2f;  // opacities of what lies out of range

// The band between two edges over whole cells [first, last).
Band cells_band(Index first, const VectorD& lo, double hi, float alpha) {
  Band band{{}, {}, {}, Color(Role::bad, alpha)};
  const auto add = [&](double x, Index i) {
    band.x.push_back(x), band.lo.push_back(lo(i)), band.hi.push_back(hi);
  };
  // Straight through the middles of cells, level in the outer halves.
  add(to_double(first), first);
  for (Index i = first; i < lo.size(); ++i) add(to_double(i) + 0.5, i);
  add(to_double(lo.size()), lo.size() - 1);
  return band;
}

void log_range(Axis& axis, double lo, double hi) {
  axis.scale = AxisScale::log;
  const double room = std::pow(hi / lo, 0.04);
  axis.lo = lo / room;
  axis.hi = hi * room;
}

// A rule across, named at the left, where the curves are far above.
void add_level(double at, std::string name, Plot& plot) {
  plot.add(Rule{false, at});
  const double above = at * std::pow(plot.y.hi / plot.y.lo, 0.055);
  plot.add(Note{0.006 * plot.x.hi, above, std::move(name), Role::dim});
}

// What was reached beside what was reached in training, and the choice among them.
void add_reached(const Scene& scene, const VectorD& reached, const VectorD& trained, Plot& plot) {
  plot.add(over_cells(trained, {Role::text, scene.w("in training"), 2}));
  plot.add(over_cells(reached, {method_color(scene.p.method), scene.chosen_name(), 2}));
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
  plot.add(cells_band(0, trained, plot.y.hi, kFurther));
  // The pairs that did not finish a turn in training come last.
  const Index slow = (trained.array() >= 1).count();
  if (slow < trained.size()) plot.add(cells_band(slow, trained, 1, kNew));
  add_level(1, w("one turn"), plot);
  plot.add(Rule{true, p.pair + 0.5, Role::accent});
  if (p.method != Method::none) {
    plot.add(over_cells(plain, {Color(Role::dim, 0.45f), scene.name(Method::none)}));
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
    plot.add(Note{0.006 * plot.x.hi, above ? at * away : at / away, std::move(text), Role::dim});
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
  plot.add(Rule{true, at, Role::accent});
  for (int m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    plot.add(over_cells(shown(scene.model.rotation(method).theta),
                        {method_color(method), named ? scene.name(method) : "",
                         method == scene.p.method ? 2.5f : 1.3f}));
  }
  plot.add(picked_point(at, shown(scene.rotation().theta)(scene.p.pair), 4.5f));
  return plot;
}

// The values of all lines.
Extent extent_of(const Plot& plot) {
  Extent extent;
  for (const Mark& mark : plot.marks) {
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
  std::vector<Mark> above = std::exchange(plot.marks, {});
  for (const int length : {p.trained, p.length}) {
    const double at = wave ? length : kTurn / length;
    extent.add(at);
    plot.add(Rule{false, at});
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

// --- YaRN's ramp: which pairs are interpolated, mixed and kept

constexpr double kTop = 1.24;  // room for the regions' names above 1
constexpr double kNamesAt = 1.13;
constexpr double kNarrowest = 0.1;  // share of the axis that a name needs

enum class Region { kept, mixed, interpolated };

Region region_of(double ramp) {
  return ramp >= 1 ? Region::kept : ramp <= 0 ? Region::interpolated : Region::mixed;
}

constexpr core::EnumArray<Region> kNames{{N_("kept"), N_("mixed"), N_("interpolated")}};
constexpr core::EnumArray<Region, float> kShades{{0.04f, 0.11f, 0.18f}};

// One region from x0 to x1, with its name where there is room; `share` is its part of the axis.
void add_region(const Scene& scene, Region region, double x0, double x1, double share, bool log,
                Plot& plot) {
  if (!(x1 > x0)) return;
  plot.add(Band{{x0, x1}, {0, 0}, {kTop, kTop}, method_color(Method::yarn, kShades[region])});
  if (share < kNarrowest) return;
  plot.add(Note{log ? std::sqrt(x0 * x1) : (x0 + x1) / 2, kNamesAt, scene.w(kNames[region]),
                Role::dim, TextStyle::label, 0});
}

Plot ramp_plot(const Scene& scene, std::string id, Axis x) {
  Plot plot{.id = std::move(id), .x = std::move(x)};
  plot.y = {scene.w("γ: share left unchanged"), -0.04, kTop};
  return plot;
}

Plot over_pairs(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& ramp = model.ramp;
  Plot plot = ramp_plot(scene, "ramp", cell_axis(w("pair i"), ramp.size(), "pair"));
  plot.x_param = "pair";
  plot.click = explains("ramp");
  for (Index i = 0; i < ramp.size();) {
    const Region region = region_of(ramp(i));
    Index end = i;
    while (end < ramp.size() && region_of(ramp(end)) == region) ++end;
    add_region(scene, region, to_double(i), to_double(end),
               to_double(end - i) / to_double(ramp.size()), false, plot);
    i = end;
  }
  const bool as_paper = p.yarn == YarnForm::paper;
  const std::string paper = w("as in the paper"), code = w("as in the code");
  plot.add(over_cells(model.other_ramp, {Role::dim, as_paper ? code : paper, 1.3f, true}));
  plot.add(over_cells(ramp, {method_color(Method::yarn), as_paper ? paper : code, 2}));
  plot.add(Rule{true, p.pair + 0.5, Role::accent});
  add_discs(cell_middles(ramp.size()), ramp, method_color(Method::yarn), "pair", 0, p.pair, "ramp",
            plot);
  return plot;
}

// The same pairs by their turns in training, where the two bounds can be dragged.
Plot over_turns(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& turns = model.trained_turns;
  const double lo = std::min(turns.minCoeff() / 1.5, p.alpha / 4);  // room for its name
  const double hi = std::max(turns.maxCoeff(), p.beta) * 1.5;
  Plot plot = ramp_plot(scene, "ramp_turns",
                        {w("turns within the trained length, r"), lo, hi, AxisScale::log});
  const auto region = [&](Region which, double x0, double x1) {
    add_region(scene, which, x0, x1, std::log(x1 / x0) / std::log(hi / lo), true, plot);
  };
  region(Region::interpolated, lo, p.alpha);
  region(Region::mixed, p.alpha, p.beta);
  region(Region::kept, p.beta, hi);
  add_discs(turns, model.ramp, method_color(Method::yarn), "pair", 0, p.pair, "ramp", plot);
  const auto bound = [&](const char* name, const char* param, double value, bool left) {
    // Beside the curve: before its foot and after its top.
    const double away = std::pow(hi / lo, 0.02);
    plot.add(Note{left ? value / away : value * away, left ? 0.14 : 0.86,
                  fmt::format("{} = {}", name, number(value)), Role::accent, TextStyle::label,
                  left ? 1 : -1});
    plot.add(Handle{.x = value, .y = left ? 0.0 : 1.0, .x_param = param, .also = explains("ramp")});
  };
  bound("α", "alpha", p.alpha, true);
  bound("β", "beta", p.beta, false);
  return plot;
}

}  // namespace

Figure angles_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("angles", w("How far each pair turns"), {.height = 300});
  const Index unseen = scene.rotation().unseen;
  figure.note = unseen == 0 ? w("no pair reaches new angles")
                            : w.format("pairs that reach new angles: {} of {}", unseen, p.d / 2);
  figure.caption = w.format(
      "Turns of each pair of dimensions within {} positions with {}, beside the turns within the "
      "{} positions of training. Light: further than in training. Dark: angles never seen, for the "
      "pair had not finished a turn.",
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
      "below 1 % of that of an equal key at distance 0.",
      p.length, p.trained);
  Plot plot{.id = "turns"};
  plot.x =
      cell_axis(w("head"), model.slopes.size(), {.link = "head", .labels = head_names(p.heads)});
  plot.y.label = w("penalty, slope times length");
  const double hundredth = std::log(100.0);
  log_range(plot.y, std::min({trained.minCoeff(), reached.minCoeff(), hundredth}),
            std::max({trained.maxCoeff(), reached.maxCoeff(), hundredth}));
  plot.add(cells_band(0, trained, plot.y.hi, kFurther));
  add_level(hundredth, w("weight below 1 %"), plot);
  plot.add(Rule{true, p.head - 0.5, Role::accent});
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
      "and the context {}. Right: the same as the factor by which each pair is slowed down; s = "
      "{}.",
      p.trained, p.length, number(model.s));
  return with(std::move(figure), waves_plot(scene), slowed_plot(scene));
}

Figure ramp_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Index kept = 0, interpolated = 0;
  for (const double value : model.ramp) {
    kept += region_of(value) == Region::kept;
    interpolated += region_of(value) == Region::interpolated;
  }
  Figure figure =
      new_figure("ramp", w("YaRN's ramp over the pairs"), {.height = 290, .columns = 2});
  figure.note = w.format("{} kept, {} mixed, {} interpolated", kept,
                         model.ramp.size() - kept - interpolated, interpolated);
  figure.caption = w.format(
      "YaRN's ramp γ for α = {}, β = {}: θ′ = (1 - γ) θ/s + γ θ. Left: over the pairs, as in the "
      "paper and as in the released code; right: over their turns within the trained length.",
      number(p.alpha), number(p.beta));
  return with(std::move(figure), over_pairs(scene), over_turns(scene));
}

}  // namespace lab::extrapolation
