// Counts against the context length, for all formats, and the table of what "exact" may mean.
#include "app/labs/position_ids/page.h"

namespace lab::position_ids {
namespace {

using figure::AxisScale;

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
            .title = fmt::format("{}: {}", w(words_of(definition).name),
                                 share ? percent(now / 100, 2) : value_text(now)),
            .x = {w("context length n (positions)"), kShortest, kLongest, AxisScale::log},
            .y = {std::move(unit), share ? -3 : 0.9, share ? 106 : 1.3 * kLongest,
                  share ? AxisScale::linear : AxisScale::log},
            .click = sets("definition", words_of(definition).id, "explain", "definition"),
            .x_param = "length"};
  plot.x.link = "context length";
  const Curves& curves = *model.curves;
  for (std::size_t k = 0; k < curves.formats.size(); ++k) {
    const FormatCurve& curve = curves.formats[k];
    Line line{.color = Color::of_head(static_cast<int>(k)),
              .width = curve.chosen ? 3.f : 1.3f,
              .label = curve.name};
    for (std::size_t j = 0; j < curves.lengths.size(); ++j) {
      line.x.push_back(to_double(curves.lengths[j]));
      line.y.push_back(y_of(definition, share, curve.facts[j]));
    }
    plot.marks.emplace_back(std::move(line));
  }
  const double length = to_double(p.length);
  plot.marks.emplace_back(Rule{.at = length, .color = Role::accent});
  plot.marks.emplace_back(Points{{length}, {now}, Role::accent, 5});
  return plot;
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
    case Definition::equal_neighbours: return share(f.equal_neighbours());
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
      "the format, ids that share their value, different values and the largest group of ids with "
      "one value.",
      scene.rounding_name());
  const auto plot = [&](std::string id, Definition definition, std::string unit) {
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
    table.picks.push_back(sets("definition", id, "explain", "definition"));
  }
  table.marked = static_cast<int>(p.definition);
  return with(std::move(figure), Plot{.id = "definitions", .marks = {std::move(table)}});
}

}  // namespace lab::position_ids
