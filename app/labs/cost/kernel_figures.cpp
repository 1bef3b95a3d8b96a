// Dense and sparse kernels: what they have to do, and how long this machine takes.
#include "app/labs/cost/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cost {
namespace {

Color kernel_color(Kernel kernel) {
  constexpr int kColors[] = {0, 4, 9};
  return Color::of_head(kColors[to_int(kernel)]);
}

Assignments pick(std::string_view explain, Index n) { return sets("explain", explain, "n", n); }

// The measured exponent belongs to the name: "dense, n^2.03".
std::string measured_name(const Scene& scene, Kernel kernel) {
  const auto& fit = scene.measured->of(kernel).fit;
  const std::string name = scene.kernel_name(kernel);
  return fit ? fmt::format("{}, n^{:.2f}", name, fit->exponent) : name;
}

void add_series(const Scene& scene, Kernel kernel, Marks& marks) {
  const Series& series = scene.measured->of(kernel);
  Line line{.color = kernel_color(kernel), .label = measured_name(scene, kernel)};
  for (const Timing& timing : series.timings) line.add(timing.n, 1e3 * timing.seconds);
  if (line.x.empty()) return;
  marks.emplace_back(line);
  if (const auto& fit = series.fit) {
    const double first = line.x[line.x.size() - to_size(fit->count)], last = line.x.back();
    marks.emplace_back(Line{.x = {first, last},
                            .y = {1e3 * fit->at(first), 1e3 * fit->at(last)},
                            .color = Role::dim,
                            .dashed = true});
  }
  for (const Timing& timing : series.timings) {
    const bool here = scene.p.explain == Explained::time && timing.n == scene.timed_length();
    marks.emplace_back(point(to_double(timing.n), 1e3 * timing.seconds, kernel_color(kernel), here,
                             pick("time", timing.n)));
  }
}

double seconds_of(const Timing* timing) {
  return timing ? timing->seconds : std::numeric_limits<double>::quiet_NaN();
}

std::string time_cell(const Timing* timing) { return timing ? time_text(timing->seconds) : "-"; }

}  // namespace

Figure kernel_figure(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const KernelSizes sizes = p.kernels();
  const Axis axis = scene.lengths(kShortestMeasured, p.longest);
  const auto count = [&](Kernel kernel, double n) {
    return kernel_operations(kernel, sizes, to_index(n));
  };
  Marks marks;
  for (const Kernel kernel : kKernels) {
    marks.emplace_back(curve(axis, [&](double n) { return count(kernel, n); },
                             {.color = kernel_color(kernel), .label = scene.kernel_name(kernel)}));
  }
  if (p.n >= kShortestMeasured && p.n <= p.longest) {
    marks.emplace_back(Rule{.at = p.n, .color = Role::accent});
  }
  for (const Index n : kernel_lengths(p.longest)) {
    for (const Kernel kernel : kKernels) {
      const double x = to_double(n);
      marks.emplace_back(point(x, count(kernel, x), kernel_color(kernel),
                               p.explain == Explained::kernel && n == p.n, pick("kernel", n)));
    }
  }
  Plot plot = log_plot("kernels", axis, w("multiply-adds of all heads"), "n", std::move(marks));
  plot.click = explains("kernel");
  Figure figure = new_figure("kernels", w("Attention alone, counted"), {.span = 6, .height = 340});
  figure.note = w.format("{}, r = {}", w(pattern_name(p.pattern)), grouped(p.r));
  figure.caption = w.format(
      "Multiply-adds of attention's scores over all heads ({} of width {}) for all pairs, for the "
      "causal half, and for a sparse pattern ({}, r = {}): kept pairs times h d_k; the values take "
      "as many again.",
      p.heads, sizes.d_head(), w(pattern_name(p.pattern)), grouped(p.r));
  return with(std::move(figure), std::move(plot));
}

Figure time_figure(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  Marks marks;
  for (const Kernel kernel : kKernels) add_series(scene, kernel, marks);
  Plot plot = log_plot("times", scene.lengths(kShortestMeasured, p.longest),
                       w("time of one call (ms)"), "", std::move(marks));
  plot.click = explains("time");
  Figure figure = new_figure("times", w("Time, measured"), {.span = 6, .height = 340});
  figure.note = w.format("on this machine, now, {} threads", measured->threads);
  figure.caption = w.format(
      "Time of one call on the machine that made this figure, the fastest of several, {} threads, "
      "{} heads of width {}, weights not kept; dashed: the power law through the longest lengths "
      "({}, r = {}).",
      measured->threads, p.heads, p.kernels().d_head(), w(pattern_name(p.pattern)), grouped(p.r));
  return with(std::move(figure), std::move(plot));
}

Figure rates_figure(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const KernelSizes sizes = p.kernels();
  figure::Table table;
  table.columns = {{"n", 0.7f, 1},
                   {scene.kernel_name(Kernel::dense), 1, 1},
                   {scene.kernel_name(Kernel::causal), 1, 1},
                   {scene.kernel_name(Kernel::sparse), 1, 1},
                   {w("faster, measured"), 0.9f, 1},
                   {w("fewer, counted"), 0.9f, 1}};
  for (const Index n : kernel_lengths(p.longest)) {
    const Timing *dense = measured->of(Kernel::dense).at(n),
                 *causal = measured->of(Kernel::causal).at(n),
                 *sparse = measured->of(Kernel::sparse).at(n);
    if (!dense && !causal && !sparse) continue;
    const double counted =
        kernel_operations(Kernel::dense, sizes, n) / kernel_operations(Kernel::sparse, sizes, n);
    const std::string faster =
        dense && sparse ? significant(dense->seconds / sparse->seconds, 3) + " ×" : "-";
    if (n == scene.timed_length()) table.marked = to_int(table.rows.size());
    table.rows.push_back({{mono(grouped(n))},
                          {mono(time_cell(dense))},
                          {mono(time_cell(causal))},
                          {mono(time_cell(sparse))},
                          {mono(faster, Role::accent)},
                          {mono(significant(counted, 3) + " ×")}});
    add_numbers(table, {{"n (tokens)", to_double(n)},
                        {"dense (s)", seconds_of(dense)},
                        {"causal (s)", seconds_of(causal)},
                        {"sparse (s)", seconds_of(sparse)},
                        {"faster, measured (times)", seconds_of(dense) / seconds_of(sparse)},
                        {"fewer, counted (times)", counted}});
    table.picks.push_back(pick("time", n));
  }
  Figure figure = new_figure("rates", w("Dense against sparse"),
                             {.height = 92 + 29 * to_float(table.rows.size())});
  figure.note = w("of one call");
  figure.caption = w.format(
      "How many times faster one call of the sparse kernel ({}, r = {}) is than one of the dense "
      "kernel, measured, and how many times fewer multiply-adds it takes.",
      w(pattern_name(p.pattern)), grouped(p.r));
  return with_table(std::move(figure), std::move(table));
}

std::vector<double> log_samples(double lo, double hi) {
  constexpr int kCount = 121;
  std::vector<double> samples;
  for (int k = 0; k < kCount; ++k) {
    const double x = std::round(lo * std::pow(hi / lo, k / (kCount - 1.0)));
    if (samples.empty() || x > samples.back()) samples.push_back(x);
  }
  return samples;
}

Line curve(const Axis& x, const std::function<double(double)>& y, Line line) {
  line.x = log_samples(x.lo, x.hi);
  for (const double at : line.x) {
    const double value = y(at);
    line.y.push_back(value > 0 ? value : std::numeric_limits<double>::quiet_NaN());
  }
  return line;
}

Points point(double x, double y, const Color& color, bool chosen, Assignments pick) {
  return {.x = {x},
          .y = {y},
          .color = chosen ? figure::Color(Role::accent) : color,
          .radius = chosen ? 5.0f : 4.0f,
          .picks = {std::move(pick)}};
}

Plot log_plot(std::string id, Axis x, std::string y_label, std::string param, Marks marks) {
  Extent y = heights(marks);
  if (y.empty()) y = {1, 1};
  x.scale = AxisScale::log;
  return {.id = std::move(id),
          .x = std::move(x),
          .y = log_axis(std::move(y_label), y.lo / 2, 2 * y.hi),
          .marks = std::move(marks),
          .x_param = std::move(param)};
}

}  // namespace lab::cost
