// T5: the buckets on a number line in both directions, what they hold, and which pair has which.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

constexpr int kGroupColors = 12;  // distinct ones of MapName::groups
// Distance t takes [t, t + 1) of a logarithmic axis; 0 takes the half below 1.
constexpr double kZeroBegin = 0.5;
// Left of it stand the names of the lanes.
constexpr double kNames = 0.2;

std::string_view direction_id(T5Direction direction) {
  return direction == T5Direction::bidirectional ? "bidirectional" : "causal";
}

// One side's buckets between y and y + 1, on a line that is the chosen one or not.
struct Lane {
  double y;
  Index first_bucket;
  int sign;  // of j - i
  T5Direction direction;
  bool active;
};

void add_bucket(const Scene& scene, const std::vector<Index>& first, const Lane& lane,
                std::size_t b, double end, Plot& plot) {
  const double lo = first[b] == 0 ? kZeroBegin : to_double(first[b]);
  const double hi = b + 1 < first.size() ? to_double(std::max<Index>(first[b + 1], 1)) : end;
  if (hi <= lo) return;                  // rounding left it no distance
  if (lane.sign > 0 && hi <= 1) return;  // distance 0 counts as before
  const Index bucket = lane.first_bucket + static_cast<Index>(b);
  const bool chosen = lane.active && bucket == scene.p.entry;
  const double bottom = lane.y + 0.04, top = lane.y + 0.58, middle = std::sqrt(lo * hi);
  plot.marks.emplace_back(figure::Band{{lo, hi},
                                       {bottom, bottom},
                                       {top, top},
                                       Color::of_head(static_cast<int>(bucket % kGroupColors))});
  // Where a bucket is too narrow for its number, its colour stands alone.
  if (hi / lo > 1.16) {
    plot.marks.emplace_back(figure::Note{middle, lane.y + 0.79, fmt::format("{}", bucket),
                                         Role::text, TextStyle::mono_small, 0});
  }
  const Index relative = lane.sign * first[b];
  auto pick = sets("explain", "own", "t5_direction", direction_id(lane.direction), "entry", bucket);
  if (std::abs(relative) < scene.p.extent) add_sets(pick, "distance", relative);
  plot.marks.emplace_back(Points{{middle},
                                 {lane.y + 0.31},
                                 chosen ? Role::accent : Role::card,
                                 chosen ? 5.f : 2.f,
                                 {std::move(pick)}});
}

Plot number_line(const Scene& scene, T5Direction direction) {
  const auto& [p, model, w] = scene;
  const core::T5Buckets buckets(bucket_spec(p, direction));
  const auto& first = buckets.first_distances();
  const bool active = p.t5_direction == direction;
  const double end = 2.0 * std::max(p.max_distance, 2);
  Plot plot{.id = fmt::format("line_{}", direction_id(direction)),
            .title = w(direction_id(direction))};
  plot.note = w.format("{} buckets a side; own ones below distance {}, the last from {} on",
                       first.size(), buckets.max_exact(), first.back());
  plot.selected = active;
  plot.x = {w("distance |j - i| (tokens); first band: 0"), kNames, end, figure::AxisScale::log};
  plot.x.link = "bucket distance";
  plot.y.visible = false;
  std::vector<Lane> lanes{{0, 0, -1, direction, active}};
  if (direction == T5Direction::bidirectional) {
    lanes.push_back({1, p.buckets / 2, 1, direction, active});
  }
  plot.y.hi = to_double(lanes.size());
  for (const Lane& lane : lanes) {
    for (std::size_t b = 0; b < first.size(); ++b) add_bucket(scene, first, lane, b, end, plot);
    plot.marks.emplace_back(figure::Note{kNames * 1.03, lane.y + 0.31,
                                         lane.sign < 0 ? w("keys before") : w("keys ahead"),
                                         Role::text, TextStyle::small, -1});
  }
  const double t = std::abs(p.distance);
  if (active && t >= 1 && t < end) {
    plot.marks.emplace_back(Rule{true, t + 0.5, Role::accent});
  }
  plot.click = sets("t5_direction", direction_id(direction));
  return plot;
}

Figure line_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("number_line", w("The buckets on a number line"), {.height = 400, .columns = 1});
  figure.note = w("the lower half of a side is exact, the upper logarithmic");
  figure.caption = w.format(
      "Which of {} buckets a distance belongs to, when keys on both sides are told apart and when "
      "all buckets are for keys before the query; logarithmic axis.",
      p.buckets);
  return with(std::move(figure), number_line(scene, T5Direction::bidirectional),
              number_line(scene, T5Direction::causal));
}

Figure learned_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& scalars = scene.scheme().scalars;
  Figure figure = new_figure("bucket_values", w("The learned number of each bucket"),
                             {.span = 7, .height = 300});
  figure.note = w("one a head and bucket");
  figure.caption = w("The bias that each bucket adds to the scores.");
  const double largest = std::max(1e-9, scalars.cwiseAbs().maxCoeff());
  Plot plot{.id = "bucket_bars"};
  plot.x = cell_axis(w("bucket"), scalars.size());
  plot.y = {w("bias"), scalars.minCoeff() < 0 ? -1.15 * largest : 0,
            scalars.maxCoeff() > 0 || scalars.minCoeff() == 0 ? 1.15 * largest : 0.1 * largest};
  figure::Bars bars{{scalars.begin(), scalars.end()}, Role::dim};
  bars.marked = p.entry;
  for (Index b = 0; b < scalars.size(); ++b)
    bars.picks.push_back(sets("explain", "own", "entry", b));
  plot.marks.emplace_back(std::move(bars));
  return with(std::move(figure), std::move(plot));
}

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.n();
  std::vector<float> names;
  for (Index r = 1 - n; r < n; ++r) names.push_back(static_cast<float>(scene.scheme().row_of(r)));
  Figure figure =
      new_figure("bucket_map", w("Which bucket each pair is in"), {.span = 5, .height = 300});
  figure.caption =
      w("The bucket of every pair of query (row) and key (column), each in its colour.");
  PairMap cells = scene.map();
  cells.pool = core::Pool::max;  // a mean of names means nothing
  figure::Heatmap map =
      cells.cells(distance_source(n, model.pairs->causal,
                                  std::make_shared<const std::vector<float>>(std::move(names))),
                  {.map = figure::MapName::groups, .hi = 256}, explains("distance"));
  map.color_bar = false;
  Plot plot = cells.plot("bucket_of_pair", "");
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> bucket_figures(const Scene& scene) {
  return {line_figure(scene), learned_figure(scene), map_figure(scene)};
}

}  // namespace lab::relative
