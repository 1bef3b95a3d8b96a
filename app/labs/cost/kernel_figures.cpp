// Dense and sparse kernels: what they have to do, and how long this machine takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/cost/curves.h"
#include "app/labs/cost/page.h"

namespace lab::cost {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;
using figure::Rule;
using figure::Span;
using figure::Table;
using figure::TextStyle;

figure::Assignments pick(std::string_view explain, Index n) {
  return {{"explain", std::string(explain)}, {"n", fmt::format("{}", n)}};
}

// The measured exponent belongs to the name: "dense, n^2.03".
std::string measured_name(const Scene& scene, Kernel kernel) {
  const auto& fit = scene.measured->of(kernel).fit;
  const std::string name = scene.kernel_name(kernel);
  return fit ? fmt::format("{}, n^{:.2f}", name, fit->exponent) : name;
}

void add_series(const Scene& scene, Kernel kernel, Plot& plot) {
  const Series& series = scene.measured->of(kernel);
  figure::Line line;
  line.color = kernel_color(kernel);
  line.label = measured_name(scene, kernel);
  for (const Timing& timing : series.timings) {
    line.x.push_back(static_cast<double>(timing.n));
    line.y.push_back(1e3 * timing.seconds);
  }
  if (line.x.empty()) return;
  plot.marks.emplace_back(line);
  if (series.fit) {
    const std::size_t first = line.x.size() - static_cast<std::size_t>(series.fit->count);
    figure::Line fitted;
    fitted.x = {line.x[first], line.x.back()};
    fitted.y = {1e3 * series.fit->at(fitted.x[0]), 1e3 * series.fit->at(fitted.x[1])};
    fitted.color = Role::dim;
    fitted.dashed = true;
    plot.marks.emplace_back(std::move(fitted));
  }
  for (const Timing& timing : series.timings) {
    add_point(plot, static_cast<double>(timing.n), 1e3 * timing.seconds, kernel_color(kernel),
              scene.p.explain == Explained::time && timing.n == scene.timed_length(),
              pick("time", timing.n));
  }
}

Table::Cell time_cell(const Timing* timing) {
  return {mono(timing ? time_text(timing->seconds) : "-")};
}

}  // namespace

Figure kernel_figure(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  Plot plot = log_plot("kernels", w("length n (tokens)"), kShortestMeasured, p.longest,
                       w("multiply-adds of all heads"));
  for (const Kernel kernel : kKernels) {
    add_curve(plot, [&](double n) { return kernel_cost(kernel, p, static_cast<Index>(n)).macs; },
              {.color = kernel_color(kernel), .label = scene.kernel_name(kernel)});
  }
  if (p.n >= kShortestMeasured && p.n <= p.longest) {
    plot.marks.emplace_back(Rule{.vertical = true, .at = 1.0 * p.n, .color = Role::accent});
  }
  for (const Index n : kernel_lengths(p)) {
    for (const Kernel kernel : kKernels) {
      add_point(plot, static_cast<double>(n), kernel_cost(kernel, p, n).macs, kernel_color(kernel),
                p.explain == Explained::kernel && n == p.n, pick("kernel", n));
    }
  }
  settle(plot);
  plot.x_param = "n";
  plot.click = {{"explain", "kernel"}};
  Figure figure = new_figure("kernels", w("Attention alone, counted"), {.span = 6, .height = 340});
  figure.note = w.format("{}, r = {}", w(pattern_name(p.pattern)), grouped(p.r));
  figure.caption = w.format(
      "Multiply-adds of attention over {} heads of width {} for all pairs, for the causal half, "
      "and for the pairs of a sparse pattern ({}, r = {}): kept pairs times h (d_k + d_v).",
      p.heads, p.d / p.heads, w(pattern_name(p.pattern)), grouped(p.r));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure time_figure(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  Plot plot = log_plot("times", w("length n (tokens)"), kShortestMeasured, p.longest,
                       w("time of one call (ms)"));
  for (const Kernel kernel : kKernels) add_series(scene, kernel, plot);
  settle(plot);
  plot.click = {{"explain", "time"}};
  Figure figure = new_figure("times", w("Time, measured"), {.span = 6, .height = 340});
  figure.note = w.format("on this machine, now, {} threads", scene.measured->threads);
  figure.caption = w.format(
      "Time of one call on the machine that made this figure, the fastest of several, {} threads, "
      "{} heads of width {}, weights not kept; dashed: the power law through the longest lengths "
      "({}, r = {}).",
      scene.measured->threads, p.heads, p.d / p.heads, w(pattern_name(p.pattern)), grouped(p.r));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure rates_figure(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  const Measured& m = *scene.measured;
  Table table;
  table.columns = {{"n", 0.7f, 1},
                   {scene.kernel_name(Kernel::dense), 1, 1},
                   {scene.kernel_name(Kernel::causal), 1, 1},
                   {scene.kernel_name(Kernel::sparse), 1, 1},
                   {w("faster, measured"), 0.9f, 1},
                   {w("fewer, counted"), 0.9f, 1}};
  for (const Index n : kernel_lengths(p)) {
    const Timing* times[3];
    for (const Kernel kernel : kKernels) times[static_cast<int>(kernel)] = m.of(kernel).at(n);
    if (!times[0] && !times[1] && !times[2]) continue;
    const double counted =
        kernel_cost(Kernel::dense, p, n).macs / kernel_cost(Kernel::sparse, p, n).macs;
    const std::string faster =
        times[0] && times[2] ? fmt::format("{:.3g} ×", times[0]->seconds / times[2]->seconds) : "-";
    if (n == scene.timed_length()) table.marked = static_cast<int>(table.rows.size());
    table.rows.push_back({{mono(grouped(n))},
                          time_cell(times[0]),
                          time_cell(times[1]),
                          time_cell(times[2]),
                          {mono(faster, Role::accent)},
                          {mono(fmt::format("{:.3g} ×", counted))}});
    table.picks.push_back(pick("time", n));
  }
  const auto rows = static_cast<float>(table.rows.size());
  Plot plot{.id = "rates"};
  plot.marks.emplace_back(std::move(table));
  Figure figure = new_figure("rates", w("Dense against sparse"), {.height = 92 + 29 * rows});
  figure.note = w("of one call");
  figure.caption = w.format(
      "Measured time of one call, how many times faster the sparse kernel ({}, r = {}) is than the "
      "dense one, and how many times fewer multiply-adds it has.",
      w(pattern_name(p.pattern)), grouped(p.r));
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace lab::cost
