// The table of statements, the counted operations and the measured time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/position_compare/page.h"

namespace lab::position_compare {
namespace {

using core::SchemeSize;
using figure::Figure;
using figure::Plot;
using figure::Role;
using figure::Span;
using figure::Table;
using figure::TextStyle;

constexpr double kMostCounted = 1048576;
constexpr int kSamplesOfCurve = 65;

Span body(std::string text) { return {std::move(text), Role::text, TextStyle::label}; }
Span source(std::string_view text) { return {std::string(text), Role::dim, TextStyle::small}; }

figure::Assignments pick(std::size_t k) {
  return {{"explain", "cost"}, {"scheme", fmt::format("{}", k + 1)}};
}

double projections(const SchemeSize& size) {
  return static_cast<double>(core::position_cost(size.model).projection_flops);
}

Table::Cell acts_cell(const Scene& scene, std::size_t k) {
  const Facts& f = facts(scene.scheme(k));
  return {body(scene.w(f.acts)),
          mono(fmt::format("i+1, j+1: Δ {:.2g}", scene.model.shift_error[k])),
          source(f.acts_source)};
}

Table::Cell operations_cell(const Scene& scene, std::size_t k) {
  const SchemeSize size = scene.p.size();
  const auto total = static_cast<double>(core::scheme_cost(scene.scheme(k), size).operations());
  Table::Cell cell{mono(operations_formula(scene.scheme(k), size))};
  if (total > 0) {
    cell.push_back(mono("= " + short_count(total)));
    cell.push_back(
        source(scene.w.format("{} % of the projections", percent_text(total / projections(size)))));
  }
  return cell;
}

Table::Cell parameters_cell(const Scene& scene, std::size_t k) {
  const auto terms = parameter_terms(scene.scheme(k), scene.p.size());
  Table::Cell cell{mono(symbols(terms))};
  if (!terms.empty()) {
    cell.push_back(mono("= " + short_count(static_cast<double>(value(terms)))));
  }
  return cell;
}

Table::Cell held_cell(const Scene& scene, std::size_t k) {
  const auto terms = held_terms(scene.scheme(k), scene.p.size());
  Table::Cell cell{mono(symbols(terms))};
  if (!terms.empty()) {
    const auto count = static_cast<double>(value(terms));
    cell.push_back(mono("= " + short_count(count)));
    cell.push_back(source(scene.w.format("{}B in float32", short_count(4 * count))));
  }
  return cell;
}

Table::Cell beyond_cell(const Scene& scene, std::size_t k) {
  const Facts& f = facts(scene.scheme(k));
  return {body(scene.w(f.beyond)), source(f.beyond_source)};
}

// Operations of a scheme along one axis; NaN where there are none, for the axis is logarithmic.
struct Sweep {
  std::vector<double> x;
  std::vector<SchemeSize> sizes;
};

Sweep sweep_lengths(const SchemeSize& size) {
  Sweep sweep;
  for (int k = 0; k < kSamplesOfCurve; ++k) {
    const double n = std::round(std::pow(kMostCounted, k / (kSamplesOfCurve - 1.0)));
    if (!sweep.x.empty() && n == sweep.x.back()) continue;
    sweep.x.push_back(n);
    sweep.sizes.push_back(size);
    sweep.sizes.back().model.n = static_cast<Index>(n);
  }
  return sweep;
}

Sweep sweep_widths(const SchemeSize& size) {
  Sweep sweep;
  const double least = 2.0 * static_cast<double>(size.model.heads);
  const double steps = std::floor(kMostWidth / least);
  for (int k = 0; k < kSamplesOfCurve; ++k) {
    const double d = least * std::round(std::pow(steps, k / (kSamplesOfCurve - 1.0)));
    if (!sweep.x.empty() && d == sweep.x.back()) continue;
    sweep.x.push_back(d);
    sweep.sizes.push_back(size);
    sweep.sizes.back().model.d_model = static_cast<Index>(d);
  }
  return sweep;
}

void hold(double value, figure::Axis& axis) {
  if (!(value > 0)) return;
  axis.lo = std::min(axis.lo, value);
  axis.hi = std::max(axis.hi, value);
}

// Schemes that cost the same along the whole sweep share one line and its label.
void add_lines(const Scene& scene, const Sweep& sweep, Plot& plot) {
  std::vector<figure::Line> lines;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    figure::Line line;
    line.x = sweep.x;
    for (const SchemeSize& size : sweep.sizes) {
      line.y.push_back(static_cast<double>(core::scheme_cost(scene.scheme(k), size).operations()));
      hold(line.y.back(), plot.y);
    }
    if (line.y.back() == 0) continue;
    line.color = scheme_color(k);
    line.label = scene.name(k);
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const figure::Line& other) { return other.y == line.y; });
    if (same == lines.end()) {
      lines.push_back(std::move(line));
    } else if (same->label.find(line.label) == std::string::npos) {
      same->label += ", " + line.label;
    }
  }
  figure::Line all{.x = sweep.x, .color = Role::dim, .width = 1, .dashed = true};
  for (const SchemeSize& size : sweep.sizes) {
    all.y.push_back(projections(size));
    hold(all.y.back(), plot.y);
  }
  all.label = scene.w("projections");
  lines.push_back(std::move(all));
  for (figure::Line& line : lines) plot.marks.emplace_back(std::move(line));
}

Plot operations_plot(const Scene& scene, const Sweep& sweep, std::string id, std::string label,
                     double now, std::string param) {
  Plot plot{.id = std::move(id)};
  plot.x = {std::move(label), sweep.x.front(),
            sweep.x.size() > 1 ? sweep.x.back() : 2 * sweep.x.front(),
            plot.y.scale = figure::AxisScale::log};
  plot.y.label = scene.w("operations in one pass");
  plot.y.lo = std::numeric_limits<double>::infinity();
  plot.y.hi = 0;
  add_lines(scene, sweep, plot);
  plot.y.lo /= 2;
  plot.y.hi *= 2;
  plot.marks.emplace_back(figure::Rule{.vertical = true, .at = now, .color = Role::accent});
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const auto total =
        static_cast<double>(core::scheme_cost(scene.scheme(k), scene.p.size()).operations());
    if (total == 0) continue;
    const bool chosen = scene.p.explain == Explained::cost && k == scene.chosen();
    plot.marks.emplace_back(
        figure::Points{.x = {now},
                       .y = {total},
                       .color = chosen ? figure::Color(Role::accent) : scheme_color(k),
                       .radius = chosen ? 5.0f : 4.0f,
                       .picks = {pick(k)}});
  }
  plot.x_param = std::move(param);
  plot.click = {{"explain", "cost"}};
  return plot;
}

}  // namespace

Figure table_figure(const Scene& scene) {
  const auto& w = scene.w;
  Table table;
  table.columns = {{w("Scheme"), 0.9f},           {w("Position acts as"), 1.45f},
                   {w("Operations added"), 1.6f}, {w("Learned numbers"), 1.05f},
                   {w("Numbers held"), 1.05f},    {w("Beyond the trained length"), 1.5f}};
  for (std::size_t k = 0; k < scene.count(); ++k) {
    table.rows.push_back({{{scene.name(k), scheme_color(k), TextStyle::label_bold}},
                          acts_cell(scene, k),
                          operations_cell(scene, k),
                          parameters_cell(scene, k),
                          held_cell(scene, k),
                          beyond_cell(scene, k)});
    table.picks.push_back(pick(k));
  }
  if (scene.p.explain == Explained::cost) table.marked = static_cast<int>(scene.chosen());
  Plot plot{.id = "table"};
  plot.marks.emplace_back(std::move(table));
  Figure figure = new_figure("table", w("What each is, and what it costs"), {.height = 420});
  figure.note = w.format("n = {}, d = {}, h = {}, L = {}", grouped(scene.p.counted_length),
                         scene.p.d_model, scene.p.heads, scene.p.layers);
  figure.caption = w.format(
      "Operations (additions and multiplications) that one pass over {} tokens adds to attention "
      "without positions, counted step by step, {} layers; learned numbers; numbers held besides; "
      "and what is known beyond the trained length, with the source of each statement. Δ: the "
      "largest change of a score of equal tokens when query i and key j both move by one.",
      grouped(scene.p.counted_length), scene.p.layers);
  figure.plots = {std::move(plot)};
  return figure;
}

Figure operations_figure(const Scene& scene) {
  const SchemeSize size = scene.p.size();
  Figure figure = new_figure("operations", scene.w("Operations added, counted"),
                             {.span = scene.measured ? 8 : 12, .height = 320, .columns = 2});
  figure.note = scene.w("dashed: the projections Q, K, V and output");
  figure.caption = scene.w.format(
      "Operations that positions add to one pass, against the length (d = {}) and against the "
      "width (n = {}), {} heads, {} layers. Schemes that add none have no line.",
      scene.p.d_model, grouped(scene.p.counted_length), scene.p.heads, scene.p.layers);
  figure.plots = {
      operations_plot(scene, sweep_lengths(size), "operations_n", scene.w("length n (tokens)"),
                      static_cast<double>(size.model.n), "counted_length"),
      operations_plot(scene, sweep_widths(size), "operations_d", scene.w("width d"),
                      static_cast<double>(size.model.d_model), "d_model")};
  return figure;
}

Figure time_figure(const Scene& scene) {
  const Measured& m = *scene.measured;
  const auto& w = scene.w;
  figure::Bars bars;
  bars.values = {m.add.nanoseconds, m.rotate.nanoseconds, m.on_the_fly.nanoseconds};
  bars.color = Role::dim;
  bars.picks.assign(3, {{"explain", "time"}});
  Plot plot{.id = "time"};
  plot.x = cell_axis("", 3);
  plot.x.labels = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{w("add"), w("rotate"), w("no table")});
  plot.y.label = w("time for a token (ns)");
  plot.y.hi = 1.15 * *std::max_element(bars.values.begin(), bars.values.end());
  plot.marks.emplace_back(std::move(bars));
  plot.click = {{"explain", "time"}};
  Figure figure = new_figure("time", w("Time, measured"), {.span = 4, .height = 320});
  figure.note = w("on this machine, now");
  figure.caption = w.format(
      "Measured on the machine that made this figure, one thread, median of {} samples, {} tokens "
      "at a time, d = {}, h = {}: adding a sinusoidal table to X (done once), rotating q and k of "
      "all heads with a table of cosines and sines, and without a table, the angles computed anew "
      "(both in each layer).",
      m.samples, m.tokens, scene.p.d_model, scene.p.heads);
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace lab::position_compare
