// T5: the buckets on a number line in both directions, what they hold, and which pair has which.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;

constexpr int kGroupColors = 12;  // distinct ones of MapName::groups
// Distance t takes [t, t + 1) of a logarithmic axis; 0 takes the half below 1.
constexpr double kZeroBegin = 0.5;
// Left of it stand the names of the lanes.
constexpr double kNames = 0.2;

// One side's buckets between y and y + 1.
struct Lane {
  double y;
  Index first_bucket;
  int sign;  // of j - i
};

void add_bucket(const Scene& scene, const core::T5Buckets& buckets, bool active, const Lane& lane,
                std::size_t b, double end, Plot& plot) {
  const auto& first = buckets.first_distances();
  const double lo = first[b] == 0 ? kZeroBegin : static_cast<double>(first[b]);
  const double hi =
      b + 1 < first.size() ? static_cast<double>(std::max<Index>(first[b + 1], 1)) : end;
  if (hi <= lo) return;                  // rounding left it no distance
  if (lane.sign > 0 && hi <= 1) return;  // distance 0 counts as before
  const Index bucket = lane.first_bucket + static_cast<Index>(b);
  const bool chosen = active && bucket == scene.p.entry;
  const auto color = static_cast<int>(bucket % kGroupColors);
  plot.marks.emplace_back(figure::Band{{lo, hi},
                                       {lane.y + 0.04, lane.y + 0.04},
                                       {lane.y + 0.58, lane.y + 0.58},
                                       Color::of_head(color)});
  const double middle = std::sqrt(lo * hi);
  figure::Points point{{middle},
                       {lane.y + 0.31},
                       chosen ? Color(Role::accent) : Color(Role::card),
                       chosen ? 5.f : 2.f,
                       {}};
  const Index relative = lane.sign * first[b];
  figure::Assignments pick = explains("own");
  pick.emplace_back("t5_direction", buckets.spec().bidirectional ? "bidirectional" : "causal");
  pick.emplace_back("entry", fmt::format("{}", bucket));
  if (std::abs(relative) < scene.p.extent) {
    pick.emplace_back("distance", fmt::format("{}", relative));
  }
  point.picks = {std::move(pick)};
  // Where a bucket is too narrow for its number, its colour stands alone.
  if (hi / lo > 1.16) {
    plot.marks.emplace_back(figure::Note{middle, lane.y + 0.79, fmt::format("{}", bucket),
                                         Role::text, figure::TextStyle::mono_small, 0});
  }
  plot.marks.emplace_back(std::move(point));
}

Plot number_line(const Scene& scene, bool bidirectional) {
  const core::T5Buckets buckets(bucket_spec(scene.p, bidirectional));
  const bool active = scene.scheme().buckets->spec().bidirectional == bidirectional;
  const double end = 2.0 * std::max(scene.p.max_distance, 2);
  Plot plot{.id = bidirectional ? "line_bidirectional" : "line_causal",
            .title = bidirectional ? scene.w("bidirectional") : scene.w("causal")};
  plot.note = scene.w.format("{} buckets a side; own ones below distance {}, the last from {} on",
                             static_cast<Index>(buckets.first_distances().size()),
                             buckets.max_exact(), buckets.first_distances().back());
  plot.selected = active;
  plot.x = {scene.w("distance |j - i| (tokens); first band: 0"), kNames, end,
            figure::AxisScale::log};
  plot.x.link = "bucket distance";
  plot.y.visible = false;
  std::vector<Lane> lanes{{0, 0, -1}};
  if (bidirectional) lanes.push_back({1, scene.p.buckets / 2, 1});
  plot.y.hi = static_cast<double>(lanes.size());
  for (const Lane& lane : lanes) {
    for (std::size_t b = 0; b < buckets.first_distances().size(); ++b) {
      add_bucket(scene, buckets, active, lane, b, end, plot);
    }
    plot.marks.emplace_back(
        figure::Note{kNames * 1.03, lane.y + 0.31,
                     lane.sign < 0 ? scene.w("keys before") : scene.w("keys ahead"), Role::text,
                     figure::TextStyle::small, -1});
  }
  const auto t = static_cast<double>(std::abs(scene.p.distance));
  if (active && t >= 1 && t < end)
    plot.marks.emplace_back(figure::Rule{true, t + 0.5, Role::accent});
  plot.click = {{"t5_direction", bidirectional ? "bidirectional" : "causal"}};
  return plot;
}

Figure line_figure(const Scene& scene) {
  Figure figure = new_figure("number_line", scene.w("The buckets on a number line"),
                             {.height = 400, .columns = 1});
  figure.note = scene.w("the lower half of a side is exact, the upper logarithmic");
  figure.caption = scene.w.format(
      "Which of {} buckets a distance belongs to, when keys on both sides are told apart and when "
      "all buckets are for keys before the query; logarithmic axis.",
      scene.p.buckets);
  figure.plots = {number_line(scene, true), number_line(scene, false)};
  return figure;
}

Figure learned_figure(const Scene& scene) {
  const VectorD& scalars = scene.scheme().scalars;
  Figure figure = new_figure("bucket_values", scene.w("The learned number of each bucket"),
                             {.span = 7, .height = 300});
  figure.note = scene.w("one a head and bucket");
  figure.caption = scene.w("The bias that each bucket adds to the scores.");
  Plot plot{.id = "bucket_bars"};
  plot.x = cell_axis(scene.w("bucket"), scalars.size());
  plot.y.label = scene.w("bias");
  const double largest = std::max(1e-9, scalars.cwiseAbs().maxCoeff());
  plot.y.lo = scalars.minCoeff() < 0 ? -1.15 * largest : 0;
  plot.y.hi = scalars.maxCoeff() > 0 || scalars.minCoeff() == 0 ? 1.15 * largest : 0.1 * largest;
  figure::Bars bars;
  bars.values.assign(scalars.begin(), scalars.end());
  bars.color = Role::dim;
  bars.marked = scene.p.entry;
  for (Index b = 0; b < scalars.size(); ++b) {
    figure::Assignments pick = explains("own");
    pick.emplace_back("entry", fmt::format("{}", b));
    bars.picks.push_back(std::move(pick));
  }
  plot.marks.emplace_back(std::move(bars));
  return with(std::move(figure), std::move(plot));
}

Figure map_figure(const Scene& scene) {
  const Scheme& scheme = scene.scheme();
  const Index n = scene.model.n();
  std::vector<float> names;
  for (Index r = 1 - n; r < n; ++r) names.push_back(static_cast<float>(scheme.row_of(r)));
  figure::ColorScale scale;
  scale.map = figure::MapName::groups;
  scale.hi = 256;
  Figure figure = new_figure("bucket_map", scene.w("Which bucket each pair is in"));
  figure.caption =
      scene.w("The bucket of every pair of query (row) and key (column), each in its colour.");
  figure.span = 5;
  figure.height = 300;
  Plot plot = pair_plot(scene, "bucket_of_pair", "");
  auto map =
      pair_heatmap(scene,
                   distance_source(n, scene.model.pairs->causal,
                                   std::make_shared<const std::vector<float>>(std::move(names))),
                   scale, explains("distance"));
  map.pool = core::Pool::max;  // a mean of names means nothing
  map.color_bar = false;
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> bucket_figures(const Scene& scene) {
  return {line_figure(scene), learned_figure(scene), map_figure(scene)};
}

}  // namespace lab::relative
