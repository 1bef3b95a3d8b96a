// YaRN's ramp: which pairs are interpolated, mixed and kept.
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

constexpr double kTop = 1.24;  // room for the regions' names above 1
constexpr double kNamesAt = 1.13;
constexpr double kNarrowest = 0.1;  // share of the axis that a name needs

enum class Region { kept, mixed, interpolated };

Region region_of(double ramp) {
  return ramp >= 1 ? Region::kept : ramp <= 0 ? Region::interpolated : Region::mixed;
}

std::string region_name(const words::Words& w, Region region) {
  switch (region) {
    case Region::kept:
      return w("kept");
    case Region::mixed:
      return w("mixed");
    case Region::interpolated:
      break;
  }
  return w("interpolated");
}

float shade(Region region) {
  return region == Region::kept ? 0.04f : region == Region::mixed ? 0.11f : 0.18f;
}

// One region from x0 to x1, with its name where there is room; `share` is its part of the axis.
void add_region(const Scene& scene, Region region, double x0, double x1, double share, bool log,
                Plot& plot) {
  if (!(x1 > x0)) return;
  plot.marks.emplace_back(
      figure::Band{{x0, x1}, {0, 0}, {kTop, kTop}, method_color(Method::yarn, shade(region))});
  if (share < kNarrowest) return;
  plot.marks.emplace_back(figure::Note{log ? std::sqrt(x0 * x1) : (x0 + x1) / 2, kNamesAt,
                                       region_name(scene.w, region), Role::dim,
                                       figure::TextStyle::label, 0});
}

Line ramp_line(const VectorD& ramp, Color color, std::string label, bool dashed) {
  Line line;
  for (Index i = 0; i < ramp.size(); ++i) {
    line.x.push_back(static_cast<double>(i) + 0.5);
    line.y.push_back(ramp(i));
  }
  line.color = color;
  line.width = dashed ? 1.3f : 2;
  line.dashed = dashed;
  line.label = std::move(label);
  return line;
}

void style_ramp_axis(const Scene& scene, Plot& plot) {
  plot.y = {scene.w("γ: share left as it was"), -0.04, kTop};
}

Plot over_pairs(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& ramp = model.ramp;
  Plot plot{.id = "ramp"};
  plot.x = cell_axis(w("pair i"), ramp.size(), "pair");
  style_ramp_axis(scene, plot);
  plot.x_param = "pair";
  plot.click = {{"explain", "ramp"}};
  for (Index i = 0; i < ramp.size();) {
    const Region region = region_of(ramp(i));
    Index end = i;
    while (end < ramp.size() && region_of(ramp(end)) == region) ++end;
    add_region(scene, region, static_cast<double>(i), static_cast<double>(end),
               static_cast<double>(end - i) / static_cast<double>(ramp.size()), false, plot);
    i = end;
  }
  const bool as_paper = p.yarn == YarnForm::paper;
  const std::string paper(w("as in the paper")), code(w("as in the code"));
  plot.marks.emplace_back(ramp_line(model.other_ramp, Role::dim, as_paper ? code : paper, true));
  plot.marks.emplace_back(
      ramp_line(ramp, method_color(Method::yarn), as_paper ? paper : code, false));
  Points points;
  for (Index i = 0; i < ramp.size(); ++i) {
    points.x.push_back(static_cast<double>(i) + 0.5);
    points.y.push_back(ramp(i));
    points.picks.push_back({{"pair", fmt::format("{}", i)}, {"explain", "ramp"}});
  }
  points.color = method_color(Method::yarn);
  points.radius = ramp.size() > 64 ? 1.5f : 2.5f;
  plot.marks.emplace_back(std::move(points));
  plot.marks.emplace_back(figure::Rule{true, p.pair + 0.5, Role::accent, true, {}});
  Points own;
  own.x = {p.pair + 0.5}, own.y = {ramp(p.pair)};
  own.color = Role::accent;
  own.radius = 4.5f;
  plot.marks.emplace_back(std::move(own));
  return plot;
}

// The same pairs by their turns in training, where the two bounds can be dragged.
Plot over_turns(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& turns = model.trained_turns;
  Plot plot{.id = "ramp_turns"};
  plot.x.label = w("turns within the trained length, r");
  plot.x.scale = figure::AxisScale::log;
  plot.x.lo = std::min(turns.minCoeff() / 1.5, p.alpha / 4);  // room for its name
  plot.x.hi = std::max(turns.maxCoeff(), p.beta) * 1.5;
  style_ramp_axis(scene, plot);
  const double span = std::log(plot.x.hi / plot.x.lo);
  const auto region = [&](Region which, double x0, double x1) {
    add_region(scene, which, x0, x1, std::log(x1 / x0) / span, true, plot);
  };
  region(Region::interpolated, plot.x.lo, p.alpha);
  region(Region::mixed, p.alpha, p.beta);
  region(Region::kept, p.beta, plot.x.hi);
  Points points;
  for (Index i = 0; i < turns.size(); ++i) {
    points.x.push_back(turns(i));
    points.y.push_back(model.ramp(i));
    points.picks.push_back({{"pair", fmt::format("{}", i)}, {"explain", "ramp"}});
  }
  points.color = method_color(Method::yarn);
  points.radius = 2.5f;
  plot.marks.emplace_back(std::move(points));
  Points own;
  own.x = {turns(p.pair)}, own.y = {model.ramp(p.pair)};
  own.color = Role::accent;
  own.radius = 4.5f;
  plot.marks.emplace_back(std::move(own));
  for (const bool is_alpha : {true, false}) {
    figure::Handle handle;
    handle.x = is_alpha ? p.alpha : p.beta;
    handle.y = is_alpha ? 0 : 1;
    handle.x_param = is_alpha ? "alpha" : "beta";
    handle.also = {{"explain", "ramp"}};
    // Beside the curve: before its foot and after its top.
    const double away = std::pow(plot.x.hi / plot.x.lo, 0.02);
    plot.marks.emplace_back(
        figure::Note{is_alpha ? handle.x / away : handle.x * away, is_alpha ? 0.14 : 0.86,
                     fmt::format("{} = {}", is_alpha ? "α" : "β", number(handle.x)), Role::accent,
                     figure::TextStyle::label, is_alpha ? 1 : -1});
    plot.marks.emplace_back(std::move(handle));
  }
  return plot;
}

}  // namespace

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
      "YaRN's ramp γ for α = {}, β = {}: θ′ = (1 - γ) θ/s + γ θ. Left over the pairs, as in the "
      "paper and as in the released code; right over their turns within the trained length.",
      number(p.alpha), number(p.beta));
  figure.plots = {over_pairs(scene), over_turns(scene)};
  return figure;
}

}  // namespace lab::extrapolation
