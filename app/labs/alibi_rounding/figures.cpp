// The figures: pairs as heatmaps, and curves over the distance.
#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/drawing/bit_rows.h"
#include "app/labs/shared/drawing/stairs.h"

namespace lab::alibi_rounding {
namespace {

using core::AlibiRounder;

// --- score plus bias: exact, rounded, their difference; which neighbours it makes equal; its bits

constexpr int kMostDropped = 16;

// Queries begin `start` after the keys.
PairMap map_of(const Scene& scene) {
  const auto& p = scene.p;
  return {.queries = p.tokens,
          .keys = p.tokens,
          .query = -1,
          .key = -1,
          .pool = p.pool,
          .query_label = scene.w("query i"),
          .key_label = scene.w("key j")};
}

Plot pair_plot(const Scene& scene, std::string id, std::string title,
               std::shared_ptr<const TileSource> source, const ColorScale& scale) {
  const auto& p = scene.p;
  const PairMap map = map_of(scene);
  Plot plot = map.plot(std::move(id), std::move(title));
  plot.y.lo = p.start;
  plot.y.hi = to_double(p.start) + p.tokens;
  Heatmap cells = map.cells(std::move(source), scale, explains("score"));
  cells.pinned = {p.query, p.key};
  plot.add(std::move(cells));
  return plot;
}

// Sums of far keys all lie near one value: the colours span what there is.
ColorScale sum_scale(const MatrixD& sums) {
  Extent extent;
  for (const double x : sums.reshaped()) extent.add(x);
  if (extent.empty()) extent = {-1, 1};
  const auto [lo, hi] = extent;
  const double room = hi > lo ? 1e-3 * (hi - lo) : std::max(1e-3, 1e-3 * std::abs(hi));
  return {.lo = to_float(lo - room), .hi = to_float(hi + room)};
}

Plot strip_plot(const Scene& scene, std::string id, std::string title,
                std::shared_ptr<const TileSource> source) {
  const auto& [p, model, w] = scene;
  Heatmap map{.source = std::move(source),
              .scale = {MapName::groups, figure::Transform::linear, 0, 256},
              .pinned = {{p.head - 1, p.key}},
              .color_bar = false};
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = map_of(scene).key_axis(),
            .y = cell_axis(w("head"), p.heads + 1, "head"),
            .marks = {std::move(map)},
            .click = explains("score"),
            .x_param = "key",
            .y_param = "head"};
  plot.y.lo = 1;
  plot.y.marked = p.head;
  plot.y.color = Role::accent;
  return plot;
}

BitRow exact_row(std::string lead, double value, std::string result) {
  return {.lead = std::move(lead), .value = value, .result = std::move(result)};
}

// A number that a step stores or leaves: only a stored one is drawn as a number of the format.
BitRow step_row(std::string lead, double value, bool stored, bool marked = false) {
  return {.lead = std::move(lead),
          .value = value,
          .rounded = stored || !std::isfinite(value),
          .result = value_text(value),
          .marked = marked};
}

std::vector<BitRow> score_rows(const Scene& scene) {
  const Sum sum = scene.sum();
  const auto& p = scene.p;
  std::vector<BitRow> rows{step_row("s", sum.stored_score, p.round_score),
                           step_row("b", sum.bias, p.round_bias)};
  if (std::isfinite(sum.before)) {
    rows.push_back(exact_row("s + b", sum.before, value_text(sum.before)));
  }
  rows.push_back(step_row(scene.w("sum"), sum.result, p.round_sum, true));
  return rows;
}

std::vector<BitRow> bias_rows(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<BitRow> rows;
  for (Index at = std::max(0, p.distance - 1); at <= std::min(p.distance + 1, p.length - 1); ++at) {
    BitRow row = exact_row(fmt::format("-m·{}", at), model.rounder.exact(at),
                           "→ " + value_text(model.rounder.bias(at)));
    row.marked = at == p.distance;
    row.pick = sets("distance", at, "explain", "bias");
    rows.push_back(std::move(row));
  }
  rows.push_back(step_row(w("bias"), model.rounder.bias(p.distance), p.round_bias, true));
  return rows;
}

// --- biases over distance, and how many of them are left

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
    line.add(at, error ? 0 : rounder.exact(at));
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

void add_point(double x, double y, Plot& plot) { plot.add(picked_point(x, y)); }

void add_picked(const Scene& scene, Plot& plot) {
  const Index at = scene.p.distance;
  if (at < scene.p.start || at >= scene.p.end()) return;
  plot.add(Rule{.at = at, .color = Role::accent});
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
  rounded.color = Color::of_head(to_int(head));
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

Figure matrices_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pairs& pairs = *model.pairs;
  Figure figure = new_figure("matrices", w("Score plus bias, exact and rounded"),
                             {.height = 330, .columns = 3});
  figure.note = w.format("head {}, queries after the keys by {}", p.head, p.start);
  figure.caption = w.format(
      "Scores plus ALiBi biases of head {} for the same queries and keys: exact, with rounding to "
      "{} ({}), and the difference; row: query, column: key.",
      p.head, scene.format_name(), scene.rounding_name());
  const auto share = [&](Index count) {
    return percent(to_double(count) / to_double(std::max<Index>(1, pairs.neighbors)), 2);
  };
  const auto footer = [](std::string text) {
    return figure::Span{std::move(text), Role::dim, TextStyle::label};
  };
  figure.footer = {footer(w.format("neighbouring keys made equal: {}", share(pairs.equal))),
                   footer(w.format("swapped: {}", share(pairs.swapped)))};
  const ColorScale scale = sum_scale(pairs.exact);
  return with(std::move(figure), pair_plot(scene, "exact", w("exact"), pairs.exact_cells, scale),
              pair_plot(scene, "rounded", w("rounded"), pairs.rounded_cells, scale),
              pair_plot(scene, "error", w("rounded - exact"), pairs.error_cells,
                        signed_scale(pairs.largest_error)));
}

Figure strips_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("strips", w("Which neighbouring keys become one"),
                 {.height = 110 + 18 * to_float(std::clamp(p.heads, 4, 20)), .columns = 2});
  figure.note = w.format("query {}; a run of one colour is one value", p.start + p.query);
  figure.caption = w.format(
      "For query {}, head by head: neighbouring keys with equal rounded biases, and with equal "
      "rounded sums of score and bias, have one colour; {} ({}).",
      p.start + p.query, scene.format_name(), scene.rounding_name());
  return with(
      std::move(figure), strip_plot(scene, "bias_groups", w("bias alone"), model.strips->biases),
      strip_plot(scene, "sum_groups",
                 w.format("score + bias: {} of {} told apart at head {}",
                          model.strips->distinct[to_size(p.head - 1)], model.strips->keys, p.head),
                 model.strips->sums));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool pair = p.explained == Explained::score && scene.pair_distance() >= 0;
  const std::vector<BitRow> rows = pair ? score_rows(scene) : bias_rows(scene);
  const core::Format format = format_of(p.format);
  int dropped = 0;
  for (const BitRow& row : rows) {
    if (!row.rounded) dropped = std::max(dropped, dropped_bits(format, row.value, kMostDropped));
  }
  Figure figure =
      new_figure("bits", pair ? w("The picked sum, bit by bit") : w("The picked bias, bit by bit"),
                 {.height = 60 + 40 * to_float(rows.size() + 1)});
  figure.note = pair ? w.format("query {}, key {}", p.start + p.query, p.key)
                     : w.format("distance {}", p.distance);
  figure.caption =
      w.format("The picked value in {}: sign, exponent and mantissa, and the bits that do not fit.",
               scene.format_name());
  return with(std::move(figure), bit_plot("bits", format, rows, dropped, w));
}

Figure bias_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool error = p.vertical == Vertical::error;
  Figure figure = new_figure(
      "bias", error ? w("Rounding error of the bias") : w("The bias of one head over distance"),
      {.height = 300});
  figure.note = w.format("{}, {}", head_title(scene, p.head - 1),
                         w.format("{}, {}", scene.format_name(), scene.rounding_name()));
  const std::string slope = value_text(model.slope), format = scene.format_name(),
                    rounding = scene.rounding_name();
  figure.caption =
      error ? w.format(
                  "With rounding to {4} ({5}), the errors of the biases -m |i - j| of head {0} (m "
                  "= {1}) at distances {2} to {3}; dashed: zero; neighbouring distances of one "
                  "colour share a bias.",
                  p.head, slope, p.start, p.end() - 1, format, rounding)
            : w.format(
                  "Biases -m |i - j| of head {} (m = {}) at distances {} to {}, exact (dashed) and "
                  "with rounding to {} ({}); neighbouring distances of one colour share a bias.",
                  p.head, slope, p.start, p.end() - 1, format, rounding);
  const Stairs stairs = stairs_of(scene, model.rounder);
  Line rounded = thinned(stairs, kMostSteps, kStretches);
  Line exact = exact_line(scene, model.rounder);
  Plot plot = distance_plot(scene, "bias", rounded, exact);
  plot.x.label = w("distance |i - j| (positions)");
  plot.y.label = error ? w("rounded bias - bias") : w("bias");
  plot.click = explains("bias");
  plot.add(std::move(exact));
  if (p.shown() <= kMostSteps) {
    add_steps(stairs, plot);
  } else {
    rounded.color = Role::text;
    plot.add(std::move(rounded));
    plot.note = w("thinned; extremes are kept");
  }
  add_picked(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const int shown = std::min(p.heads, to_int(kMostSmall));
  Figure figure =
      new_figure("heads", w("Every head, the same distances"),
                 {.height = 60 + 130 * to_float((shown + 3) / 4), .columns = std::min(4, shown)});
  if (shown < p.heads) figure.note = w.format("heads 1 to {} of {}", shown, p.heads);
  figure.pointer_note = w("click a head");
  const std::string format = scene.format_name(), rounding = scene.rounding_name();
  figure.caption = p.vertical == Vertical::error
                       ? w.format(
                             "Errors of rounding to {2} ({3}) in the biases of each head at "
                             "distances {0} to {1} (dashed: zero), each on its own scale.",
                             p.start, p.end() - 1, format, rounding)
                       : w.format(
                             "Biases of each head at distances {} to {}: exact (dashed) and with "
                             "rounding to {} ({}), each on its own scale.",
                             p.start, p.end() - 1, format, rounding);
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
            .x = log_axis(w("context length n (positions)"), kShortest, kLongest),
            .y = log_axis(w("different biases"), 1, 1.3 * kLongest),
            .click = explains("count"),
            .x_param = "length"};
  plot.add(Line{{kShortest, kLongest}, {kShortest, kLongest}, Role::dim, 1, true});
  for (std::size_t head = 0; head < curves.heads.size(); ++head) {
    const bool picked = to_int(head) + 1 == p.head;
    Line line{.color = Color::of_head(to_int(head)), .width = picked ? 3.f : 1.3f};
    for (std::size_t k = 0; k < curves.lengths.size(); ++k) {
      line.add(curves.lengths[k], curves.heads[head][k].distinct);
    }
    if (picked) line.label = w.format("head {}", p.head);
    plot.add(std::move(line));
  }
  if (curves.heads.size() > 1 && alike(curves)) plot.note = w("one line: all heads coincide");
  plot.add(Rule{.at = p.length, .color = Role::accent});
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
    const auto head = to_int(table.rows.size()) + 1;
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
  return with_table(std::move(figure), std::move(table));
}

}  // namespace lab::alibi_rounding
