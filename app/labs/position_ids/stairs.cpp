// The ids of the window after rounding: the staircase, the strips of colours, the picked one's
// bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/labs/position_ids/page.h"
#include "app/labs/position_ids/sources.h"
#include "app/labs/shared/bit_rows.h"

namespace lab::position_ids {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;
using figure::Rule;

constexpr Index kMostSteps = 2048;  // ids drawn one by one
constexpr Index kMostPoints = 160;  // ids drawn as points besides
constexpr Index kStretches = 1024;  // of a longer window
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double height(const Scene& scene, Index id) {
  const double value = scene.model.window->value(id);
  return scene.p.vertical == Vertical::error ? value - static_cast<double>(id) : value;
}

bool shows(const Scene& scene, Index id) {
  const Window& window = *scene.model.window;
  return id >= window.start && id < window.end() && std::isfinite(window.value(id));
}

// Runs of ids with one value, each a step in its group's colour; single ids are points.
void add_steps(const Scene& scene, Plot& plot) {
  const Window& window = *scene.model.window;
  std::array<Line, kGroupColors> steps;
  std::array<Points, kGroupColors> points;
  const bool dots = scene.p.shown() <= kMostPoints;
  for (Index id = window.start; id < window.end();) {
    Index end = id + 1;
    while (end < window.end() && window.value(end) == window.value(id)) ++end;
    if (std::isfinite(window.value(id))) {
      const auto color =
          static_cast<std::size_t>(scene.model.rounded.rank(window.value(id)) % kGroupColors);
      for (Index at = id; at < end; ++at) {
        if (!dots && at != id && at != end - 1) continue;
        if (dots || end - id == 1) {
          points[color].x.push_back(static_cast<double>(at));
          points[color].y.push_back(height(scene, at));
        }
        steps[color].x.push_back(static_cast<double>(at));
        steps[color].y.push_back(height(scene, at));
      }
      steps[color].x.push_back(static_cast<double>(end));
      steps[color].y.push_back(kNan);
    }
    id = end;
  }
  for (std::size_t k = 0; k < steps.size(); ++k) {
    steps[k].color = points[k].color = Color::of_head(static_cast<int>(k));
    steps[k].width = dots ? 3.f : 2.f;
    points[k].radius = dots ? 3.f : 1.5f;
    if (!steps[k].x.empty()) plot.marks.emplace_back(std::move(steps[k]));
    if (!points[k].x.empty()) plot.marks.emplace_back(std::move(points[k]));
  }
}

// Too many to draw: of each stretch its lowest and its highest, at their own places.
void add_thinned(const Scene& scene, Plot& plot) {
  const Window& window = *scene.model.window;
  const Index count = scene.p.shown();
  Line line;
  const auto add = [&](Index id) {
    line.x.push_back(static_cast<double>(id));
    line.y.push_back(shows(scene, id) ? height(scene, id) : kNan);
  };
  for (Index k = 0; k < kStretches; ++k) {
    const Index begin = window.start + k * count / kStretches;
    const Index end = window.start + (k + 1) * count / kStretches;
    Index low = begin, high = begin;
    for (Index id = begin + 1; id < end; ++id) {
      if (!shows(scene, id)) low = high = id;
      if (!(height(scene, id) >= height(scene, low))) low = id;
      if (!(height(scene, id) <= height(scene, high))) high = id;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  line.color = Role::text;
  line.width = 1.2f;
  plot.marks.emplace_back(std::move(line));
}

// What an unrounded id would be.
void add_truth(const Scene& scene, Plot& plot) {
  const auto first = static_cast<double>(scene.p.start), last = static_cast<double>(scene.p.end());
  const bool error = scene.p.vertical == Vertical::error;
  plot.marks.emplace_back(Line{
      {first, last}, {error ? 0 : first, error ? 0 : last}, Color(Role::dim, 0.7f), 1, true, {}});
}

// Where the spacing doubles, and where numbers end.
void add_rules(const Scene& scene, Plot& plot) {
  const core::Format& format = scene.model.rounded.format();
  const auto& [p, model, w] = scene;
  for (double at = 1; at < static_cast<double>(p.end()); at *= 2) {
    const double spacing = core::spacing(format, at), before = core::spacing(format, at / 2);
    if (at <= plot.x.lo || spacing <= 1 || spacing == before || at > core::max_finite(format)) {
      continue;
    }
    Rule rule{true, at, Color(Role::dim, 0.8f), true, {}};
    if (std::min(2 * at, plot.x.hi) - at > 0.14 * (plot.x.hi - plot.x.lo)) {
      rule.label = w.format("spacing {} → {}", value_text(before), value_text(spacing));
    }
    plot.marks.emplace_back(std::move(rule));
  }
  const auto& values = model.window->values;
  const auto over = std::find_if(values.begin(), values.end(),
                                 [](double value) { return !std::isfinite(value); });
  if (over == values.end()) return;
  const auto at = static_cast<double>(p.start + (over - values.begin()));
  plot.marks.emplace_back(
      Rule{true, at, Role::bad, true, w.format("{} from {}", value_text(*over), value_text(at))});
}

void add_picked(const Scene& scene, Plot& plot) {
  const Index id = scene.p.id;
  if (id < scene.p.start || id >= scene.p.end()) return;
  plot.marks.emplace_back(Rule{true, static_cast<double>(id), Role::accent, true, {}});
  if (!shows(scene, id)) return;
  Points point;
  point.x = {static_cast<double>(id)};
  point.y = {height(scene, id)};
  point.color = Role::accent;
  point.radius = 5;
  plot.marks.emplace_back(std::move(point));
}

void set_range(const Scene& scene, Plot& plot) {
  const bool error = scene.p.vertical == Vertical::error;
  double lo = error ? 0 : static_cast<double>(scene.p.start);
  double hi = error ? 0 : static_cast<double>(scene.p.end());
  for (Index id = scene.p.start; id < scene.p.end(); ++id) {
    if (!shows(scene, id)) continue;
    lo = std::min(lo, height(scene, id));
    hi = std::max(hi, height(scene, id));
  }
  const double room = hi > lo ? 0.06 * (hi - lo) : 1;
  plot.y.lo = lo - room;
  plot.y.hi = hi + 2 * room;  // for the labels of rules
}

}  // namespace

Figure stairs_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure;
  figure.id = "stairs";
  figure.title =
      p.vertical == Vertical::error ? w("What rounding adds to an id") : w("Rounded id against id");
  figure.note = scene.format_name() + ", " + scene.rounding_name();
  figure.caption = w.format(
      "Position ids {} to {} after rounding to {} ({}); ids of one colour in a row share a value.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  figure.height = 300;
  Plot plot{.id = "stairs"};
  plot.x = {w("position id"), static_cast<double>(p.start) - 0.5,
            static_cast<double>(p.end()) - 0.5};
  plot.x.link = "ids";
  plot.y.label = p.vertical == Vertical::error ? w("rounded id less id") : w("id after rounding");
  plot.x_param = "id";
  plot.click = {{"explain", "id"}};
  set_range(scene, plot);
  add_truth(scene, plot);
  if (p.shown() <= kMostSteps) {
    add_steps(scene, plot);
  } else {
    add_thinned(scene, plot);
    plot.note = w("thinned; extremes are kept");
  }
  add_rules(scene, plot);
  add_picked(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure strips_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("strips", w("Which ids share a value, format by format"));
  figure.note = w("a run of one colour is one value; hatched: ∞ or NaN");
  figure.caption = w.format(
      "Position ids {} to {} in each format ({}); a run of one colour is a group of ids with one "
      "value, hatched ids have become infinite or NaN.",
      p.start, p.end() - 1, scene.rounding_name());
  Plot plot{.id = "strips"};
  plot.x = cell_axis(w("position id"), 0, "ids");
  plot.x.lo = static_cast<double>(p.start);
  plot.x.hi = static_cast<double>(p.end());
  auto names = std::make_shared<std::vector<std::string>>();
  for (const FormatCurve& curve : model.curves->formats) {
    if (curve.chosen) plot.y.marked = static_cast<int>(names->size());
    names->push_back(curve.name);
  }
  plot.y.hi = static_cast<double>(names->size());
  plot.y.cells = true;
  plot.y.color = Role::accent;
  plot.y.labels = std::move(names);
  plot.x_param = "id";
  plot.click = {{"explain", "id"}};
  figure::Heatmap map;
  map.source = model.strips;
  map.scale = {figure::MapName::groups, figure::Transform::linear, 0, 256};
  map.color_bar = false;
  plot.marks.emplace_back(std::move(map));
  if (p.shown() > 2000) plot.note = w("where ids share a pixel it shows the first of them");
  figure.height = 70 + 22 * static_cast<float>(plot.y.hi) + (plot.note.empty() ? 0.f : 16.f);
  return with(std::move(figure), std::move(plot));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::Format& format = model.rounded.format();
  Figure figure = new_figure("bits", w("The picked id, bit by bit"));
  figure.note = w.format("{}, click a row", scene.format_name());
  figure.caption = w.format(
      "Id {} and its neighbours as binary numbers: sign, exponent and mantissa of {}, the bits it "
      "has no room for, and what rounding makes of the id.",
      p.id, scene.format_name());
  std::vector<BitRow> rows;
  int dropped = 0;
  for (Index id = std::max(0, p.id - 1); id <= std::min(p.id + 1, p.length - 1); ++id) {
    BitRow row;
    row.lead = fmt::format("{}", id);
    row.value = static_cast<double>(id);
    row.result = "→ " + value_text(scene.rounded(id));
    row.marked = id == p.id;
    row.pick = {{"id", fmt::format("{}", id)}, {"explain", "id"}};
    rows.push_back(row);
    const double spacing = core::spacing(format, row.value);
    if (spacing > 1) dropped = std::max(dropped, static_cast<int>(std::log2(spacing)));
  }
  BitRow result;
  result.value = scene.rounded(p.id);
  result.lead = value_text(result.value);
  result.rounded = true;
  result.marked = true;
  result.result = w("what is stored");
  rows.push_back(std::move(result));
  figure.height = 60 + 40 * static_cast<float>(rows.size() + 1);
  figure.plots.push_back(bit_plot("id_bits", format, rows, dropped, w));
  return figure;
}

}  // namespace lab::position_ids
