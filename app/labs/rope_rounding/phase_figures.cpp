// How far angles are off: of all pairs and positions, and of some pairs over position.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

// Smaller errors than this are shown as none at all.
constexpr double kLeast = 1e-7;

std::string errors_text(const Scene& scene) {
  const core::AngleErrors& errors = *scene.model.errors;
  const Index lost = errors.infinite + errors.nan;
  if (lost > 0) {
    return scene.w.format("{} of {} angles are not finite", lost, errors.count);
  }
  return scene.w.format("largest {}", radians(errors.largest));
}

}  // namespace

Figure phase_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("phase", w("Phase error of every pair, everywhere"), {.span = 8, .height = 340});
  figure.note = errors_text(scene);
  figure.caption = w.format(
      "|rounded angle - mθ| in radians of {0} pairs (columns) at {1} positions (rows), with {2} "
      "rounded to {3} (logarithmic colours); {4}.",
      p.d / 2, p.length, scene.rounded(), scene.format(), errors_text(scene));
  Plot plot{.id = "phase"};
  plot.x = cell_axis(w("pair i, fast to slow"), p.d / 2, "pair");
  plot.y = cell_axis(w("position m"), p.length, "position");
  figure::Heatmap map;
  map.source = model.cells;
  map.scale = {.map = figure::MapName::magma,
               .transform = figure::Transform::log,
               .lo = static_cast<float>(kLeast),
               .hi = static_cast<float>(model.top)};
  map.pool = p.pool;
  map.row_param = "query";
  map.col_param = "pair";
  map.also = explained_by("phase");
  map.pinned = {p.query, p.pair};
  map.bar_label = w("rad");
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure curves_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("curves", w("Phase error over position"), {.span = 6, .height = 300});
  figure.note = w.format("pair {} at {}: {}", p.pair, p.query, radians(model.entry.error()));
  figure.caption = w.format(
      "The largest |phase error| of some pairs over position, with {} rounded to {}. At π the hand "
      "points the opposite way.",
      scene.rounded(), scene.format());
  Plot plot{.id = "curves"};
  plot.x = {w("position m"), 1, std::max(2.0, p.length - 1.0), figure::AxisScale::log};
  plot.y = {w("|phase error| (rad)"), kLeast, model.top, figure::AxisScale::log};
  plot.x_param = "query";
  plot.click = explained_by("phase");
  plot.note = w("each point is the largest of its stretch of positions");
  plot.marks.emplace_back(Rule{false, std::numbers::pi, Role::dim, true, {}});
  const double above = std::pow(plot.y.hi / plot.y.lo, 0.05);
  plot.marks.emplace_back(figure::Note{1.1, std::numbers::pi * above, w("half a turn"), Role::dim});
  for (const PhaseCurve& curve : *model.curves) {
    Line line;
    line.x = curve.x;
    bool any = false;
    for (const double error : curve.y) {
      const bool shown = std::isfinite(error) && error >= kLeast;
      line.y.push_back(shown ? error : std::numeric_limits<double>::quiet_NaN());
      any |= shown;
    }
    if (!any) continue;
    const bool chosen = curve.pair == p.pair;
    line.color = chosen ? rounded_color() : Color(Role::dim, 0.8f);
    line.width = chosen ? 2.5f : 1.25f;
    line.label = w.format("pair {}", curve.pair);
    plot.marks.emplace_back(std::move(line));
  }
  const double here = std::abs(model.entry.error());
  plot.marks.emplace_back(Rule{true, std::max(1.0, model.entry.position), Role::accent, true, {}});
  if (p.query >= 1 && std::isfinite(here) && here >= kLeast) {
    Points point;
    point.x = {model.entry.position}, point.y = {here};
    point.color = Role::accent;
    point.radius = 4.5f;
    plot.marks.emplace_back(std::move(point));
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::rope_rounding
