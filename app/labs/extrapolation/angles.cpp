// How far each pair of dimensions turns, beside how far it turned in training; and its wavelength
// under every method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr float kFurther = 0.07f, kNew = 0.2f;  // opacities of what lies out of range

// A value a pair, at the middle of the pair's cell.
Line over_pairs(const VectorD& values, Color color, std::string label, float width = 1.5f) {
  Line line;
  for (Index i = 0; i < values.size(); ++i) {
    line.x.push_back(static_cast<double>(i) + 0.5);
    line.y.push_back(values(i));
  }
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

Points disc(double x, double y, Color color, float radius = 4.5f) {
  Points points;
  points.x = {x}, points.y = {y};
  points.color = color;
  points.radius = radius;
  return points;
}

// Values with discs whose clicks choose their pair or head.
Points picks(const VectorD& values, Color color, std::string_view param, int first,
             std::string_view explained) {
  Points points;
  for (Index i = 0; i < values.size(); ++i) {
    points.x.push_back(static_cast<double>(i) + 0.5);
    points.y.push_back(values(i));
    points.picks.push_back(
        {{std::string(param), fmt::format("{}", i + first)}, {"explain", std::string(explained)}});
  }
  points.color = color;
  points.radius = values.size() > 64 ? 1.5f : 2.5f;
  return points;
}

// The band between two edges over whole cells [first, last).
figure::Band cells_band(Index first, const VectorD& lo, double hi, float alpha) {
  figure::Band band;
  for (Index i = first; i < lo.size(); ++i) {
    const double left = static_cast<double>(i);
    // Straight through the middles of cells, level in the outer halves.
    if (i == first) band.x.push_back(left), band.lo.push_back(lo(i)), band.hi.push_back(hi);
    band.x.push_back(left + 0.5), band.lo.push_back(lo(i)), band.hi.push_back(hi);
    if (i + 1 == lo.size()) {
      band.x.push_back(left + 1), band.lo.push_back(lo(i)), band.hi.push_back(hi);
    }
  }
  band.color = Color(Role::bad, alpha);
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
  plot.marks.emplace_back(figure::Rule{false, at, Role::dim, true, {}});
  const double above = at * std::pow(plot.y.hi / plot.y.lo, 0.055);
  const double inset = 0.006 * plot.x.hi;
  plot.marks.emplace_back(figure::Note{inset, above, std::move(name), Role::dim});
}

// The first pair that did not finish a turn in training; the number of pairs when all did.
Index first_slow(const VectorD& trained_turns) {
  Index i = 0;
  while (i < trained_turns.size() && trained_turns(i) >= 1) ++i;
  return i;
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
  plot.click = {{"explain", "angle"}};
  plot.marks.emplace_back(cells_band(0, trained, plot.y.hi, kFurther));
  const Index slow = first_slow(trained);
  if (slow < trained.size()) plot.marks.emplace_back(cells_band(slow, trained, 1, kNew));
  add_level(1, w("one turn"), plot);
  plot.marks.emplace_back(figure::Rule{true, p.pair + 0.5, Role::accent, true, {}});
  if (p.method != Method::none) {
    plot.marks.emplace_back(over_pairs(plain, Color(Role::dim, 0.45f), scene.name(Method::none)));
  }
  plot.marks.emplace_back(over_pairs(trained, Role::text, w("in training"), 2));
  plot.marks.emplace_back(over_pairs(reached, method_color(p.method), scene.chosen_name(), 2));
  plot.marks.emplace_back(picks(reached, method_color(p.method), "pair", 0, "angle"));
  plot.marks.emplace_back(disc(p.pair + 0.5, reached(p.pair), Role::accent));
  return plot;
}

// Names the two lengths at the left, above their rules, where hardly a curve comes near; the lower
// one below where the two are close.
void name_lengths(const Scene& scene, Plot& plot) {
  const auto& [p, model, w] = scene;
  const double away = std::pow(plot.y.hi / plot.y.lo, 0.045);
  const bool by_wavelength = p.quantity == Quantity::wavelength;
  const auto name = [&](int length, bool above, std::string text) {
    const double at = by_wavelength ? length : 2 * std::numbers::pi / length;
    plot.marks.emplace_back(figure::Note{0.006 * plot.x.hi, above ? at * away : at / away,
                                         std::move(text), Role::dim, figure::TextStyle::label, -1});
  };
  if (p.length == p.trained) {
    name(p.length, true, w.format("L = n = {}", p.length));
    return;
  }
  const double apart = std::abs(std::log(static_cast<double>(p.length) / p.trained));
  const bool close = apart < 0.11 * std::log(plot.y.hi / plot.y.lo);
  const bool context_upper = (p.length > p.trained) == by_wavelength;
  name(p.length, context_upper || !close, w.format("context n = {}", p.length));
  name(p.trained, !context_upper || !close, w.format("trained L = {}", p.trained));
}

Plot waves_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool wave = p.quantity == Quantity::wavelength;
  const double turn = 2 * std::numbers::pi;
  Plot plot{.id = "waves"};
  plot.x = cell_axis(w("pair i"), p.d / 2, "pair");
  plot.y.label = wave ? w("wavelength (positions)") : w("frequency (radians per position)");
  plot.x_param = "pair";
  plot.click = {{"explain", "wavelength"}};
  double lo = 1e300, hi = 0;
  const auto shown = [&](const VectorD& theta) {
    return wave ? VectorD(turn * theta.cwiseInverse()) : theta;
  };
  for (int m = 0; m < kRotating; ++m) {
    const VectorD values = shown(model.rotations[static_cast<std::size_t>(m)].theta);
    lo = std::min(lo, values.minCoeff());
    hi = std::max(hi, values.maxCoeff());
  }
  for (const int length : {p.trained, p.length}) {
    const double at = wave ? length : turn / length;
    lo = std::min(lo, at), hi = std::max(hi, at);
    plot.marks.emplace_back(figure::Rule{false, at, Role::dim, true, {}});
  }
  log_range(plot.y, lo, hi);
  name_lengths(scene, plot);
  plot.marks.emplace_back(figure::Rule{true, p.pair + 0.5, Role::accent, true, {}});
  for (int m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    plot.marks.emplace_back(over_pairs(shown(model.rotation(method).theta), method_color(method),
                                       {}, method == p.method ? 2.5f : 1.3f));
  }
  plot.marks.emplace_back(disc(p.pair + 0.5, shown(scene.rotation().theta)(p.pair), Role::accent));
  return plot;
}

// theta / theta': by how much each pair is slowed down.
Plot slowed_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = "slowed"};
  plot.x = cell_axis(w("pair i"), p.d / 2, "pair");
  plot.y.label = w("slowed down, θ/θ′");
  plot.x_param = "pair";
  plot.click = {{"explain", "wavelength"}};
  double largest = model.s;
  for (int m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    const VectorD ratio = model.theta.cwiseQuotient(model.rotation(method).theta);
    largest = std::max(largest, ratio.maxCoeff());
    plot.marks.emplace_back(over_pairs(ratio, method_color(method), scene.name(method),
                                       method == p.method ? 2.5f : 1.3f));
  }
  log_range(plot.y, 1, std::max(largest, 2.0));
  plot.marks.emplace_back(figure::Rule{true, p.pair + 0.5, Role::accent, true, {}});
  plot.marks.emplace_back(
      disc(p.pair + 0.5, model.theta(p.pair) / scene.rotation().theta(p.pair), Role::accent));
  return plot;
}

}  // namespace

Figure angles_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("angles", w("How far each pair turns"));
  const Index unseen = scene.rotation().unseen;
  figure.note = unseen == 0
                    ? w("no pair reaches angles it never saw")
                    : w.format("{} of {} pairs reach angles they never saw", unseen, p.d / 2);
  figure.caption = w.format(
      "Turns of each pair of dimensions within {} positions under {}, beside those within the {} "
      "positions of training. Light: further than in training. Dark: angles that were never seen, "
      "for the pair had not finished a turn.",
      p.length, scene.chosen_name(), p.trained);
  figure.height = 300;
  figure.plots.push_back(turns_plot(scene));
  return figure;
}

Figure penalties_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD reached = model.slopes * static_cast<double>(p.length);
  const VectorD trained = model.slopes * static_cast<double>(p.trained);
  Figure figure = new_figure("angles", w("How large each head's penalty grows"), {.height = 300});
  figure.note = w("no angles: a penalty that grows with distance");
  figure.caption = w.format(
      "ALiBi's largest penalty in each head within {} positions, beside the largest within the {} "
      "positions of training. Red: larger than in training; above the dashed line the weight is "
      "below 1 % of an equal key's at distance 0.",
      p.length, p.trained);
  Plot plot{.id = "turns"};
  plot.x = cell_axis(w("head"), model.slopes.size(), "head");
  auto names = std::make_shared<std::vector<std::string>>();
  for (int head = 1; head <= p.heads; ++head) names->push_back(fmt::format("{}", head));
  plot.x.labels = std::move(names);
  plot.y.label = w("penalty, slope times length");
  const double hundredth = std::log(100.0);
  log_range(plot.y, std::min({trained.minCoeff(), reached.minCoeff(), hundredth}),
            std::max({trained.maxCoeff(), reached.maxCoeff(), hundredth}));
  plot.marks.emplace_back(cells_band(0, trained, plot.y.hi, kFurther));
  add_level(hundredth, w("weight below 1 %"), plot);
  plot.marks.emplace_back(figure::Rule{true, p.head - 0.5, Role::accent, true, {}});
  plot.marks.emplace_back(over_pairs(trained, Role::text, w("in training"), 2));
  plot.marks.emplace_back(over_pairs(reached, method_color(p.method), scene.chosen_name(), 2));
  plot.marks.emplace_back(picks(reached, method_color(p.method), "head", 1, "bias"));
  plot.marks.emplace_back(disc(p.head - 0.5, reached(p.head - 1), Role::accent));
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
  figure.plots = {waves_plot(scene), slowed_plot(scene)};
  return figure;
}

}  // namespace lab::extrapolation
