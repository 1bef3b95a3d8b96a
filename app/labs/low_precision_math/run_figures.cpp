// One dot product: its partial sums, and one addition bit by bit.
#include "app/labs/low_precision_math/page.h"

namespace lab::low_precision_math {
namespace {

using figure::Boxes;

// The sums after step 0, 1, ..., d.
Line curve_of(const VectorD& sums, Color color, float width, std::string label) {
  Line line;
  line.x.push_back(0);
  line.y.push_back(0);
  for (Index i = 0; i < sums.size(); ++i) {
    line.x.push_back(static_cast<double>(i + 1));
    line.y.push_back(sums(i));
  }
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

// An axis that holds every finite value and zero.
void fit(figure::Axis& axis, const std::vector<const VectorD*>& curves) {
  double lo = 0, hi = 0;
  for (const VectorD* curve : curves) {
    for (const double value : *curve) {
      if (!std::isfinite(value)) continue;
      lo = std::min(lo, value);
      hi = std::max(hi, value);
    }
  }
  const double room = hi > lo ? 0.06 * (hi - lo) : 1;
  axis.lo = lo < 0 ? lo - room : 0;
  axis.hi = hi + room;
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
  plot.marks.emplace_back(std::move(boxes));
}

void add_text(Plot& plot, double x, double y, std::string text, Color color, TextStyle style) {
  plot.marks.emplace_back(figure::Note{x, y, std::move(text), color, style, -1});
}

}  // namespace

Figure run_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  Figure figure = new_figure("run", w("A dot product, term by term"), {.height = 272});
  figure.note = w.format("step {} of {} · click a step", p.step, p.d);
  figure.caption = w.format(
      "Partial sums of q·k over {} terms: exact, kept in float32, and kept in {}. Where a curve "
      "runs level although the exact one moves, terms are too small to change the sum.",
      p.d, m.name);
  Plot plot{.id = "run"};
  plot.x.label = w("terms added");
  plot.x.hi = p.d;
  plot.y.label = w("partial sum");
  fit(plot.y, {&run.exact, &run.in_format.sums, &run.in_float.sums});
  plot.x_param = "step";
  plot.click = {{"explain", "step"}};
  plot.marks.emplace_back(curve_of(run.exact, Role::text, 1.2f, w("exact")));
  plot.marks.emplace_back(curve_of(run.in_float.sums, scene.method_color(Method::in_float), 1.6f,
                                   scene.method_name(Method::in_float)));
  plot.marks.emplace_back(curve_of(run.in_format.sums, scene.method_color(Method::in_format), 2.4f,
                                   scene.method_name(Method::in_format)));
  if (run.stalls) {
    plot.marks.emplace_back(Rule{true, static_cast<double>(*run.stalls), Role::bad, true,
                                 w.format("stalls after {}", *run.stalls)});
  }
  const double now = scene.running().sums(p.step - 1);
  plot.marks.emplace_back(
      Rule{true, static_cast<double>(p.step), Color(Role::accent, 0.7f), true, {}});
  if (std::isfinite(now)) {
    plot.marks.emplace_back(Points{{static_cast<double>(p.step)}, {now}, Role::accent, 5, {}});
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
      "The addition of step {} with its numbers aligned, column by column the same power of two, "
      "from {} at the left. What lies below the last bit that a sum of this size has is rounded "
      "away.",
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

}  // namespace lab::low_precision_math
