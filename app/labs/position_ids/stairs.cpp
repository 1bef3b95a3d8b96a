// The ids of the window after rounding: the staircase, the strips of colours, the picked one's
// bits.
#include "app/labs/shared/stairs.h"
#include "app/labs/position_ids/page.h"
#include "app/labs/shared/bit_rows.h"

namespace lab::position_ids {
namespace {

constexpr Index kMostSteps = 2048;  // ids drawn one by one
constexpr Index kStretches = 1024;  // of a longer window

// Where an id is drawn; NaN where it is infinite or NaN.
double height(const Scene& scene, Index id) {
  const double value = scene.model.window->value(id);
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  return scene.p.vertical == Vertical::error ? value - to_double(id) : value;
}

Stairs stairs_of(const Scene& scene) {
  return {scene.p.start, scene.p.end(), [&](Index id) { return scene.model.window->value(id); },
          [&](Index id) { return height(scene, id); },
          [&](double value) { return to_size(scene.model.rounded.rank(value) % kStepColors); }};
}

// What an unrounded id would be.
Line truth(const Scene& scene) {
  const double first = to_double(scene.p.start), last = to_double(scene.p.end());
  const bool error = scene.p.vertical == Vertical::error;
  return {{first, last}, {error ? 0 : first, error ? 0 : last}, Color(Role::dim, 0.7f), 1, true};
}

// Where the spacing doubles, and where numbers end.
void add_rules(const Scene& scene, Plot& plot) {
  const core::Format& format = scene.model.rounded.format();
  const auto& [p, model, w] = scene;
  for (double at = 1; at < to_double(p.end()); at *= 2) {
    const double spacing = core::spacing(format, at), before = core::spacing(format, at / 2);
    if (at <= plot.x.lo || spacing <= 1 || spacing == before || at > core::max_finite(format)) {
      continue;
    }
    Rule rule{.at = at, .color = Color(Role::dim, 0.8f)};
    if (std::min(2 * at, plot.x.hi) - at > 0.14 * (plot.x.hi - plot.x.lo)) {
      rule.label = w.format("spacing {} → {}", value_text(before), value_text(spacing));
    }
    plot.marks.emplace_back(std::move(rule));
  }
  const auto& values = model.window->values;
  const auto over = std::find_if(values.begin(), values.end(),
                                 [](double value) { return !std::isfinite(value); });
  if (over == values.end()) return;
  const double at = to_double(p.start + (over - values.begin()));
  plot.marks.emplace_back(Rule{.at = at,
                               .color = Role::bad,
                               .label = w.format("{} from {}", value_text(*over), value_text(at))});
}

void add_picked(const Scene& scene, Plot& plot) {
  const Index id = scene.p.id;
  if (id < scene.p.start || id >= scene.p.end()) return;
  plot.marks.emplace_back(Rule{.at = to_double(id), .color = Role::accent});
  if (std::isnan(height(scene, id))) return;
  plot.marks.emplace_back(Points{{to_double(id)}, {height(scene, id)}, Role::accent, 5});
}

void set_range(const Scene& scene, Plot& plot) {
  const bool error = scene.p.vertical == Vertical::error;
  Extent extent;
  extent.add(error ? 0 : to_double(scene.p.start));
  extent.add(error ? 0 : to_double(scene.p.end()));
  for (Index id = scene.p.start; id < scene.p.end(); ++id) extent.add(height(scene, id));
  const double room = extent.hi > extent.lo ? 0.06 * (extent.hi - extent.lo) : 1;
  plot.y.lo = extent.lo - room;
  plot.y.hi = extent.hi + 2 * room;  // for the labels of rules
}

}  // namespace

Figure stairs_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool error = p.vertical == Vertical::error;
  Figure figure =
      new_figure("stairs", error ? w("What rounding adds to an id") : w("Rounded id against id"),
                 {.height = 300});
  figure.note = scene.format_name() + ", " + scene.rounding_name();
  figure.caption = w.format(
      "Position ids {} to {} after rounding to {} ({}); ids of one colour in a row share a value.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  Plot plot{.id = "stairs",
            .x = {w("position id"), to_double(p.start) - 0.5, to_double(p.end()) - 0.5},
            .y = {error ? w("rounded id less id") : w("id after rounding")},
            .click = explains("id"),
            .x_param = "id"};
  plot.x.link = "ids";
  set_range(scene, plot);
  plot.marks.emplace_back(truth(scene));
  if (p.shown() <= kMostSteps) {
    add_steps(stairs_of(scene), plot);
  } else {
    Line line = thinned(stairs_of(scene), kMostSteps, kStretches);
    line.color = Role::text;
    line.width = 1.2f;
    plot.marks.emplace_back(std::move(line));
    plot.note = w("thinned; extremes are kept");
  }
  add_rules(scene, plot);
  add_picked(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure strips_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = "strips", .x = scene.window_axis(w("position id"), "ids", Role::dim)};
  std::vector<std::string> names;
  for (const FormatCurve& curve : model.curves->formats) {
    if (curve.chosen) plot.y.marked = static_cast<int>(names.size());
    names.push_back(curve.name);
  }
  plot.y.hi = to_double(names.size());
  plot.y.cells = true;
  plot.y.color = Role::accent;
  plot.y.labels = std::make_shared<const std::vector<std::string>>(std::move(names));
  plot.x_param = "id";
  plot.click = explains("id");
  plot.marks.emplace_back(groups_map(model.strips));
  if (p.shown() > 2000) plot.note = w("where ids share a pixel it shows the first of them");
  Figure figure = new_figure(
      "strips", w("Which ids share a value, format by format"),
      {.height = 70 + 22 * static_cast<float>(plot.y.hi) + (plot.note.empty() ? 0.f : 16.f)});
  figure.note = w("a run of one colour is one value; hatched: ∞ or NaN");
  figure.caption = w.format(
      "Position ids {} to {} in each format ({}); a run of one colour is a group of ids with one "
      "value, hatched ids have become infinite or NaN.",
      p.start, p.end() - 1, scene.rounding_name());
  return with(std::move(figure), std::move(plot));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::Format& format = model.rounded.format();
  std::vector<BitRow> rows;
  int dropped = 0;
  for (Index id = std::max(0, p.id - 1); id <= std::min(p.id + 1, p.length - 1); ++id) {
    rows.push_back({.lead = fmt::format("{}", id),
                    .value = to_double(id),
                    .result = "→ " + value_text(scene.rounded(id)),
                    .marked = id == p.id,
                    .pick = sets("id", id, "explain", "id")});
    const double spacing = core::spacing(format, to_double(id));
    if (spacing > 1) dropped = std::max(dropped, static_cast<int>(std::log2(spacing)));
  }
  const double stored = scene.rounded(p.id);
  rows.push_back({.lead = value_text(stored),
                  .value = stored,
                  .rounded = true,
                  .result = w("what is stored"),
                  .marked = true});
  Figure figure = new_figure("bits", w("The picked id, bit by bit"),
                             {.height = 60 + 40 * static_cast<float>(rows.size() + 1)});
  figure.note = w.format("{}, click a row", scene.format_name());
  figure.caption = w.format(
      "Id {} and its neighbours as binary numbers: sign, exponent and mantissa of {}, the bits it "
      "has no room for, and what rounding makes of the id.",
      p.id, scene.format_name());
  return with(std::move(figure), bit_plot("id_bits", format, rows, dropped, w));
}

}  // namespace lab::position_ids
