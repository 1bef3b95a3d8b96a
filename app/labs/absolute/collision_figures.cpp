// How long a sequence stays distinguishable.
#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::AxisScale;

constexpr double kLeastDistance = 1e-7;  // on a logarithmic axis; 0 is drawn here

double drawn_distance(const core::Lag& lag) { return std::max(lag.distance, kLeastDistance); }

// The smallest distance as a staircase over the length, which is one more than the lag.
Line staircase(const std::vector<core::Lag>& records, double last_length) {
  Line line;
  for (std::size_t k = 0; k < records.size(); ++k) {
    const double y = drawn_distance(records[k]);
    const bool last = k + 1 == records.size();
    line.x.push_back(to_double(records[k].lag + 1));
    line.x.push_back(last ? last_length : to_double(records[k + 1].lag + 1));
    line.y.insert(line.y.end(), {y, y});
  }
  return line;
}

Figure separation_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Collisions& c = *model.collisions;
  const double last = std::max<double>(3, to_double(c.records.back().lag + 1));
  const double length = std::max(
      last, p.grid() ? std::max(p.grid_height, p.grid_width) : to_double(model.table->filled));
  Figure figure = new_figure("separation", w("The two nearest positions, against length"),
                             {.span = 7, .height = 340});
  figure.note = w.format("dashed: {}", short_number(p.threshold));
  figure.caption = w.format(
      "The smallest distance between any two of the first n encodings; it can only fall as n "
      "grows. Points are distances at which it falls. Threshold {}.",
      short_number(p.threshold));
  Extent extent{p.threshold, 1};
  if (c.distance.size() > 0) extent.add(std::max(c.distance.maxCoeff(), kLeastDistance));
  extent.add(drawn_distance(c.records.back()));
  for (const auto& records : c.width_records) {
    if (records.empty()) continue;
    extent.add(drawn_distance(records.front()));
    extent.add(drawn_distance(records.back()));
  }
  Plot plot{.id = "separation_curve",
            .x = {p.grid() ? w("places along an axis") : w("length n (positions)"), 2, length,
                  AxisScale::log},
            .y = {w("smallest distance"), extent.lo / 2, 2 * extent.hi, AxisScale::log}};
  for (std::size_t k = 0; k < c.width_records.size(); ++k) {
    if (c.widths[k] == p.width) continue;
    Line line = staircase(c.width_records[k], length);
    line.color = Color::of_head(static_cast<int>(k), 0.8f);
    line.label = w.format("d = {}", c.widths[k]);
    plot.marks.emplace_back(std::move(line));
  }
  Line own = staircase(c.records, length);
  own.width = 2.2f;
  own.label = w.format("d = {}", p.width);
  Points points{.color = Role::text};
  for (const core::Lag& lag : c.records) {
    points.x.push_back(to_double(lag.lag + 1));
    points.y.push_back(drawn_distance(lag));
    points.picks.push_back(sets("lag", lag.lag, "explain", "distance"));
  }
  plot.marks.emplace_back(std::move(own));
  plot.marks.emplace_back(Rule{false, p.threshold, Role::bad});
  plot.marks.emplace_back(std::move(points));
  return with(std::move(figure), std::move(plot));
}

Figure lag_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Collisions& c = *model.collisions;
  Figure figure = new_figure("distances", w("Distance of encodings"), {.span = 5, .height = 340});
  figure.caption = model.table->sinusoidal || p.grid()
                       ? w("The distance |PE(p+t) - PE(p)|, the same for every p.")
                       : w("The smallest distance |p(k+t) - p(k)| over all positions k.");
  const Index count = std::min<Index>(p.window, c.distance.size());
  const Index begin = std::clamp<Index>(p.lag - count / 2 - 1, 0, c.distance.size() - count);
  const VectorD shown = c.distance.segment(begin, count);
  const double first = to_double(begin + 1), last = to_double(begin + count);
  if (count < c.distance.size()) figure.note = w.format("{} to {}", first, last);
  Plot plot{.id = "distance_curve",
            .x = value_axis(w("distance t (positions)"), first, last),
            .y = {w("|PE(p+t) - PE(p)|"), 0, 1.08 * std::max(shown.maxCoeff(), 1e-6)},
            .marks = {thinned(shown, first), Rule{false, p.threshold, Role::bad}},
            .click = explains("distance"),
            .x_param = "lag"};
  if (p.lag > begin && p.lag <= begin + count) {
    plot.marks.emplace_back(picked_point(p.lag, c.distance(p.lag - 1)));
  }
  return with(std::move(figure), std::move(plot));
}

// Lengths over widths or bases; where no two were found the point stands, faint, at the edge of
// the search.
Plot comparison(const Scene& scene, std::string id, std::string label, const char* param,
                const std::vector<double>& values, const std::vector<double>& lengths, double now) {
  const Index searched = scene.model.collisions->searched;
  const double edge = to_double(searched);
  Plot plot{
      .id = std::move(id),
      .x = {std::move(label), 0.8 * values.front(), 1.25 * values.back(), AxisScale::log},
      .y = {scene.w("positions told apart"), 1, 8 * edge, AxisScale::log},
      .marks = {Rule{false, edge, Role::dim, true, scene.w.format("none up to {}", searched)}}};
  Points found{.color = Role::text, .radius = 4}, none{.color = Role::faint, .radius = 4};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool there = std::isfinite(lengths[k]);
    Points& points = there ? found : none;
    points.x.push_back(values[k]);
    points.y.push_back(there ? lengths[k] : edge);
    points.picks.push_back(sets(param, values[k]));
  }
  if (now >= plot.x.lo && now <= plot.x.hi) {
    plot.marks.emplace_back(Rule{true, now, Role::accent});
  }
  plot.marks.emplace_back(std::move(none));
  plot.marks.emplace_back(std::move(found));
  return plot;
}

Figure comparison_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Collisions& c = *model.collisions;
  Figure figure = new_figure("lengths", w("How many positions in a row are told apart"),
                             {.height = 300, .columns = 2});
  figure.note = w.format("no two closer than {}", short_number(p.threshold));
  figure.caption = w.format(
      "The number of positions in a row of which no two encodings are closer than {}: for several "
      "widths at base {}, and for several bases at width {}. Faint: no such pair up to {} "
      "positions.",
      short_number(p.threshold), p.base, p.width, c.searched);
  return with(
      std::move(figure),
      comparison(scene, "length_by_width", w("width d"), "width",
                 {c.widths.begin(), c.widths.end()}, c.width_lengths, p.width),
      comparison(scene, "length_by_base", w("base"), "base", c.bases, c.base_lengths, p.base));
}

}  // namespace

std::vector<Figure> collision_figures(const Scene& scene) {
  const Collisions& c = *scene.model.collisions;
  if (c.records.empty()) return {};
  std::vector<Figure> figures = {separation_figure(scene), lag_figure(scene)};
  if (!c.widths.empty()) figures.push_back(comparison_figure(scene));
  return figures;
}

}  // namespace lab::absolute
