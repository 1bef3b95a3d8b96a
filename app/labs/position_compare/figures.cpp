// The pictures, their differences and their curves.
#include "app/labs/position_compare/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::position_compare {
namespace {

// How many of the page's 12 columns each figure takes. Two pictures leave room for their difference
// beside them, two differences for the curves.
struct Spans {
  int side, difference, curves;
};
Spans spans(const Scene& scene) {
  if (scene.count() == 2) return {8, 4, 12};
  if (scene.count() == 3) return {12, 7, 5};
  return {12, 12, 12};
}

// The axes are shared, and said once: what stands to the right leaves that room to the colour bar.
Plot pair_plot(const Scene& scene, const char* id, std::size_t k, std::string title,
               std::shared_ptr<const TileSource> source, const ColorScale& scale,
               const char* explained, bool first) {
  const Model& m = scene.model;
  return PairMap{.queries = m.n(),
                 .keys = m.n(),
                 .labels = m.content->labels,
                 .query = m.query,
                 .key = m.key,
                 .pinned = true,
                 .query_label = first ? scene.w("query") : "",
                 .key_label = scene.w("key")}
      .plot(fmt::format("{}_{}", id, k + 1), std::move(title), std::move(source), scale,
            scheme_pick(k, explained));
}

std::string quantity_words(const Scene& scene) {
  return scene.p.quantity == Quantity::scores ? scene.w("scores as they enter the softmax")
                                              : scene.w("weights that multiply the values");
}

// The colours of one scheme's picture, or of all.
ColorScale scale_of(const Scene& scene, std::size_t scheme) {
  float largest = 0;
  bool negative = scene.p.quantity == Quantity::scores;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    if (k != scheme && scene.p.colors == Colors::own) continue;
    largest = std::max(largest, scene.shown(k).largest);
    // URPE's numbers may be negative, and so its weights.
    const MatrixD& weights = scene.shown(k).scored->weights;
    negative = negative || (weights.size() > 0 && weights.minCoeff() < 0);
  }
  if (negative) return signed_scale(largest);
  return largest <= 1 ? weight_scale(largest) : ColorScale{.hi = kScaleMargin * largest};
}

ColorScale difference_scale(const Scene& scene, std::size_t scheme) {
  float largest = 0;
  for (std::size_t k = 1; k < scene.count(); ++k) {
    if (k != scheme && scene.p.colors == Colors::own) continue;
    largest = std::max(largest, scene.shown(k).largest_difference);
  }
  return signed_scale(largest);
}

// What is said of the colours beside the title, and in the caption.
std::string colors_note(const Scene& scene) {
  return scene.p.colors == Colors::own ? scene.w("each its own colour scale")
                                       : scene.w("one colour scale for all");
}
std::string colors_sentence(const Scene& scene) {
  return scene.p.colors == Colors::own
             ? scene.w("Each picture has its own colour scale, with its ends beside it.")
             : scene.w("One colour scale for all.");
}

void add_sentence(const Scene& scene, const std::string& sentence, Figure& figure) {
  figure.caption = scene.w.format("{} {}", figure.caption, sentence);
}

// Which of the four colours the k-th scheme has. Schemes that lessons come back to have their own
// wherever they stand; others take the first that is free.
std::size_t place_in_palette(const Scene& scene, std::size_t k) {
  constexpr std::array kOwn{Scheme::none, Scheme::sinusoidal, Scheme::rotary, Scheme::alibi};
  const auto own = [&](std::size_t at) {
    return std::find(kOwn.begin(), kOwn.end(), scene.scheme(at));
  };
  std::array<bool, kOwn.size()> taken{};
  std::vector<std::size_t> waiting;
  for (std::size_t at = 0; at < scene.count(); ++at) {
    const auto place = to_size(own(at) - kOwn.begin());
    const bool free = place < kOwn.size() && !taken[place];
    if (free && at == k) return place;
    if (free) taken[place] = true;
    if (!free) waiting.push_back(at);
  }
  for (const std::size_t at : waiting) {
    const auto place = to_size(std::find(taken.begin(), taken.end(), false) - taken.begin());
    if (at == k) return place % kOwn.size();
    if (place < kOwn.size()) taken[place] = true;
  }
  return 0;
}

// A curve with its band, over the distances that some pair has.
void add_curve(const Scene& scene, std::size_t k, Plot& plot, Extent& extent) {
  const Curve& curve = scene.shown(k).curve;
  Band band{.color = scheme_color(scene, k, 0.14f)};
  // Dashed: equal curves on top of each other stay visible.
  Line line{.color = scheme_color(scene, k),
            .dashed = place_in_palette(scene, k) % 2 == 1,
            .label = scene.name(k)};
  for (std::size_t t = 0; t < curve.mean.size(); ++t) {
    if (curve.pairs[t] == 0) continue;
    line.add(to_double(t) - to_double(scene.model.n() - 1), curve.mean[t]);
    band.lo.push_back(curve.mean[t] - curve.deviation[t]);
    band.hi.push_back(curve.mean[t] + curve.deviation[t]);
  }
  extent.add(band.lo);
  extent.add(band.hi);
  band.x = line.x;
  plot.add(std::move(band));
  plot.add(std::move(line));
}

// --- the table of statements, counted operations and measured times, and how they came about

using core::model::SchemeSize;
constexpr double kMostCounted = 1048576;
constexpr int kSamplesOfCurve = 65;

Span body(std::string text) { return {std::move(text), Role::text, TextStyle::label}; }
Span source(std::string_view text) { return {std::string(text), Role::dim, TextStyle::small}; }

double projections(const SchemeSize& size) {
  return to_double(core::position_cost(size.model).projection_flops);
}
double operations(const Scene& scene, std::size_t k, const SchemeSize& size) {
  return to_double(core::model::scheme_cost(scene.scheme(k), size).operations());
}

// A formula, and what it comes to where that is not 0.
Table::Cell count_cell(std::string formula, double count, const std::string& remark = {}) {
  Table::Cell cell{mono(std::move(formula))};
  if (count > 0) cell.push_back(mono("= " + short_count(count)));
  if (count > 0 && !remark.empty()) cell.push_back(source(remark));
  return cell;
}

std::vector<Table::Cell> table_row(const Scene& scene, std::size_t k) {
  const auto& w = scene.w;
  const Scheme scheme = scene.scheme(k);
  const SchemeSize size = scene.size();
  const Compared& of = compared_as(scheme);
  const std::vector<Term> learned = parameter_terms(scheme, size), held = held_terms(scheme, size);
  const double total = operations(scene, k, size);
  const std::string share = percent_text(total / projections(size));
  const std::string bytes = bytes_text(4 * to_double(value(held)));
  return {{{scene.name(k), scheme_color(scene, k), TextStyle::label_bold}},
          {body(w(of.acts)), mono(fmt::format("i+1, j+1: Δ {:.2g}", scene.model.shift_error[k])),
           source(w(of.acts_source))},
          count_cell(operations_formula(scheme, size), total,
                     w.format("{} % of the projections", share)),
          count_cell(symbols(learned), to_double(value(learned))),
          count_cell(symbols(held), to_double(value(held)), w.format("{} in float32", bytes)),
          {body(w(of.beyond)), source(w(of.beyond_source))}};
}

// The same numbers, unrounded.
void add_counts(const Scene& scene, std::size_t k, Table& table) {
  const Scheme scheme = scene.scheme(k);
  const SchemeSize size = scene.size();
  const double total = operations(scene, k, size);
  const double held = to_double(value(held_terms(scheme, size)));
  add_numbers(table, {{"change of a score when both move by one", scene.model.shift_error[k]},
                      {"operations added", total},
                      {"share of the projections", total / projections(size)},
                      {"learned numbers", to_double(value(parameter_terms(scheme, size)))},
                      {"numbers held", held},
                      {"numbers held in float32 (bytes)", 4 * held}});
}

// Sizes along one axis.
struct Sweep {
  std::vector<double> x;
  std::vector<SchemeSize> sizes;
};

// From `least` to `most`, as far as it goes, in whole multiples of `least`, evenly in the
// logarithm.
Sweep sweep(const SchemeSize& size, double least, double most, Index core::ModelSize::*varied) {
  Sweep sweep;
  const double steps = std::floor(most / least);
  for (int k = 0; k < kSamplesOfCurve; ++k) {
    const double x = least * std::round(std::pow(steps, k / (kSamplesOfCurve - 1.0)));
    if (!sweep.x.empty() && x == sweep.x.back()) continue;
    sweep.x.push_back(x);
    sweep.sizes.push_back(size);
    sweep.sizes.back().model.*varied = to_index(x);
  }
  return sweep;
}

// Schemes that cost the same along the whole sweep share one line and its label; those that cost
// nothing have none.
std::vector<Line> cost_lines(const Scene& scene, const Sweep& sweep) {
  std::vector<Line> lines;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    Line line{.x = sweep.x, .color = scheme_color(scene, k), .label = scene.name(k)};
    for (const SchemeSize& size : sweep.sizes) line.y.push_back(operations(scene, k, size));
    if (line.y.back() == 0) continue;
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const Line& other) { return other.y == line.y; });
    if (same == lines.end()) {
      lines.push_back(std::move(line));
    } else if (same->label.find(line.label) == std::string::npos) {
      same->label = scene.w.list({same->label, line.label});
    }
  }
  Line all{.x = sweep.x, .color = Role::dim, .width = 1, .dashed = true};
  for (const SchemeSize& size : sweep.sizes) all.y.push_back(projections(size));
  all.label = scene.w("projections");
  lines.push_back(std::move(all));
  return lines;
}

Plot operations_plot(const Scene& scene, const Sweep& sweep, std::string id, std::string label,
                     Index now, std::string param) {
  const bool by_length = param == "counted_length";
  Plot plot{.id = std::move(id),
            .click = by_length ? sets("explain", "cost", "counted", "length") : explains("cost"),
            .x_param = std::move(param)};
  plot.x = log_axis(std::move(label), sweep.x.front(),
                    sweep.x.size() > 1 ? sweep.x.back() : 2 * sweep.x.front());
  Extent extent;
  for (Line& line : cost_lines(scene, sweep)) {
    extent.add(line.y);
    plot.add(std::move(line));
  }
  plot.y = log_axis(scene.w("operations in one pass"), extent.lo / 2, 2 * extent.hi);
  plot.add(Rule{true, now, Role::accent});
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const double total = operations(scene, k, scene.size());
    if (total == 0) continue;
    plot.add(scheme_point(scene, k, to_double(now), total, Explained::cost));
  }
  return plot;
}

// --- explanations

// One step: what it does, its formula, its numbers.
void write_step(const Scene& scene, const core::model::StepCost& step, Derivation& d) {
  Term term = core::model::cost_terms(step.step->operations, scene.size()).front();
  if (step.step->every_layer) term.push_back({"L", scene.p.layers});
  d.heading(scene.w(step.step->words)).next(symbols({term})).next(numbers({term}));
  d.next(grouped(value(term)));
}

void write_count(std::string what, const std::vector<Term>& terms, Derivation& d) {
  d.heading(std::move(what)).next(symbols(terms));
  if (!terms.empty()) d.next(numbers(terms)).next(grouped(value(terms)));
}

void write_timing(const Scene& scene, std::string_view what, const Timing& timing, Index operations,
                  Derivation& d) {
  const auto& w = scene.w;
  d.say(what).about_picked("t", w.format("{:.1f} ns", timing.nanoseconds));
  d.line("", {dim(w.format("{:.1f} to {:.1f} ns over {} samples", timing.fastest, timing.slowest,
                           scene.measured->samples))});
  if (operations == 0) return;
  d.line("", {plain(fmt::format("{} / {:.1f}", grouped(operations), timing.nanoseconds)),
              dim(w.format(" ≈ {:.2f} operations per nanosecond",
                           to_double(operations) / timing.nanoseconds))});
}

}  // namespace

std::size_t Scene::chosen() const {
  const std::size_t k = to_size(model.chosen);
  return p.explain == Explained::difference ? std::max<std::size_t>(k, 1) : k;
}

Color scheme_color(const Scene& scene, std::size_t k, float alpha) {
  // Four of the palette that differ most in lightness and hue in both themes.
  constexpr std::array kColors{0, 1, 10, 4};
  return Color::of_head(kColors[place_in_palette(scene, k)], alpha);
}

Assignments scheme_pick(std::size_t k, const char* explained) {
  return sets("explain", explained, "scheme", k + 1);
}

Points scheme_point(const Scene& scene, std::size_t k, double x, double y, Explained explained) {
  const bool chosen = scene.p.explain == explained && k == scene.chosen();
  return {.x = {x},
          .y = {y},
          .color = chosen ? Color(Role::accent) : scheme_color(scene, k),
          .radius = chosen ? 5.0f : 4.0f,
          .picks = {scheme_pick(k, explained == Explained::cost ? "cost" : "distance")}};
}

Figure side_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("side", w("The same queries and keys with each scheme"),
                 {.span = spans(scene).side, .height = 330, .columns = to_int(scene.count())});
  figure.caption =
      w.format("Head {} over the same tokens ({}) with {} schemes: {}; row: query, column: key.",
               scene.p.head, scene.model.n(), scene.count(), quantity_words(scene));
  add_sentence(scene, colors_sentence(scene), figure);
  figure.note = colors_note(scene);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const ColorScale scale = scale_of(scene, k);
    figure.plots.push_back(
        pair_plot(scene, "map", k, scene.name(k), scene.shown(k).source, scale, "value", k == 0));
    figure.plots.back().note = scale.lo < 0 ? w.format("colours ±{:.3g}", scale.hi)
                                            : w.format("colours 0 to {:.3g}", scale.hi);
    figure.plots.back().selected = scene.p.explain == Explained::value && k == scene.chosen();
  }
  return figure;
}

Figure difference_figure(const Scene& scene) {
  Figure figure = new_figure(
      "difference", scene.w.format("What each adds to {}", scene.name(0)),
      {.span = spans(scene).difference, .height = 330, .columns = to_int(scene.count()) - 1});
  const bool to_none = scene.scheme(0) == Scheme::none;
  figure.caption =
      scene.w.format(to_none ? N_("Each scheme minus {}, pair by pair: what its positions change.")
                             : N_("Each scheme minus {}, pair by pair."),
                     scene.name(0));
  add_sentence(scene, colors_sentence(scene), figure);
  figure.note = colors_note(scene);
  for (std::size_t k = 1; k < scene.count(); ++k) {
    const ColorScale scale = difference_scale(scene, k);
    figure.plots.push_back(pair_plot(scene, "difference", k, scene.name(k) + " − " + scene.name(0),
                                     scene.shown(k).difference, scale, "difference", k == 1));
  }
  return figure;
}

Figure curves_figure(const Scene& scene) {
  const auto& [p, m, w, measured] = scene;
  const bool scores = p.quantity == Quantity::scores;
  const int span = spans(scene).curves;
  const double last = to_double(std::max<Index>(1, m.n() - 1)), distance = to_double(m.distance);
  Plot plot{.id = "curves", .click = explains("distance"), .x_param = "distance"};
  plot.x = {w("distance, key minus query (tokens)"), -last, p.mask == MaskKind::causal ? 0 : last};
  plot.y.label = scores ? w("score") : w("weight");
  Extent extent{0, 0};
  for (std::size_t k = 0; k < scene.count(); ++k) add_curve(scene, k, plot, extent);
  fit(plot.y, extent, 0.05);
  plot.add(Rule{true, distance, Role::accent});
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const Curve& curve = scene.shown(k).curve;
    const std::size_t at = scene.at_distance();
    if (curve.pairs[at] == 0) continue;
    plot.add(scheme_point(scene, k, distance, curve.mean[at], Explained::distance));
  }
  Figure figure = new_figure("curves", w("Over distance"),
                             {.span = span, .height = span == 12 ? 270.0f : 330.0f});
  figure.note = w("mean ± standard deviation");
  figure.caption = w.format(
      "Mean over all pairs at each distance, {}; bands: one standard deviation on either side.",
      quantity_words(scene));
  if (scores) {
    add_sentence(scene,
                 w("Where a band has no width anywhere, the scheme depends on the distance alone."),
                 figure);
  }
  return with(std::move(figure), std::move(plot));
}

Figure table_figure(const Scene& scene) {
  const auto& w = scene.w;
  Table table;
  table.columns = {{w("Scheme"), 0.9f},
                   {w("Position acts as"), 1.45f},
                   {w("Operations added"), 1.6f},
                   {w("Learned numbers"), 1.05f},
                   {w("Extra numbers held"), 1.05f},
                   {w("Beyond the trained length"), 1.5f}};
  for (std::size_t k = 0; k < scene.count(); ++k) {
    table.rows.push_back(table_row(scene, k));
    add_counts(scene, k, table);
    table.picks.push_back(scheme_pick(k, "cost"));
  }
  if (scene.p.explain == Explained::cost) table.marked = to_int(scene.chosen());
  Plot plot{.id = "table"};
  plot.add(std::move(table));
  Figure figure = new_figure("table", w("What each is, and its cost"), {.height = 420});
  figure.note = w.format("n = {}, d = {}, h = {}, L = {}", grouped(scene.size().model.n),
                         scene.p.d_model, scene.p.heads, scene.p.layers);
  figure.caption = w.format(
      "Operations (additions and multiplications) that one pass (tokens: {}) adds to attention "
      "without positions, counted step by step (layers: {}); learned numbers; extra numbers held; "
      "and what is known beyond the trained length, with the source of each statement. Δ: the "
      "largest change in a score of equal tokens when query i and key j both move by one.",
      grouped(scene.size().model.n), scene.p.layers);
  return with(std::move(figure), std::move(plot));
}

Figure operations_figure(const Scene& scene) {
  const SchemeSize size = scene.size();
  Figure figure = new_figure("operations", scene.w("Operations added, counted"),
                             {.span = scene.measured ? 8 : 12, .height = 320, .columns = 2});
  figure.note = scene.w("dashed: the projections Q, K, V and output");
  figure.caption = scene.w.format(
      "Operations that positions add to one pass, against the length (d = {}) and against the "
      "width (n = {}), heads: {}, layers: {}. Schemes that add none have no line.",
      scene.p.d_model, grouped(scene.size().model.n), scene.p.heads, scene.p.layers);
  return with(
      std::move(figure),
      operations_plot(scene, sweep(size, 1, kMostCounted, &core::ModelSize::n), "operations_n",
                      scene.w("length n (tokens)"), size.model.n, "counted_length"),
      operations_plot(scene,
                      sweep(size, 2.0 * scene.p.heads, kMostWidth, &core::ModelSize::d_model),
                      "operations_d", scene.w("width d"), size.model.d_model, "d_model"));
}

Figure time_figure(const Scene& scene) {
  const Measured& m = *scene.measured;
  const auto& w = scene.w;
  Bars bars{.values = {m.add.nanoseconds, m.rotate.nanoseconds, m.on_the_fly.nanoseconds},
            .color = Role::dim,
            .picks = {3, explains("time")}};
  Plot plot{.id = "time", .x = cell_axis("", 3), .click = explains("time")};
  plot.x.labels = labels(std::vector<std::string>{w("add"), w("rotate"), w("no table")});
  plot.y = {w("time per token (ns)"), 0,
            1.15 * *std::max_element(bars.values.begin(), bars.values.end())};
  plot.add(std::move(bars));
  Figure figure = new_figure("time", w("Time, measured"), {.span = 4, .height = 320});
  figure.note = w("on this machine, now");
  figure.caption = w.format(
      "Measured on the machine that made this figure, one thread, median of {} samples, {} tokens "
      "at a time, d = {}, h = {}: adding a sinusoidal table to X (done once), rotating q and k of "
      "all heads with a table of cosines and sines, and without a table, recomputing the angles "
      "(both in each layer).",
      m.samples, m.tokens, scene.p.d_model, scene.p.heads);
  return with(std::move(figure), std::move(plot));
}

Explanation explain_cost(const Scene& scene) {
  const auto& w = scene.w;
  const Scheme scheme = scene.scheme(scene.chosen());
  const SchemeSize size = scene.size();
  const core::model::SchemeCost cost = core::model::scheme_cost(scheme, size);
  Derivation d(w);
  d.picked("ops", grouped(cost.operations()));
  if (!cost.steps.empty()) d.next(operations_formula(scheme, size));
  for (const core::model::StepCost& step : cost.steps) write_step(scene, step, d);
  d.line("", {dim(w.format("{} additions, {} multiplications", grouped(cost.additions),
                           grouped(cost.multiplications)))});
  write_count(w("Learned numbers"), parameter_terms(scheme, size), d);
  write_count(w("Extra numbers held, one layer at a time"), held_terms(scheme, size), d);
  if (cost.functions > 0) {
    d.say(
        w.format("Filling that table takes {} sines and cosines, once for all passes; without it "
                 "they are computed in each pass.",
                 grouped(cost.functions)));
  }
  const Index all = core::position_cost(size.model).projection_flops;
  d.heading(w("Beside the projections Q, K, V and output")).is("", "8·n·d²·L = " + grouped(all));
  d.is("", fmt::format("{} / {} ≈ {}", grouped(cost.operations()), grouped(all),
                       percent(to_double(cost.operations()) / to_double(all))));
  return {w.format("{}: operations in one pass", scene.name(scene.chosen())), d.take()};
}

Explanation explain_time(const Scene& scene) {
  const auto& w = scene.w;
  const Index d_model = scene.p.d_model;
  Derivation d(w);
  if (!scene.measured) {
    d.begin("add", "d = " + grouped(d_model)).begin("rotate", "6·d = " + grouped(6 * d_model));
    d.say(w("These are counted operations. Press \"Measure now\" to time them on this machine."));
    return {w("Time per token"), d.take()};
  }
  const Measured& m = *scene.measured;
  d.say(
      w.format("Measured on this machine just now: one thread, {} tokens at a time, the median "
               "sample. Times differ from run to run.",
               m.tokens));
  write_timing(scene, w("Add a row of the table: d additions, once"), m.add, d_model, d);
  write_timing(scene, w("Rotate q and k by a table: 6·d operations, each layer"), m.rotate,
               6 * d_model, d);
  write_timing(scene, w("Rotate, recomputing each token's d_k sines and cosines"), m.on_the_fly, 0,
               d);
  write_timing(scene, w("For comparison: the four projections of one layer, 8·d²"), m.projections,
               8 * d_model * d_model, d);
  d.say(w("The whole model")).is("add", "≈ " + w.format("{:.1f} ns", m.add.nanoseconds));
  d.is("rotate", fmt::format("≈ {} × {:.3f}", scene.p.layers, m.rotate.nanoseconds));
  d.about(w.format("{:.1f} ns", scene.p.layers * m.rotate.nanoseconds));
  return {w("Time per token"), d.take()};
}

}  // namespace lab::position_compare
