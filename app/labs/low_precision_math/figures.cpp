// The figures: one computation step by step, and how errors grow.
#include <functional>

#include "app/labs/low_precision_math/page.h"

namespace lab::low_precision_math {
namespace {

using figure::Boxes;

// --- one dot product: its partial sums, and one addition bit by bit

// The sums after step 0, 1, ..., d.
Line curve_of(const VectorD& sums, Color color, float width, std::string label) {
  Line line;
  line.add(0, 0);
  for (Index i = 0; i < sums.size(); ++i) line.add(to_double(i + 1), sums(i));
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

// An axis that holds the values and zero, at which it ends where none is below.
void fit_with_zero(Axis& axis, std::initializer_list<const VectorD*> curves) {
  Extent extent{0, 0};
  for (const VectorD* curve : curves) {
    for (const double value : *curve) extent.add(value);
  }
  fit(axis, extent, 0.06);
  if (extent.lo == 0) axis.lo = 0;
}

// The columns of aligned numbers: from the weight 2^top down to 2^bottom.
struct Grid {
  int top = 0, bottom = 0;
  int count() const { return top - bottom + 1; }
  // Columns for the names at the left and the values at the right.
  double lead() const { return std::max(3.5, 0.18 * count()); }
  double tail() const { return std::max(6.0, 0.3 * count()); }
};

constexpr int kMostColumns = 28;

int binade(double x) { return std::ilogb(x); }

// The place of the lowest bit that is set.
int lowest_bit(double x) {
  const core::precision::Parts parts(x);
  int zeros = 0;
  while ((parts.significand >> zeros & 1) == 0) ++zeros;
  return parts.exponent + zeros;
}

// Nothing when no number is finite and other than 0.
std::optional<Grid> grid_of(const Addition& a) {
  std::optional<Grid> grid;
  for (const double x : {a.before, a.term, a.exact, a.after}) {
    if (x == 0 || !std::isfinite(x)) continue;
    if (!grid) grid = Grid{binade(x), lowest_bit(x)};
    grid->top = std::max(grid->top, binade(x));
    grid->bottom = std::min(grid->bottom, lowest_bit(x));
  }
  if (grid) grid->bottom = std::max(grid->bottom, grid->top - kMostColumns + 1);
  if (grid) grid->bottom = std::min(grid->bottom, grid->top - 11);
  return grid;
}

void add_row(Plot& plot, const Grid& grid, double y, double x, int last, Role role) {
  Boxes boxes;
  const auto box = [&](double at, std::string text, Color fill) {
    Boxes::Box made;
    made.x0 = at, made.x1 = at + 1;
    made.y0 = y, made.y1 = y + 0.86;
    made.text = std::move(text);
    made.fill = fill;
    boxes.boxes.push_back(std::move(made));
  };
  box(grid.lead() - 1.3, std::signbit(x) ? "-" : "+", Color(Role::panel));
  if (std::isfinite(x)) {
    const core::precision::Parts parts(x == 0 ? 1 : x);
    for (int k = grid.top; k >= grid.bottom; --k) {
      const int place = k - parts.exponent;
      const bool set = x != 0 && place >= 0 && place < 53 && (parts.significand >> place & 1) != 0;
      // Bits below the last one of the sum are those that rounding takes away.
      const Color fill = set ? Color(k >= last ? role : Role::bad, 0.75f) : Color(Role::card);
      box(grid.lead() + grid.top - k, set ? "1" : "0", fill);
    }
  }
  plot.add(std::move(boxes));
}

void add_text(Plot& plot, double x, double y, std::string text, Color color, TextStyle style) {
  plot.add(Note{x, y, std::move(text), color, style, -1});
}

// --- how errors grow: of dot products with their width, of softmax with the number of keys

constexpr double kFloor = 1e-12;  // of errors on a logarithmic axis

// A logarithmic axis that holds every positive number of the means, by whole decades.
void fit_errors(Axis& axis, const std::array<Spread, kMethods>& of) {
  double lo = 1, hi = 0;
  for (const Spread& spread : of) {
    for (const double mean : spread.mean) {
      if (!(mean > 0)) continue;  // NaN neither
      lo = std::min(lo, mean);
      hi = std::max(hi, mean);
    }
    for (const double high : spread.high)
      if (std::isfinite(high)) hi = std::max(hi, high);
  }
  if (!(hi > 0)) lo = 1e-6, hi = 1;
  lo = std::clamp(lo, kFloor, hi);
  axis.scale = AxisScale::log;
  axis.lo = std::pow(10.0, std::floor(std::log10(lo) - 1e-9));
  axis.hi = std::pow(10.0, std::ceil(std::log10(hi) + 1e-9));
}

// Zero has no place on a logarithmic axis: the line breaks there, and a band ends at the floor.
std::vector<double> positive(std::vector<double> values, double instead) {
  for (double& value : values)
    if (!(value > 0)) value = std::isnan(value) ? value : instead;
  return values;
}

// The figure with the plot, every method's curve in it, the band of the chosen one, which is said
// where it can be seen, and a line at the length of this page.
Figure with_methods(const Scene& scene, Figure figure, Plot plot,
                    const std::vector<double>& lengths, const std::array<Spread, kMethods>& of,
                    double here) {
  const bool log = plot.y.scale == AxisScale::log;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Spread& own = of[scene.method()];
  plot.add(Band{lengths, log ? positive(own.low, plot.y.lo) : own.low,
                log ? positive(own.high, plot.y.lo) : own.high,
                method_color(scene.p.method, 0.18f)});
  for (std::size_t k = 0; k < kMethods; ++k) {
    const auto method = static_cast<Method>(k);
    const bool chosen = method == scene.p.method;
    Line line{lengths,
              log ? positive(of[k].mean, none) : of[k].mean,
              method_color(method),
              chosen ? 2.5f : 1.5f,
              false,
              scene.method_name(method)};
    plot.add(std::move(line));
  }
  plot.add(Rule{true, here, Color(Role::accent, 0.6f), true, {}});
  const auto gap = [&](double low, double high) { return high > std::max(low, plot.y.lo); };
  if (!std::equal(own.low.begin(), own.low.end(), own.high.begin(), std::not_fn(gap)))
    figure.caption =
        scene.w.format("{} Band: smallest to largest of all repetitions ({}), {}.", figure.caption,
                       scene.p.repeats, scene.method_name(scene.p.method));
  return with(std::move(figure), std::move(plot));
}

Plot length_plot(const Scene& scene, std::string id, std::string label, std::string param) {
  Plot plot{.id = std::move(id)};
  plot.x = log_axis(std::move(label), 1, scene.p.longest);
  plot.x_param = std::move(param);
  return plot;
}

// Which methods make no error at all: they have no place on a logarithmic axis.
std::string note_of(const Scene& scene, const std::array<Spread, kMethods>& of) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kMethods; ++k) {
    const auto none = [](double mean) { return mean == 0; };
    if (!std::all_of(of[k].mean.begin(), of[k].mean.end(), none)) continue;
    names.push_back(scene.method_name(static_cast<Method>(k)));
  }
  if (names.empty()) return scene.w.format("mean of {}", scene.p.repeats);
  return scene.w.format("no error: {}", scene.w.list(names));
}

}  // namespace

Figure run_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  Figure figure = new_figure("run", w("A dot product, term by term"), {.height = 272});
  figure.note = w.format("step {} of {}", p.step, p.d);
  figure.pointer_note = w("click a step");
  figure.caption = w.format(
      "Partial sums of q·k over the terms ({}) of the rounded vectors: exact, kept in float32, and "
      "kept in {}. Where a curve is flat although the exact one moves, terms were rounded away.",
      p.d, m.name);
  Plot plot{.id = "run"};
  plot.x.label = w("terms added");
  plot.x.hi = p.d;
  plot.y.label = w("partial sum");
  fit_with_zero(plot.y, {&run.exact, &run.in_format.sums, &run.in_float.sums});
  plot.x_param = "step";
  plot.click = {{"explain", "step"}};
  plot.add(curve_of(run.exact, Role::text, 1.2f, w("exact")));
  const bool floats = p.method == Method::in_float;
  plot.add(curve_of(run.in_float.sums, method_color(Method::in_float), floats ? 2.4f : 1.6f,
                    scene.method_name(Method::in_float)));
  plot.add(curve_of(run.in_format.sums, method_color(Method::in_format), floats ? 1.6f : 2.4f,
                    scene.method_name(Method::in_format)));
  if (run.stalls && !floats) {
    plot.add(Rule{true, to_double(*run.stalls), Role::bad, true,
                  w.format("stalls after {}", *run.stalls)});
  }
  const double now = scene.running().sums(p.step - 1);
  plot.add(Rule{true, to_double(p.step), Color(Role::accent, 0.7f), true, {}});
  if (std::isfinite(now)) {
    plot.add(picked_point(to_double(p.step), now));
  }
  return with(std::move(figure), std::move(plot));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Addition a = scene.addition();
  const Grid grid = grid_of(a).value_or(Grid{0, -11});
  // The last bit that the sum can have.
  const double size = std::isfinite(a.exact) ? a.exact : 0;
  const int last = binade(core::spacing(scene.arithmetic(), size));
  Figure figure = new_figure("bits", w.format("Step {}, bit by bit", p.step), {.height = 190});
  figure.note = w("red: below the last bit of the sum");
  figure.caption = w.format(
      "The addition of step {} with its numbers aligned: each column is one power of two, from {} "
      "at the left. Bits below the last bit of a sum of this size are rounded away.",
      p.step, fmt::format("2^{}", grid.top));
  Plot plot{.id = "bits"};
  plot.x.visible = plot.y.visible = false;
  plot.x.hi = grid.lead() + grid.count() + grid.tail();
  plot.y.hi = 4.1;
  plot.click = {{"explain", "step"}};
  struct Named {
    std::string name;
    double value;
    Role role;
  };
  const std::vector<Named> rows{{w("partial sum"), a.before, Role::query},
                                {w("+ term"), a.term, Role::value},
                                {w("= exactly"), a.exact, Role::text},
                                {w("rounded"), a.after, Role::accent}};
  double y = 3.15;
  for (const Named& row : rows) {
    add_text(plot, 0, y + 0.43, row.name, Role::dim, TextStyle::label);
    add_row(plot, grid, y, row.value, last, row.role);
    add_text(plot, grid.lead() + grid.count() + 0.4, y + 0.43,
             number_words(row.value, std::ldexp(1.0, last)),
             row.role == Role::accent ? Role::accent : Role::text, TextStyle::mono);
    y -= 1.02;
  }
  return with(std::move(figure), std::move(plot));
}

Figure dot_errors_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const DotErrors& errors = *m.dot_errors;
  Figure figure = new_figure("dot_errors", w("Error of a dot product"), {.span = 6, .height = 290});
  figure.note = note_of(scene, errors.of);
  figure.caption = w("The error of q·k as a share of Σ |q k| against the width d.");
  Plot plot = length_plot(scene, "dot_errors", w("width d"), "d");
  plot.y.label = w("error / Σ |q k|");
  plot.click = {{"explain", "dot"}};
  fit_errors(plot.y, errors.of);
  if (p.measure == Measure::accumulation) {
    const std::vector<double>& bounds = errors.bounds[scene.method()];
    plot.add(Line{errors.lengths, bounds, Role::dim, 1.2f, true, {}});
    const auto seen = [&](double bound) { return bound >= plot.y.lo && bound <= plot.y.hi; };
    if (std::ranges::any_of(bounds, seen))
      figure.caption = w.format(
          "{} Dashed: the bound γ = m u / (1 - m u) of m roundings, where u "
          "is half the spacing at 1.",
          figure.caption);
  }
  return with_methods(scene, std::move(figure), std::move(plot), errors.lengths, errors.of, p.d);
}

Figure softmax_errors_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const SoftmaxErrors& errors = *m.softmax_errors;
  Figure figure =
      new_figure("softmax_errors", w("Largest error of a weight"), {.span = 6, .height = 290});
  figure.note = note_of(scene, errors.largest);
  figure.caption =
      w("Softmax of n random scores: the largest error of a weight as a share of that weight, "
        "against n.");
  Plot plot = length_plot(scene, "softmax_errors", w("keys n"), "n");
  plot.y.label = w("error / weight");
  plot.click = {{"explain", "weight"}};
  fit_errors(plot.y, errors.largest);
  return with_methods(scene, std::move(figure), std::move(plot), errors.lengths, errors.largest,
                      p.n);
}

Figure total_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const SoftmaxErrors& errors = *m.softmax_errors;
  Figure figure = new_figure("total", w("The sum of the weights"));
  figure.note = w.format("mean of {}", p.repeats);
  figure.caption = w("The sum of a row's weights, added exactly, against n; it should be 1.");
  figure.span = 6;
  figure.height = 290;
  Plot plot = length_plot(scene, "total", w("keys n"), "n");
  plot.y.label = w("sum of the weights");
  plot.click = {{"explain", "total"}};
  double low = 1, high = 1;
  for (const Spread& spread : errors.total) {
    for (const double value : spread.low) low = std::isfinite(value) ? std::min(low, value) : low;
    for (const double value : spread.high) {
      high = std::isfinite(value) ? std::max(high, value) : high;
    }
  }
  const double room = std::max(0.08 * (high - low), 1e-7);
  plot.y.lo = low - room;
  plot.y.hi = high + room;
  plot.add(Rule{false, 1, Role::dim, true, {}});
  return with_methods(scene, std::move(figure), std::move(plot), errors.lengths, errors.total, p.n);
}

Figure row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("row", w("One row of weights"), {.span = 6, .height = 290});
  figure.note = w.format("key {}", p.key);
  figure.pointer_note = w("click a key");
  figure.caption = w.format(
      "The weights of one query over all keys ({}): bars: exact; points: in {}, accumulated {}.",
      p.n, m.name, scene.method_name(p.method));
  const auto& row = m.softmax(p);
  const VectorD powers = (m.scores->array() - m.scores->maxCoeff()).exp();
  const VectorD exact = powers / powers.sum();
  Plot plot{.id = "row"};
  plot.x = cell_axis(w("key"), p.n);
  plot.y.label = w("weight");
  Bars bars;
  Points points;
  double largest = exact.maxCoeff();
  for (Index j = 0; j < p.n; ++j) {
    bars.values.push_back(exact(j));
    bars.picks.push_back({{"key", fmt::format("{}", j)}, {"explain", "weight"}});
    if (!row || !std::isfinite(row->weights(j))) continue;
    points.add(to_double(j) + 0.5, row->weights(j));
    largest = std::max(largest, row->weights(j));
  }
  bars.color = Color(Role::text, 0.35f);
  bars.numbers = false;
  bars.marked = p.key;
  points.color = Role::accent;
  points.radius = p.n > 256 ? 1.5f : 3;
  plot.y.hi = 1.1 * largest;
  plot.add(std::move(bars));
  plot.add(std::move(points));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::low_precision_math
