// Counts against the context length, for all formats, and the table of what "exact" may mean.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/labs/position_ids/page.h"

namespace lab::position_ids {
namespace {

using figure::AxisScale;
using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;
using figure::Rule;

struct Quantity {
  std::string_view id;
  Definition definition;
  bool share;  // of all ids, in percent; else a count
  std::function<Index(const IdFacts&)> count;
};

double y_of(const Quantity& quantity, const IdFacts& facts) {
  const Index count = quantity.count(facts);
  return quantity.share ? 100 * facts.share(count) : static_cast<double>(count);
}

Plot length_plot(const Scene& scene, const Quantity& quantity, const std::string& title,
                 std::string unit) {
  const Curves& curves = *scene.model.curves;
  Plot plot{.id = std::string(quantity.id)};
  const double now = y_of(quantity, *scene.model.facts);
  plot.title =
      fmt::format("{}: {}", title, quantity.share ? fmt::format("{:.2f} %", now) : value_text(now));
  plot.x = {scene.w("context length n (positions)"), kShortest, kLongest, AxisScale::log};
  plot.x.link = "context length";
  plot.y = {std::move(unit), quantity.share ? -3 : 0.9, quantity.share ? 106 : 1.3 * kLongest,
            quantity.share ? AxisScale::linear : AxisScale::log};
  plot.x_param = "length";
  plot.click = {{"definition", std::string(definition_id(quantity.definition))},
                {"explain", "definition"}};
  for (std::size_t k = 0; k < curves.formats.size(); ++k) {
    const FormatCurve& curve = curves.formats[k];
    Line line;
    for (std::size_t j = 0; j < curves.lengths.size(); ++j) {
      line.x.push_back(static_cast<double>(curves.lengths[j]));
      line.y.push_back(y_of(quantity, curve.facts[j]));
    }
    line.color = Color::of_head(static_cast<int>(k));
    line.width = curve.chosen ? 3.f : 1.3f;
    line.label = curve.name;
    plot.marks.emplace_back(std::move(line));
  }
  plot.marks.emplace_back(Rule{true, static_cast<double>(scene.p.length), Role::accent, true, {}});
  Points point;
  point.x = {static_cast<double>(scene.p.length)};
  point.y = {now};
  point.color = Role::accent;
  point.radius = 5;
  plot.marks.emplace_back(std::move(point));
  return plot;
}

std::string sentence_of(const words::Words& w, Definition definition) {
  switch (definition) {
    case Definition::exact:
      return w("ids that are numbers of the format");
    case Definition::distinct:
      return w("values that are left for them all");
    case Definition::alone:
      return w("ids that share their value with no other");
    case Definition::alone_exact:
      return w("of these, the ones that keep their value");
    case Definition::colliding:
      return w("ids that share their value");
    case Definition::equal_neighbours:
      return w("ids less values");
    case Definition::beyond:
      return w("of the ids after the last run without a gap");
    case Definition::largest:
      break;
  }
  return w("ids that share one value");
}

}  // namespace

std::string_view definition_id(Definition definition) {
  constexpr std::array<std::string_view, kDefinitions> kIds = {
      "exact",     "distinct",         "alone",  "alone_exact",
      "colliding", "equal_neighbours", "beyond", "largest"};
  return kIds[static_cast<std::size_t>(definition)];
}

std::string definition_name(const words::Words& w, Definition definition) {
  switch (definition) {
    case Definition::exact:
      return w("exact");
    case Definition::distinct:
      return w("different values");
    case Definition::alone:
      return w("alone");
    case Definition::alone_exact:
      return w("alone and exact");
    case Definition::colliding:
      return w("colliding");
    case Definition::equal_neighbours:
      return w("equal neighbours");
    case Definition::beyond:
      return w("exact, beyond the first");
    case Definition::largest:
      break;
  }
  return w("largest group");
}

Counted counted(const Scene& scene, Definition definition) {
  const IdFacts& f = *scene.model.facts;
  const auto share = [&](Index count) {
    return Counted{static_cast<double>(count), f.share(count)};
  };
  switch (definition) {
    case Definition::exact:
      return share(f.exact);
    case Definition::distinct:
      return share(f.distinct);
    case Definition::alone:
      return share(f.alone);
    case Definition::alone_exact:
      return share(f.alone_and_exact);
    case Definition::colliding:
      return share(f.colliding());
    case Definition::equal_neighbours:
      return share(f.equal_neighbours());
    case Definition::beyond: {
      const Index first = f.first_inexact.value_or(f.n);
      // The run without a gap ends before the first id that is no number; its last one, a power of
      // two, begins the next binade.
      const Index run = std::max<Index>(0, first - 1), rest = f.n - run;
      if (!f.first_inexact) return {0, 0};
      return {static_cast<double>(f.exact - run),
              static_cast<double>(f.exact - run) / static_cast<double>(rest)};
    }
    case Definition::largest:
      break;
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
      "the format, ids that share their value, different values and the largest group of ids with "
      "one value.",
      scene.rounding_name());
  const std::string percent_of_ids(w("% of the ids")), ids(w("ids"));
  figure.plots = {
      length_plot(
          scene, {"share_exact", Definition::exact, true, [](const IdFacts& f) { return f.exact; }},
          w("exact"), percent_of_ids),
      length_plot(scene,
                  {"share_colliding", Definition::colliding, true,
                   [](const IdFacts& f) { return f.colliding(); }},
                  w("colliding"), percent_of_ids),
      length_plot(
          scene,
          {"distinct", Definition::distinct, false, [](const IdFacts& f) { return f.distinct; }},
          w("different values"), w("values")),
      length_plot(scene,
                  {"largest_group", Definition::largest, false,
                   [](const IdFacts& f) { return f.largest_group; }},
                  w("largest group"), ids)};
  return figure;
}

Figure definitions_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("definitions", w("What \"exact\" may mean"));
  figure.note = w.format("n = {}, {}", p.length, scene.format_name());
  figure.caption =
      w.format("Counts over the ids 0 to {} in {} ({}), each with its name and its share.",
               p.length - 1, scene.format_name(), scene.rounding_name());
  figure.span = 12;
  figure.height = 330;
  figure::Table table;
  table.columns = {
      {w("count"), 1.5f, -1}, {w("of what"), 3, -1}, {w("number"), 1, 1}, {w("share"), 1, 1}};
  for (int k = 0; k < kDefinitions; ++k) {
    const auto definition = static_cast<Definition>(k);
    const Counted count = counted(scene, definition);
    const bool marked = definition == p.definition;
    if (marked) table.marked = k;
    using figure::TextStyle;
    table.rows.push_back({{{definition_name(w, definition), Role::text, TextStyle::label_bold}},
                          {{sentence_of(w, definition), Role::dim, TextStyle::label}},
                          {{value_text(count.value), Role::text, TextStyle::mono}},
                          {{percent(count.share), Role::text, TextStyle::mono}}});
    table.picks.push_back(
        {{"definition", std::string(definition_id(definition))}, {"explain", "definition"}});
  }
  Plot plot{.id = "definitions"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::position_ids
