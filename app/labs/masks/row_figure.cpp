// What the picked query sees, and who sees whom how often.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

using figure::Band;
using figure::Bars;
using figure::Boxes;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr Index kMostBoxes = 144;
constexpr Index kMostBars = 256;
constexpr Index kBuckets = 1024;

// The weight of each key of the row; 0 for those that are not kept.
std::vector<double> row_weights(const Scene& scene) {
  std::vector<double> weights(static_cast<std::size_t>(scene.model.n()), 0.0);
  const Row& row = *scene.model.row;
  for (std::size_t k = 0; k < row.keys.size(); ++k) {
    weights[static_cast<std::size_t>(row.keys[k])] = row.weights[k];
  }
  return weights;
}

// An image keeps its rows.
Index boxes_across(const Scene& scene) {
  constexpr Index kUsual = 12, kMost = 16;
  for (const param::StackItem& item : scene.p.stack) {
    const bool narrow = pattern_of(item) == Pattern::grid && item.arguments[0] <= kMost;
    if (narrow) return grid_shape(item, scene.model.n()).width;
  }
  return std::min(scene.model.n(), kUsual);
}

Index boxes_down(const Scene& scene) {
  const Index across = boxes_across(scene);
  return (scene.model.n() + across - 1) / across;
}

// The tokens in reading order; kept ones are filled by their weight.
Plot token_boxes(const Scene& scene) {
  const Model& model = scene.model;
  const Index n = model.n(), across = boxes_across(scene), down = boxes_down(scene);
  const std::vector<double> weights = row_weights(scene);
  const double largest = std::max(largest_size(weights), 1e-300);
  Boxes boxes;
  for (Index j = 0; j < n; ++j) {
    const auto x = static_cast<double>(j % across), y = static_cast<double>(j / across);
    Boxes::Box box{x + 0.04, y + 0.1, x + 0.96, y + 0.9, scene.name(j)};
    const double weight = weights[static_cast<std::size_t>(j)];
    const bool kept = model.mask->allowed(model.query, j);
    box.fill = kept ? figure::Color(Role::key, static_cast<float>(0.18 + 0.72 * weight / largest))
                    : figure::Color(Role::window);
    box.marked = model.key == j;
    box.pick = {{"key", fmt::format("{}", j)}};
    box.tooltip = kept ? scene.w.format("key {}: weight {:.4g}", scene.indexed(j), weight)
                       : scene.w.format("key {}: not kept", scene.indexed(j));
    boxes.boxes.push_back(std::move(box));
  }
  Plot plot{.id = "row"};
  plot.x.hi = static_cast<double>(across);
  plot.y.hi = static_cast<double>(down);
  plot.x.visible = plot.y.visible = false;
  // Read from the top, as the rows of a heatmap are.
  for (Boxes::Box& box : boxes.boxes) {
    std::swap(box.y0, box.y1);
    box.y0 = plot.y.hi - box.y0;
    box.y1 = plot.y.hi - box.y1;
  }
  plot.marks.emplace_back(std::move(boxes));
  return plot;
}

// Where all kept keys lie close together among many, the axis shows where these are.
figure::Axis key_axis(const Scene& scene) {
  const std::vector<std::int32_t>& keys = scene.model.row->keys;
  figure::Axis axis = token_plot(scene, "", "").x;
  if (keys.empty() || 4 * (keys.back() - keys.front()) > scene.model.n()) return axis;
  axis.link.clear();
  const double margin = std::ceil(1 + 0.05 * (keys.back() - keys.front()));
  axis.lo = std::max(0.0, keys.front() - margin);
  axis.hi = std::min(static_cast<double>(scene.model.n()), keys.back() + 1 + margin);
  return axis;
}

// Too many for words: the weight of each kept key over its place, or of each stretch of keys the
// largest.
Plot weight_points(const Scene& scene) {
  const Row& row = *scene.model.row;
  Plot plot{.id = "row"};
  plot.x = key_axis(scene);
  plot.y.label = scene.w("weight");
  plot.y.hi = 0;
  const std::size_t step = row.keys.size() / kBuckets + 1;
  Points points;
  points.color = Role::key;
  points.radius = 2.5f;
  for (std::size_t begin = 0; begin < row.keys.size(); begin += step) {
    const std::size_t end = std::min(begin + step, row.keys.size());
    const auto from = row.weights.begin();
    const auto best = static_cast<std::size_t>(
        std::max_element(from + static_cast<long>(begin), from + static_cast<long>(end)) - from);
    points.x.push_back(row.keys[best] + 0.5);
    points.y.push_back(row.weights[best]);
    points.picks.push_back({{"key", fmt::format("{}", row.keys[best])}});
    plot.y.hi = std::max(plot.y.hi, 1.08 * row.weights[best]);
  }
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  if (step > 1) plot.note = scene.w.format("the largest of every {} kept keys", step);
  plot.marks.emplace_back(std::move(points));
  return plot;
}

// Counts over places: bars where there is room, else the mean of each stretch in a band of least
// and most.
void add_counts(const std::vector<Index>& counts, figure::Color color, const std::string& param,
                int marked, Plot& plot) {
  const auto n = static_cast<Index>(counts.size());
  const Index largest = *std::max_element(counts.begin(), counts.end());
  plot.y.hi = 1.08 * static_cast<double>(std::max<Index>(largest, 1));
  plot.x_param = param;
  if (n <= kMostBars) {
    Bars bars;
    bars.values.assign(counts.begin(), counts.end());
    bars.color = color;
    bars.numbers = false;
    bars.marked = marked;
    plot.marks.emplace_back(std::move(bars));
    return;
  }
  const Index buckets = std::min(n, kBuckets);
  Band band;
  Line line;
  band.color = color;
  band.color.alpha = 0.3f;
  line.color = color;
  for (Index b = 0; b < buckets; ++b) {
    const auto begin = counts.begin() + n * b / buckets,
               end = counts.begin() + n * (b + 1) / buckets;
    double sum = 0;
    for (auto at = begin; at != end; ++at) sum += static_cast<double>(*at);
    const double x = 0.5 * static_cast<double>(n * b / buckets + n * (b + 1) / buckets);
    line.x.push_back(x);
    line.y.push_back(sum / static_cast<double>(end - begin));
    band.x.push_back(x);
    band.lo.push_back(static_cast<double>(*std::min_element(begin, end)));
    band.hi.push_back(static_cast<double>(*std::max_element(begin, end)));
  }
  plot.marks.emplace_back(std::move(band));
  plot.marks.emplace_back(std::move(line));
}

}  // namespace

Figure row_figure(const Scene& scene) {
  const Model& model = scene.model;
  const bool words = model.n() <= kMostBoxes;
  Figure figure =
      new_figure("row", scene.w.format("What query {} sees", scene.indexed(model.query)));
  const std::size_t count = model.row->keys.size();
  figure.note = count == 0 ? scene.w("nothing: the row is empty")
                           : scene.w.format("{} of {} keys", count, model.n());
  figure.caption = scene.w.format("The keys that query {} sees, and the weight of each: {} of {}.",
                                  scene.indexed(model.query), count, model.n());
  figure.height = words ? 62 + 32 * static_cast<float>(boxes_down(scene)) : 250;
  figure.plots = {words ? token_boxes(scene) : weight_points(scene)};
  return figure;
}

Figure seen_figure(const Scene& scene) {
  const Model& model = scene.model;
  Figure figure = new_figure("seen", scene.w("Who sees how many"), {.height = 250, .columns = 2});
  figure.caption = scene.w("How many keys each query sees, and how many queries see each key.");
  Plot keys, queries;
  keys.id = "keys_of";
  keys.title = scene.w("keys that each query sees");
  keys.x = token_plot(scene, "", "").y;
  add_counts(model.seen->keys_of, Role::query, "query", static_cast<int>(model.query), keys);
  queries.id = "queries_of";
  queries.title = scene.w("queries that see each key");
  queries.x = token_plot(scene, "", "").x;
  add_counts(model.seen->queries_of, Role::key, "key", static_cast<int>(model.key.value_or(-1)),
             queries);
  keys.y.label = scene.w("keys");
  queries.y.label = scene.w("queries");
  figure.plots = {std::move(keys), std::move(queries)};
  return figure;
}

}  // namespace lab::masks
