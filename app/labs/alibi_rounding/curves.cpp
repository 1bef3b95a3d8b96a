// Biases over distance, and how many of them are left.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/labs/alibi_rounding/page.h"

namespace lab::alibi_rounding {
namespace {

using core::AlibiRounder;
using figure::AxisScale;
using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;
using figure::Rule;

constexpr Index kMostSteps = 2048;  // distances drawn one by one
constexpr Index kMostPoints = 160;  // and as points besides
constexpr Index kStretches = 512;   // of a longer window
constexpr Index kMostSmall = 16;    // heads with a plot of their own
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double height(const Scene& scene, const AlibiRounder& rounder, Index distance) {
  const double bias = rounder.bias(distance);
  if (!std::isfinite(bias)) return kNan;
  return scene.p.vertical == Vertical::error ? bias - rounder.exact(distance) : bias;
}

// Every distance of the window, or the lowest and highest of each stretch at their own places.
Line thin_line(const Scene& scene, const AlibiRounder& rounder, Index most) {
  const auto& p = scene.p;
  Line line;
  const auto add = [&](Index at) {
    line.x.push_back(static_cast<double>(at));
    line.y.push_back(height(scene, rounder, at));
  };
  if (p.shown() <= most) {
    for (Index at = p.start; at < p.end(); ++at) add(at);
    return line;
  }
  for (Index k = 0; k < kStretches; ++k) {
    const Index begin = p.start + k * p.shown() / kStretches;
    const Index end = p.start + (k + 1) * p.shown() / kStretches;
    Index low = begin, high = begin;
    double least = height(scene, rounder, begin), largest = least;
    for (Index at = begin + 1; at < end; ++at) {
      const double y = height(scene, rounder, at);
      if (y < least) least = y, low = at;
      if (y > largest) largest = y, high = at;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  return line;
}

Line exact_line(const Scene& scene, const AlibiRounder& rounder) {
  const auto& p = scene.p;
  const bool error = p.vertical == Vertical::error;
  Line line;
  for (const Index at : {Index{p.start}, p.end() - 1}) {
    line.x.push_back(static_cast<double>(at));
    line.y.push_back(error ? 0 : rounder.exact(at));
  }
  line.color = Role::dim;
  line.width = 1;
  line.dashed = true;
  return line;
}

// Runs of distances with one bias, each a step in a colour of its own.
void add_steps(const Scene& scene, Plot& plot) {
  const auto& p = scene.p;
  const AlibiRounder& rounder = scene.model.rounder;
  std::array<Line, kGroupColors> steps;
  std::array<Points, kGroupColors> points;
  const bool dots = p.shown() <= kMostPoints;
  std::size_t color = 0;
  for (Index at = p.start; at < p.end();) {
    const double bias = rounder.bias(at);
    Index end = at + 1;
    while (end < p.end() && rounder.bias(end) == bias) ++end;
    for (Index k = at; k < end; ++k) {
      if (!dots && k != at && k != end - 1) continue;
      const double y = height(scene, rounder, k);
      steps[color].x.push_back(static_cast<double>(k));
      steps[color].y.push_back(y);
      if (!std::isfinite(y) || (!dots && end - at > 1)) continue;
      points[color].x.push_back(static_cast<double>(k));
      points[color].y.push_back(y);
    }
    steps[color].x.push_back(static_cast<double>(end));
    steps[color].y.push_back(kNan);
    color = (color + 1) % kGroupColors;
    at = end;
  }
  for (std::size_t k = 0; k < steps.size(); ++k) {
    steps[k].color = points[k].color = Color::of_head(static_cast<int>(k));
    steps[k].width = dots ? 3.f : 2.f;
    points[k].radius = dots ? 3.f : 1.5f;
    if (!steps[k].x.empty()) plot.marks.emplace_back(std::move(steps[k]));
    if (!points[k].x.empty()) plot.marks.emplace_back(std::move(points[k]));
  }
}

void set_range(const Line& rounded, const Line& exact, Plot& plot) {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Line* line : {&rounded, &exact}) {
    for (const double y : line->y) {
      if (!std::isfinite(y)) continue;
      lo = std::min(lo, y);
      hi = std::max(hi, y);
    }
  }
  const double room = hi > lo ? 0.08 * (hi - lo) : std::max(1e-6, 0.1 * std::abs(hi));
  plot.y.lo = lo - room;
  plot.y.hi = hi + room;
}

void set_axes(const Scene& scene, Plot& plot) {
  const auto& [p, model, w] = scene;
  plot.x = {w("distance i - j (positions)"), static_cast<double>(p.start) - 0.5,
            static_cast<double>(p.end()) - 0.5};
  plot.x.link = "distance";
  plot.y.label = p.vertical == Vertical::error ? w("rounded bias less bias") : w("bias");
}

void add_picked(const Scene& scene, const AlibiRounder& rounder, Plot& plot) {
  const Index at = scene.p.distance;
  if (at < scene.p.start || at >= scene.p.end()) return;
  plot.marks.emplace_back(Rule{true, static_cast<double>(at), Role::accent, true, {}});
  const double y = height(scene, rounder, at);
  if (!std::isfinite(y)) return;
  Points point;
  point.x = {static_cast<double>(at)};
  point.y = {y};
  point.color = Role::accent;
  point.radius = 5;
  plot.marks.emplace_back(std::move(point));
}

std::string head_title(const Scene& scene, Index head) {
  return scene.w.format("head {}: m = {}", head + 1,
                        fmt::format("{:.4g}", scene.model.slopes(head)));
}

Plot small_plot(const Scene& scene, Index head) {
  const auto& [p, model, w] = scene;
  const AlibiRounder rounder(model.slopes(head), p.steps());
  Plot plot{.id = fmt::format("head_{}", head + 1), .title = head_title(scene, head)};
  set_axes(scene, plot);
  plot.x.label.clear();
  plot.y.label.clear();
  plot.selected = head + 1 == p.head;
  plot.click = {{"head", fmt::format("{}", head + 1)}, {"explain", "bias"}};
  plot.x_param = "distance";
  Line rounded = thin_line(scene, rounder, kStretches), exact = exact_line(scene, rounder);
  set_range(rounded, exact, plot);
  rounded.color = Color::of_head(static_cast<int>(head));
  plot.marks.emplace_back(std::move(exact));
  plot.marks.emplace_back(std::move(rounded));
  return plot;
}

// Whether every head has as many biases as the first at every length.
bool alike(const Counts& counts) {
  const auto& first = counts.curves.front();
  return std::all_of(counts.curves.begin(), counts.curves.end(), [&](const auto& curve) {
    return std::equal(curve.begin(), curve.end(), first.begin(),
                      [](const auto& a, const auto& b) { return a.distinct == b.distinct; });
  });
}

}  // namespace

Figure bias_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("bias", p.vertical == Vertical::error ? w("What rounding adds to the bias")
                                                       : w("The bias of one head over distance"));
  figure.note =
      head_title(scene, p.head - 1) + ", " + scene.format_name() + ", " + scene.rounding_name();
  figure.caption = w.format(
      "Biases -m (i - j) of head {} (m = {}) at distances {} to {}, exact (dashed) and with "
      "rounding to {} ({}); distances of one colour in a row have one bias.",
      p.head, value_text(model.slope), p.start, p.end() - 1, scene.format_name(),
      scene.rounding_name());
  figure.height = 300;
  Plot plot{.id = "bias"};
  set_axes(scene, plot);
  plot.x_param = "distance";
  plot.click = {{"explain", "bias"}};
  Line rounded = thin_line(scene, model.rounder, kMostSteps);
  Line exact = exact_line(scene, model.rounder);
  set_range(rounded, exact, plot);
  plot.marks.emplace_back(std::move(exact));
  if (p.shown() <= kMostSteps) {
    add_steps(scene, plot);
  } else {
    rounded.color = Role::text;
    plot.marks.emplace_back(std::move(rounded));
    plot.note = w("thinned; extremes are kept");
  }
  add_picked(scene, model.rounder, plot);
  return with(std::move(figure), std::move(plot));
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index shown = std::min<Index>(p.heads, kMostSmall);
  Figure figure = new_figure("heads", w("Every head, the same distances"));
  figure.note =
      shown < p.heads ? w.format("heads 1 to {} of {}", shown, p.heads) : w("click a head");
  figure.caption = w.format(
      "Biases of each head at distances {} to {}: exact (dashed) and with rounding to {} ({}), "
      "each on a scale of its own.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  figure.columns = static_cast<int>(std::min<Index>(4, shown));
  figure.height = 60 + 130 * static_cast<float>((shown + 3) / 4);
  for (Index head = 0; head < shown; ++head) figure.plots.push_back(small_plot(scene, head));
  return figure;
}

Figure counts_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Counts& counts = *model.counts;
  Figure figure = new_figure("counts", w("Different biases against context length"),
                             {.span = 5, .height = 360});
  figure.note = w.format("{} of {}", model.facts(p).distinct, p.length);
  figure.caption = w.format(
      "How many different biases each head has at distances 0 to n - 1, with rounding to {} ({}); "
      "dashed: one for each distance.",
      scene.format_name(), scene.rounding_name());
  Plot plot{.id = "counts"};
  plot.x = {w("context length n (positions)"), kShortest, kLongest, plot.y.scale = AxisScale::log};
  plot.y.label = w("different biases");
  plot.y.lo = 1;
  plot.y.hi = 1.3 * kLongest;
  plot.x_param = "length";
  plot.click = {{"explain", "count"}};
  plot.marks.emplace_back(
      Line{{kShortest, kLongest}, {kShortest, kLongest}, Role::dim, 1, true, {}});
  for (std::size_t head = 0; head < counts.curves.size(); ++head) {
    const bool picked = static_cast<int>(head) + 1 == p.head;
    Line line;
    for (std::size_t k = 0; k < counts.lengths.size(); ++k) {
      line.x.push_back(static_cast<double>(counts.lengths[k]));
      line.y.push_back(static_cast<double>(counts.curves[head][k].distinct));
    }
    line.color = Color::of_head(static_cast<int>(head));
    line.width = picked ? 3.f : 1.3f;
    if (picked) line.label = w.format("head {}", p.head);
    plot.marks.emplace_back(std::move(line));
  }
  if (counts.curves.size() > 1 && alike(counts)) plot.note = w("one line: all heads are alike");
  plot.marks.emplace_back(Rule{true, static_cast<double>(p.length), Role::accent, true, {}});
  Points point;
  point.x = {static_cast<double>(p.length)};
  point.y = {static_cast<double>(model.facts(p).distinct)};
  point.color = Role::accent;
  point.radius = 5;
  plot.marks.emplace_back(std::move(point));
  return with(std::move(figure), std::move(plot));
}

Figure table_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  using figure::TextStyle;
  Figure figure = new_figure("table", w("Head by head"), {.span = 7, .height = 360});
  figure.note = w.format("n = {}, {}", p.length, scene.format_name());
  figure.caption = w.format(
      "Biases of distances 0 to {} with rounding to {} ({}): slope, different biases, the largest "
      "group of distances with one bias, the first that collides and its penalty.",
      p.length - 1, scene.format_name(), scene.rounding_name());
  figure::Table table;
  table.columns = {{w("head"), 0.7f, 1},
                   {w("slope m"), 1.3f, 1},
                   {w("different"), 1, 1},
                   {w("largest group"), 1.2f, 1},
                   {w("first collision"), 1.3f, 1},
                   {w("penalty there"), 1.3f, 1}};
  for (Index head = 0; head < p.heads; ++head) {
    const AlibiRoundingFacts& f = model.counts->context[static_cast<std::size_t>(head)];
    const AlibiRounder rounder(model.slopes(head), p.steps());
    const auto cell = [](std::string text) {
      return figure::Table::Cell{{std::move(text), Role::text, TextStyle::mono}};
    };
    table.rows.push_back(
        {cell(fmt::format("{}", head + 1)), cell(fmt::format("{:.5g}", f.slope)),
         cell(fmt::format("{}", f.distinct)), cell(fmt::format("{}", f.largest_group)),
         cell(f.first_collision ? fmt::format("{}", *f.first_collision) : w("none")),
         cell(f.first_collision ? fmt::format("{:.4g}", rounder.exact(*f.first_collision)) : "")});
    table.picks.push_back({{"head", fmt::format("{}", head + 1)}, {"explain", "count"}});
  }
  table.marked = p.head - 1;
  Plot plot{.id = "table"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::alibi_rounding
