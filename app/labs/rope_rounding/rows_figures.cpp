// How many rows of the table still differ, and what each place of rounding does by itself.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

using figure::Assignments;
using figure::Table;

constexpr int kPoints = 240;

double share(const Rows& rows, Index length) {
  return 100.0 * rows.distinct[static_cast<std::size_t>(length - 1)] / static_cast<double>(length);
}

// The share of rows that differ over the length of the context.
Line curve(const Rows& rows, double first, Color color, float width, std::string label) {
  Line line;
  const auto n = static_cast<double>(rows.distinct.size());
  for (int k = 0; k <= kPoints; ++k) {
    const auto length = static_cast<Index>(
        std::llround(first * std::pow(n / first, static_cast<double>(k) / kPoints)));
    const auto x = static_cast<double>(length);
    if (!line.x.empty() && x <= line.x.back()) continue;
    line.x.push_back(x);
    line.y.push_back(share(rows, length));
  }
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

std::string flag(bool value) { return value ? "true" : "false"; }

Assignments picks_of(const Places& places) {
  return {{"round_id", flag(places.id)},
          {"round_frequency", flag(places.frequency)},
          {"round_product", flag(places.product)},
          {"round_table", flag(places.table)},
          {"repair", "false"},
          {"explain", "rows"}};
}

std::string largest_phase(const core::AngleErrors& errors) { return radians(errors.max()); }

}  // namespace

Figure rows_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rows& rows = *model.rows;
  Figure figure = new_figure("rows", w("Distinct rows of the table"), {.span = 6, .height = 300});
  figure.note = w.format("{} of {}", rows.count(), p.length);
  figure.caption = w.format(
      "How many of the first n rows of cosines and sines differ, as a share, over the length n of "
      "the context. With {} rounded to {}: {} of {}.",
      scene.rounded(), scene.format(), rows.count(), p.length);
  Plot plot{.id = "rows"};
  plot.x.label = w("context length (positions)");
  const double first = std::max(1.0, std::min(64.0, p.length / 8.0));
  plot.x.lo = first;
  plot.x.hi = std::max(first * 2, static_cast<double>(p.length));
  plot.x.scale = figure::AxisScale::log;
  plot.y.label = w("rows that differ (%)");
  plot.y.hi = 105;
  plot.click = explained_by("rows");
  const auto& alone = *model.alone;
  for (const std::size_t k : {std::size_t{3}, std::size_t{2}, std::size_t{0}}) {
    plot.marks.emplace_back(curve(alone[k].rows, first, Color(Role::dim, 0.9f), 1.25f,
                                  w.format("only {}", scene.place(alone[k].id))));
  }
  const Places places = rounded_places(p);
  const bool alike = std::any_of(alone.begin(), alone.begin() + 4,
                                 [&](const Alone& a) { return a.places == places; });
  plot.marks.emplace_back(
      curve(rows, first, rounded_color(), 2.5f, alike ? std::string() : w("as set")));
  Points point;
  point.x = {static_cast<double>(p.length)}, point.y = {share(rows, p.length)};
  point.color = Role::accent;
  point.radius = 4.5f;
  plot.marks.emplace_back(std::move(point));
  return with(std::move(figure), std::move(plot));
}

Figure places_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& alone = *model.alone;
  const auto compared = static_cast<Index>(alone[0].rows.first.size());
  Figure figure = new_figure("places", w("Each place by itself"), {.height = 210});
  figure.note = w.format("{}, {} positions; click one to set it", scene.format(), compared);
  figure.caption = w.format(
      "What rounding to {} does at each place: rows of the table that still differ among {}, the "
      "largest error of an angle, and the largest change of an attention weight at positions {} to "
      "{}.",
      scene.format(), compared, model.window->start, model.window->start + model.window->n - 1);
  Table table;
  table.columns = {{w("rounded"), 1.7f, -1},
                   {w("rows"), 1, 1},
                   {w("phase error"), 1.3f, 1},
                   {w("weight off by"), 1.3f, 1}};
  const auto cell = [](std::string text) {
    return Table::Cell{{std::move(text), Role::text, TextStyle::mono}};
  };
  const Places places = rounded_places(p);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const Alone& each = alone[k];
    table.rows.push_back({{{scene.place(each.id), Role::text, TextStyle::body}},
                          cell(fmt::format("{}", each.rows.count())),
                          cell(largest_phase(each.errors)),
                          cell(short_number(model.alone_change[k]))});
    table.picks.push_back(picks_of(each.places));
    if (each.places == places) table.marked = static_cast<int>(k);
  }
  Plot plot{.id = "places"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::rope_rounding
