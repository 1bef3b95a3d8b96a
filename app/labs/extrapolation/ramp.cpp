// YaRN's ramp: which pairs are interpolated, mixed and kept.
#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {
namespace {

constexpr double kTop = 1.24;  // room for the regions' names above 1
constexpr double kNamesAt = 1.13;
constexpr double kNarrowest = 0.1;  // share of the axis that a name needs

enum class Region { kept, mixed, interpolated };

Region region_of(double ramp) {
  return ramp >= 1 ? Region::kept : ramp <= 0 ? Region::interpolated : Region::mixed;
}

constexpr const char* kNames[] = {N_("kept"), N_("mixed"), N_("interpolated")};
constexpr float kShades[] = {0.04f, 0.11f, 0.18f};

// One region from x0 to x1, with its name where there is room; `share` is its part of the axis.
void add_region(const Scene& scene, Region region, double x0, double x1, double share, bool log,
                Plot& plot) {
  if (!(x1 > x0)) return;
  plot.marks.emplace_back(
      figure::Band{{x0, x1},
                   {0, 0},
                   {kTop, kTop},
                   method_color(Method::yarn, kShades[static_cast<std::size_t>(region)])});
  if (share < kNarrowest) return;
  plot.marks.emplace_back(figure::Note{log ? std::sqrt(x0 * x1) : (x0 + x1) / 2, kNamesAt,
                                       scene.w(kNames[static_cast<std::size_t>(region)]), Role::dim,
                                       TextStyle::label, 0});
}

Plot ramp_plot(const Scene& scene, std::string id, figure::Axis x) {
  Plot plot{.id = std::move(id), .x = std::move(x)};
  plot.y = {scene.w("γ: share left as it was"), -0.04, kTop};
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
  plot.marks.emplace_back(
      over_cells(model.other_ramp, {Role::dim, as_paper ? code : paper, 1.3f, true}));
  plot.marks.emplace_back(
      over_cells(ramp, {method_color(Method::yarn), as_paper ? paper : code, 2}));
  plot.marks.emplace_back(Rule{true, p.pair + 0.5, Role::accent});
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
                        {w("turns within the trained length, r"), lo, hi, figure::AxisScale::log});
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
    plot.marks.emplace_back(figure::Note{left ? value / away : value * away, left ? 0.14 : 0.86,
                                         fmt::format("{} = {}", name, number(value)), Role::accent,
                                         TextStyle::label, left ? 1 : -1});
    plot.marks.emplace_back(figure::Handle{
        .x = value, .y = left ? 0.0 : 1.0, .x_param = param, .also = explains("ramp")});
  };
  bound("α", "alpha", p.alpha, true);
  bound("β", "beta", p.beta, false);
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
  return with(std::move(figure), over_pairs(scene), over_turns(scene));
}

}  // namespace lab::extrapolation
