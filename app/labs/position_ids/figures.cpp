// The figures: ids along a text, as matrices, and as stairs.
#include "app/labs/position_ids/page.h"
#include "app/labs/shared/drawing/bit_rows.h"
#include "app/labs/shared/drawing/stairs.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::position_ids {
namespace {

// --- counts against the context length, for all formats, and the table of what "exact" may mean

// A count over the ids of one length; some stand as a share of these, in percent.
double y_of(Definition definition, bool share, const IdFacts& facts) {
  const Counted count = counted(facts, definition);
  return share ? 100 * count.share : count.value;
}

Plot length_plot(const Scene& scene, Definition definition, bool share, std::string id,
                 std::string unit) {
  const auto& [p, model, w] = scene;
  const double now = y_of(definition, share, *model.facts);
  Plot plot{.id = std::move(id),
            .title = w(words_of(definition).name),
            .note = share ? percent(now / 100, 2) : value_text(now),
            .x = log_axis(w("context length n (positions)"), kShortest, kLongest),
            .y = {std::move(unit), share ? -3 : 0.9, share ? 106 : 1.3 * kLongest,
                  share ? AxisScale::linear : AxisScale::log},
            .click = sets("definition", words_of(definition).id, "explain", "definition"),
            .x_param = "length"};
  plot.x.link = "context length";
  const Curves& curves = *model.curves;
  for (std::size_t k = 0; k < curves.formats.size(); ++k) {
    const FormatCurve& curve = curves.formats[k];
    Line line{.color = Color::of_head(to_int(k)),
              .width = curve.chosen ? 3.f : 1.3f,
              .label = curve.name};
    for (std::size_t j = 0; j < curves.lengths.size(); ++j) {
      line.add(curves.lengths[j], y_of(definition, share, curve.facts[j]));
    }
    plot.add(std::move(line));
  }
  const double length = to_double(p.length);
  plot.add(Rule{.at = length, .color = Role::accent});
  plot.add(picked_point(length, now));
  return plot;
}

// --- the whole context as running rows of colour, and distances as rounded ids see them

Plot matrix_plot(const Scene& scene, std::string id, std::string title,
                 std::shared_ptr<const TileSource> source, const ColorScale& scale) {
  const auto& [p, model, w] = scene;
  Heatmap map{.source = std::move(source), .scale = scale, .pool = p.pool};
  const Index row = p.id - p.start, col = p.other - p.start;
  if (row >= 0 && col >= 0 && row < p.shown() && col < p.shown()) map.pinned = {row, col};
  return {.id = std::move(id),
          .title = std::move(title),
          .x = scene.window_axis(w("key id j"), "key id", Role::key),
          .y = scene.window_axis(w("query id i"), "query id", Role::query),
          .marks = {std::move(map)},
          .square = true,
          .click = explains("distance"),
          .x_param = "other",
          .y_param = "id"};
}

// Distances to keys before the query are never positive.
ColorScale seen_scale(const Scene& scene) {
  ColorScale scale = signed_scale(scene.model.matrices->largest_seen);
  if (scene.p.causal && !scene.p.rounding.stochastic()) {
    scale.map = MapName::viridis;
    scale.hi = 0;
  }
  return scale;
}

constexpr Index kMostSteps = 2048;  // ids drawn one by one
constexpr Index kStretches = 1024;  // of a longer window

// Where an id is drawn; NaN where it is infinite or NaN.
double height(const Scene& scene, Index id) {
  const double value = scene.model.window->value(id);
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  return scene.p.vertical == Vertical::error ? value - to_double(id) : value;
}

Stairs stairs_of(const Scene& scene) {
  return {scene.p.start, scene.p.end(), [&](Index id) { return scene.model.window->value(id); },
          [&](Index id) { return height(scene, id); },
          [&](double value) { return to_size(scene.model.rounded.rank(value) % kStepColors); }};
}

// What an unrounded id would be.
Line truth(const Scene& scene) {
  const double first = to_double(scene.p.start), last = to_double(scene.p.end());
  const bool error = scene.p.vertical == Vertical::error;
  return {{first, last}, {error ? 0 : first, error ? 0 : last}, Color(Role::dim, 0.7f), 1, true};
}

// Where the spacing doubles, and where numbers end.
void add_rules(const Scene& scene, Plot& plot) {
  const core::Format& format = scene.model.rounded.format();
  const auto& [p, model, w] = scene;
  for (double at = 1; at < to_double(p.end()); at *= 2) {
    const double spacing = core::spacing(format, at), before = core::spacing(format, at / 2);
    if (at <= plot.x.lo || spacing <= 1 || spacing == before || at > core::max_finite(format)) {
      continue;
    }
    Rule rule{.at = at, .color = Color(Role::dim, 0.8f)};
    if (std::min(2 * at, plot.x.hi) - at > 0.14 * (plot.x.hi - plot.x.lo)) {
      rule.label = w.format("spacing {} → {}", value_text(before), value_text(spacing));
    }
    plot.add(std::move(rule));
  }
  const auto& values = model.window->values;
  const auto over = std::find_if(values.begin(), values.end(),
                                 [](double value) { return !std::isfinite(value); });
  if (over == values.end()) return;
  const double at = to_double(p.start + (over - values.begin()));
  plot.add(Rule{.at = at,
                .color = Role::bad,
                .label = w.format("{} from {}", value_text(*over), value_text(at))});
}

void add_picked(const Scene& scene, Plot& plot) {
  const Index id = scene.p.id;
  if (id < scene.p.start || id >= scene.p.end()) return;
  plot.add(Rule{.at = id, .color = Role::accent});
  if (std::isnan(height(scene, id))) return;
  plot.add(picked_point(id, height(scene, id)));
}

void set_range(const Scene& scene, Plot& plot) {
  const bool error = scene.p.vertical == Vertical::error;
  Extent extent;
  extent.add(error ? 0 : to_double(scene.p.start));
  extent.add(error ? 0 : to_double(scene.p.end()));
  for (Index id = scene.p.start; id < scene.p.end(); ++id) extent.add(height(scene, id));
  const double room = extent.hi > extent.lo ? 0.06 * (extent.hi - extent.lo) : 1;
  plot.y.lo = extent.lo - room;
  plot.y.hi = extent.hi + 2 * room;  // for the labels of rules
}

}  // namespace

Counted counted(const IdFacts& f, Definition definition) {
  const auto share = [&](Index count) { return Counted{to_double(count), f.share(count)}; };
  switch (definition) {
    case Definition::exact: return share(f.exact);
    case Definition::distinct: return share(f.distinct);
    case Definition::alone: return share(f.alone);
    case Definition::alone_exact: return share(f.alone_and_exact);
    case Definition::colliding: return share(f.colliding());
    case Definition::equal_neighbors: return share(f.equal_neighbors());
    case Definition::beyond: {
      // The run without a gap ends before the first id that is no number.
      if (!f.first_inexact) return {0, 0};
      const Index beyond = f.exact - *f.first_inexact;
      return {to_double(beyond), to_double(beyond) / to_double(f.n - *f.first_inexact)};
    }
    case Definition::largest: break;
  }
  return share(f.largest_group);
}

Figure lengths_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("lengths", w("What is left as the context grows"), {.height = 560, .columns = 2});
  figure.note = w.format("at n = {}, {}", scene.p.length, scene.format_name());
  figure.caption = w.format(
      "Ids 0 to n - 1 in each format ({}), against the context length n: ids that are numbers of "
      "the format, ids that share their value, different values, and the largest group of ids with "
      "one value.",
      scene.rounding_name());
  const auto plot = [&](const std::string& id, Definition definition, std::string unit) {
    return length_plot(scene, definition, id.starts_with("share"), id, std::move(unit));
  };
  return with(std::move(figure), plot("share_exact", Definition::exact, w("% of the ids")),
              plot("share_colliding", Definition::colliding, w("% of the ids")),
              plot("distinct", Definition::distinct, w("values")),
              plot("largest_group", Definition::largest, w("ids")));
}

Figure definitions_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("definitions", w("What \"exact\" may mean"), {.height = 330});
  figure.note = w.format("n = {}, {}", p.length, scene.format_name());
  figure.caption =
      w.format("Counts over the ids 0 to {} in {} ({}), each with its name and its share.",
               p.length - 1, scene.format_name(), scene.rounding_name());
  figure::Table table;
  table.columns = {
      {w("count"), 1.5f, -1}, {w("of what"), 3, -1}, {w("number"), 1, 1}, {w("share"), 1, 1}};
  for (std::size_t k = 0; k < kDefinitions.size(); ++k) {
    const auto& [id, name, of] = kDefinitions[k];
    const Counted count = counted(*model.facts, static_cast<Definition>(k));
    table.rows.push_back({{{w(name), Role::text, TextStyle::label_bold}},
                          {{w(of), Role::dim, TextStyle::label}},
                          {{value_text(count.value), Role::text, TextStyle::mono}},
                          {{percent(count.share, 2), Role::text, TextStyle::mono}}});
    add_numbers(table, {{"number", to_double(count.value)}, {"share of the ids", count.share}});
    table.picks.push_back(sets("definition", id, "explain", "definition"));
  }
  table.marked = to_int(p.definition);
  return with_table(std::move(figure), std::move(table));
}

Heatmap groups_map(std::shared_ptr<const TileSource> source) {
  return {.source = std::move(source),
          .scale = {MapName::groups, figure::Transform::linear, 0, 256},
          .color_bar = false};
}

Axis Scene::window_axis(std::string label, std::string link, Color color) const {
  Axis axis = cell_axis(std::move(label), p.end(), std::move(link));
  axis.lo = to_double(p.start);
  axis.color = color;
  return axis;
}

Figure context_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index columns = model.context->cols();
  Figure figure = new_figure("context", w("The whole context"), {.span = 5, .height = 380});
  figure.note = w.format("{} ids, {} per row", p.length, columns);
  figure.caption =
      w.format(model.facts->not_finite > 0
                   ? N_("Ids 0 to {} in rows of {}, in {} ({}): a run of one colour is one value, "
                        "hatched ids have become infinite or NaN.")
                   : N_("Ids 0 to {} in rows of {}, in {} ({}): a run of one colour is one value."),
               p.length - 1, columns, scene.format_name(), scene.rounding_name());
  Heatmap map = groups_map(model.context);
  map.pinned = {p.id / columns, p.id % columns};
  return with(std::move(figure),
              Plot{.id = "context",
                   .x = cell_axis(w("id, within its row"), columns),
                   .y = cell_axis(w.format("rows of {} ids", columns), model.context->rows()),
                   .marks = {std::move(map)}});
}

Figure distances_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Matrices& m = *model.matrices;
  const core::DistanceFacts& facts = *model.distances;
  Figure figure = new_figure("distances", w("Relative position j - i from the rounded ids"),
                             {.span = 7, .height = 380, .columns = 2});
  figure.note = w.format("ids {} to {}", p.start, p.end() - 1);
  figure.caption = w.format(
      "Distances between ids {} to {} computed from ids rounded to {} ({}), and their errors; row: "
      "query, column: key.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  const auto share = [&](Index pairs) {
    return percent(to_double(pairs) / to_double(facts.pairs), 2);
  };
  const auto footer = [](std::string text) {
    return figure::Span{std::move(text), Role::dim, TextStyle::label};
  };
  figure.footer = {footer(w.format("right: {} of all pairs", share(facts.exact))),
                   footer(w.format("off by more than 1: {}", share(facts.wrong_by_more)))};
  return with(std::move(figure),
              matrix_plot(scene, "seen", w("rounded distance"), m.seen, seen_scale(scene)),
              matrix_plot(scene, "distance_error", w("rounded - true"), m.error,
                          signed_scale(m.largest_error)));
}

Figure stairs_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool error = p.vertical == Vertical::error;
  Figure figure = new_figure(
      "stairs", error ? w("Rounding error of an id") : w("Rounded id against id"), {.height = 300});
  figure.note = w.format("{}, {}", scene.format_name(), scene.rounding_name());
  figure.caption = w.format(
      "Position ids {} to {} after rounding to {} ({}); neighbouring ids of one colour share a "
      "value.",
      p.start, p.end() - 1, scene.format_name(), scene.rounding_name());
  Plot plot{.id = "stairs",
            .x = {w("position id"), to_double(p.start) - 0.5, to_double(p.end()) - 0.5},
            .y = {error ? w("rounded id - id") : w("id after rounding")},
            .click = explains("id"),
            .x_param = "id"};
  plot.x.link = "ids";
  set_range(scene, plot);
  plot.add(truth(scene));
  if (p.shown() <= kMostSteps) {
    add_steps(stairs_of(scene), plot);
  } else {
    Line line = thinned(stairs_of(scene), kMostSteps, kStretches);
    line.color = Role::text;
    line.width = 1.2f;
    plot.add(std::move(line));
    plot.note = w("thinned; extremes are kept");
  }
  add_rules(scene, plot);
  add_picked(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure strips_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = "strips", .x = scene.window_axis(w("position id"), "ids", Role::dim)};
  std::vector<std::string> names;
  for (const FormatCurve& curve : model.curves->formats) {
    if (curve.chosen) plot.y.marked = to_int(names.size());
    // Beside a row there is room for twelve letters: a format of one's own goes by its bits.
    const bool own = curve.chosen && p.format.choice == FormatChoice::custom;
    names.push_back(
        own ? fmt::format("1+{}+{}", curve.format.exponent_bits, curve.format.mantissa_bits)
            : curve.name);
  }
  plot.y.hi = to_double(names.size());
  plot.y.cells = true;
  plot.y.color = Role::accent;
  plot.y.labels = labels(std::move(names));
  plot.y.named = true;
  plot.x_param = "id";
  plot.click = explains("id");
  plot.add(groups_map(model.strips));
  if (p.shown() > 2000) plot.note = w("where ids share a pixel it shows the first of them");
  Figure figure =
      new_figure("strips", w("Which ids share a value, format by format"),
                 {.height = 70 + 22 * to_float(plot.y.hi) + (plot.note.empty() ? 0.f : 16.f)});
  figure.note = w("a run of one colour is one value; hatched: ∞ or NaN");
  figure.caption = w.format(
      "Position ids {} to {} in each format ({}); a run of one colour is a group of ids with one "
      "value, hatched ids have become infinite or NaN.",
      p.start, p.end() - 1, scene.rounding_name());
  return with(std::move(figure), std::move(plot));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::Format& format = model.rounded.format();
  std::vector<BitRow> rows;
  int dropped = 0;
  for (Index id = std::max(0, p.id - 1); id <= std::min(p.id + 1, p.length - 1); ++id) {
    rows.push_back({.lead = fmt::format("{}", id),
                    .value = to_double(id),
                    .result = "→ " + value_text(scene.rounded(id)),
                    .marked = id == p.id,
                    .pick = sets("id", id, "explain", "id")});
    const double spacing = core::spacing(format, to_double(id));
    if (spacing > 1) dropped = std::max(dropped, to_int(std::log2(spacing)));
  }
  const double stored = scene.rounded(p.id);
  rows.push_back({.lead = value_text(stored),
                  .value = stored,
                  .rounded = true,
                  .result = w("stored"),
                  .marked = true});
  Figure figure = new_figure("bits", w("The picked id, bit by bit"),
                             {.height = 60 + 40 * to_float(rows.size() + 1)});
  figure.note = scene.format_name();
  figure.pointer_note = w("click a row");
  figure.caption = w.format(
      "Id {} and its neighbours as binary numbers: sign, exponent and mantissa of {}, the bits "
      "that do not fit, and the rounded id.",
      p.id, scene.format_name());
  return with(std::move(figure), bit_plot("id_bits", format, rows, dropped, w));
}

}  // namespace lab::position_ids
