// Biases over distance, and how many of them are left.
#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/stairs.h"

namespace lab::alibi_rounding {
namespace {

using core::AlibiRounder;
using figure::AxisScale;

constexpr Index kMostSteps = 2048;  // distances drawn one by one
constexpr Index kStretches = 512;   // of a longer window
constexpr Index kMostSmall = 16;    // heads with a plot of their own

// Where a distance is drawn; NaN where its bias is infinite or NaN.
double height(const Scene& scene, const AlibiRounder& rounder, Index distance) {
  const double bias = rounder.bias(distance);
  if (!std::isfinite(bias)) return std::numeric_limits<double>::quiet_NaN();
  return scene.p.vertical == Vertical::error ? bias - rounder.exact(distance) : bias;
}

// Steps take turns with the colours.
Stairs stairs_of(const Scene& scene, const AlibiRounder& rounder) {
  return {scene.p.start, scene.p.end(), [&](Index at) { return rounder.bias(at); },
          [&](Index at) { return height(scene, rounder, at); },
          [next = std::size_t{0}](double) mutable { return next++ % to_size(kStepColors); }};
}

Line exact_line(const Scene& scene, const AlibiRounder& rounder) {
  const bool error = scene.p.vertical == Vertical::error;
  Line line{.color = Role::dim, .width = 1, .dashed = true};
  for (const Index at : {Index{scene.p.start}, scene.p.end() - 1}) {
    line.x.push_back(to_double(at));
    line.y.push_back(error ? 0 : rounder.exact(at));
  }
  return line;
}

// A plot of distances that holds both lines; they are not in it yet.
Plot distance_plot(const Scene& scene, std::string id, const Line& rounded, const Line& exact) {
  Plot plot{.id = std::move(id),
            .x = {"", to_double(scene.p.start) - 0.5, to_double(scene.p.end()) - 0.5},
            .x_param = "distance"};
  plot.x.link = "distance";
  Extent extent;
  extent.add(rounded.y);
  extent.add(exact.y);
  fit(plot.y, extent);
  return plot;
}

void add_point(double x, double y, Plot& plot) {
  plot.marks.emplace_back(Points{{x}, {y}, Role::accent, 5});
}

void add_picked(const Scene& scene, Plot& plot) {
  const Index at = scene.p.distance;
  if (at < scene.p.start || at >= scene.p.end()) return;
  plot.marks.emplace_back(Rule{.at = to_double(at), .color = Role::accent});
  const double y = height(scene, scene.model.rounder, at);
  if (std::isfinite(y)) add_point(to_double(at), y, plot);
}

std::string head_title(const Scene& scene, Index head) {
  return scene.w.format("head {}: m = {}", head + 1, significant(scene.model.slopes(head), 4));
}

Plot small_plot(const Scene& scene, Index head) {
  const AlibiRounder rounder(scene.model.slopes(head), scene.p.steps());
  Line rounded = thinned(stairs_of(scene, rounder), kStretches, kStretches);
  Line exact = exact_line(scene, rounder);
  Plot plot = distance_plot(scene, fmt::format("head_{}", head + 1), rounded, exact);
  plot.title = head_title(scene, head);
  plot.selected = head + 1 == scene.p.head;
  plot.click = sets("head", head + 1, "explain", "bias");
  rounded.color = Color::of_head(static_cast<int>(head));
  plot.marks = {std::move(exact), std::move(rounded)};
  return plot;
}

// Whether every head has as many biases as the first at every length.
bool alike(const Curves& curves) {
  const auto& first = curves.heads.front();
  return std::all_of(curves.heads.begin(), curves.heads.end(), [&](const auto& head) {
    return std::equal(head.begin(), head.end(), first.begin(),
                      [](const auto& a, const auto& b) { return a.distinct == b.distinct; });
  });
}

}  // namespace

Figure bias_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool error = p.vertical == Vertical::error;
  Figure figure = new_figure(
      "bias", error ? w("What rounding adds to the bias") : w("The bias of one head over distance"),
      {.height = 300});
  figure.note =
      head_title(scene, p.head - 1) + ", " + scene.format_name() + ", " + scene.rounding_name();
  figure.caption = w.format(
      "Biases -m |i - j| of head {} (m = {}) at distances {} to {}, exact (dashed) and with "
      "rounding to {} ({}); distances of one colour in a row have one bias.",
      p.head, value_text(model.slope), p.start, p.end() - 1, scene.format_name(),
      scene.rounding_name());
  const Stairs stairs = stairs_of(scene, model.rounder);
  Line rounded = thinned(stairs, kMostSteps, kStretches);
  Line exact = exact_line(scene, model.rounder);
  Plot plot = distance_plot(scene, "bias", rounded, exact);
  plot.x.label = w("distance |i - j| (positions)");
  plot.y.label = error ? w("rounded bias less bias") : w("bias");
  plot.click = explains("bias");
  plot.marks.emplace_back(std::move(exact));
  if (p.shown() <= kMostSteps) {
    add_steps(stairs, plot);
  } else {
    rounded.color = Role::text;
    plot.marks.emplace_back(std::move(rounded));
    plot.note = w("thinned; extremes are kept");
  }
  add_picked(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const int shown = std::min(p.heads, static_cast<int>(kMostSmall));
  Figure figure = new_figure(
      "heads", w("Every head, the same distances"),
      {.height = 60 + 130 * static_cast<float>((shown + 3) / 4), .columns = std::min(4, shown)});
  figure.note =
      shown < p.heads ? w.format("heads 1 to {} of {}", shown, p.heads) : w("click a head");
  figure.caption = w.format(
      "Biases of each head at distances {} to {}: exact (dashed) and with rounding to {} ({}), "
      "each on a scale of its own.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  for (Index head = 0; head < shown; ++head) figure.plots.push_back(small_plot(scene, head));
  return figure;
}

Figure counts_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Curves& curves = *model.curves;
  Figure figure = new_figure("counts", w("Different biases against context length"),
                             {.span = 5, .height = 360});
  figure.note = w.format("{} of {}", model.facts(p).distinct, p.length);
  figure.caption = w.format(
      "How many different biases each head has at distances 0 to n - 1, with rounding to {} ({}); "
      "dashed: one for each distance.",
      scene.format_name(), scene.rounding_name());
  Plot plot{.id = "counts",
            .x = {w("context length n (positions)"), kShortest, kLongest, AxisScale::log},
            .y = {w("different biases"), 1, 1.3 * kLongest, AxisScale::log},
            .click = explains("count"),
            .x_param = "length"};
  plot.marks.emplace_back(Line{{kShortest, kLongest}, {kShortest, kLongest}, Role::dim, 1, true});
  for (std::size_t head = 0; head < curves.heads.size(); ++head) {
    const bool picked = static_cast<int>(head) + 1 == p.head;
    Line line{.color = Color::of_head(static_cast<int>(head)), .width = picked ? 3.f : 1.3f};
    for (std::size_t k = 0; k < curves.lengths.size(); ++k) {
      line.x.push_back(to_double(curves.lengths[k]));
      line.y.push_back(to_double(curves.heads[head][k].distinct));
    }
    if (picked) line.label = w.format("head {}", p.head);
    plot.marks.emplace_back(std::move(line));
  }
  if (curves.heads.size() > 1 && alike(curves)) plot.note = w("one line: all heads are alike");
  plot.marks.emplace_back(Rule{.at = to_double(p.length), .color = Role::accent});
  add_point(to_double(p.length), to_double(model.facts(p).distinct), plot);
  return with(std::move(figure), std::move(plot));
}

Figure table_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
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
  for (const AlibiRoundingFacts& f : *model.context) {
    const auto first = f.first_collision;
    const double penalty = first ? -f.slope * to_double(*first) : 0;
    const auto head = static_cast<int>(table.rows.size()) + 1;
    std::vector<figure::Table::Cell> row;
    for (std::string text :
         {fmt::format("{}", head), significant(f.slope, 5), fmt::format("{}", f.distinct),
          fmt::format("{}", f.largest_group), first ? fmt::format("{}", *first) : w("none"),
          first ? significant(penalty, 4) : std::string()}) {
      row.push_back({{std::move(text), Role::text, TextStyle::mono}});
    }
    table.rows.push_back(std::move(row));
    table.picks.push_back(sets("head", head, "explain", "count"));
  }
  table.marked = p.head - 1;
  return with(std::move(figure), Plot{.id = "table", .marks = {std::move(table)}});
}

}  // namespace lab::alibi_rounding
