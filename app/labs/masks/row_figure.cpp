// What the picked query sees, and who sees whom how often.
#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

constexpr Index kMostBoxes = 144;
constexpr Index kMostBars = 256;
constexpr Index kBuckets = 1024;

// The weight of each key of the row; 0 for those that are not kept.
std::vector<double> row_weights(const Scene& scene) {
  std::vector<double> weights(to_size(scene.model.n()), 0.0);
  const Row& row = *scene.model.row;
  for (std::size_t k = 0; k < row.keys.size(); ++k) {
    weights[to_size(row.keys[k])] = row.weights[k];
  }
  return weights;
}

// An image keeps its rows.
Index boxes_across(const Scene& scene) {
  constexpr Index kUsual = 12, kMost = 16;
  for (const param::StackItem& item : scene.p.stack) {
    const bool narrow = pattern_id(item) == "grid" && item.arguments[0] <= kMost;
    if (narrow) return grid_shape(item, scene.model.n()).width;
  }
  return std::min(scene.model.n(), kUsual);
}

Index boxes_down(const Scene& scene) {
  const Index across = boxes_across(scene);
  return (scene.model.n() + across - 1) / across;
}

// The tokens in reading order, from the top; kept ones are filled by their weight.
Plot token_boxes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index across = boxes_across(scene);
  const double height = to_double(boxes_down(scene));
  const std::vector<double> weights = row_weights(scene);
  const double largest = std::max(largest_size(weights), 1e-300);
  figure::Boxes boxes;
  for (Index j = 0; j < model.n(); ++j) {
    const double x = to_double(j % across), y = to_double(j / across);
    const double weight = weights[to_size(j)];
    const bool kept = model.mask->allowed(model.query, j);
    figure::Boxes::Box box{x + 0.04, height - (y + 0.9), x + 0.96, height - (y + 0.1),
                           scene.name(j)};
    box.fill = kept ? figure::Color(Role::key, static_cast<float>(0.18 + 0.72 * weight / largest))
                    : figure::Color(Role::window);
    box.marked = model.key == j;
    box.pick = sets("key", j);
    box.tooltip = kept ? w.format("key {}: weight {:.4g}", scene.indexed(j), weight)
                       : w.format("key {}: not kept", scene.indexed(j));
    boxes.boxes.push_back(std::move(box));
  }
  Plot plot{.id = "row", .x = {.hi = to_double(across)}, .y = {.hi = height}};
  plot.x.visible = plot.y.visible = false;
  plot.marks.emplace_back(std::move(boxes));
  return plot;
}

// Where all kept keys lie close together among many, the axis shows where these are.
figure::Axis key_axis(const Scene& scene) {
  const std::vector<std::int32_t>& keys = scene.model.row->keys;
  figure::Axis axis = scene.map().key_axis();
  if (keys.empty() || 4 * (keys.back() - keys.front()) > scene.model.n()) return axis;
  axis.link.clear();
  const double margin = std::ceil(1 + 0.05 * (keys.back() - keys.front()));
  axis.lo = std::max(0.0, keys.front() - margin);
  axis.hi = std::min(to_double(scene.model.n()), keys.back() + 1 + margin);
  return axis;
}

// Too many for words: the weight of each kept key over its place, or of each stretch of keys the
// largest.
Plot weight_points(const Scene& scene) {
  const Row& row = *scene.model.row;
  Plot plot{.id = "row", .x = key_axis(scene), .y = {scene.w("weight"), 0, 0}};
  const std::size_t step = row.keys.size() / kBuckets + 1;
  Points points{.color = Role::key, .radius = 2.5f};
  for (std::size_t begin = 0; begin < row.keys.size(); begin += step) {
    const std::size_t end = std::min(begin + step, row.keys.size());
    const auto from = row.weights.begin();
    const auto best = static_cast<std::size_t>(
        std::max_element(from + static_cast<long>(begin), from + static_cast<long>(end)) - from);
    points.x.push_back(row.keys[best] + 0.5);
    points.y.push_back(row.weights[best]);
    points.picks.push_back(sets("key", row.keys[best]));
    plot.y.hi = std::max(plot.y.hi, 1.08 * row.weights[best]);
  }
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  if (step > 1) plot.note = scene.w.format("the largest of every {} kept keys", step);
  plot.marks.emplace_back(std::move(points));
  return plot;
}

// Counts over places: bars where there is room, else the mean of each stretch in a band of least
// and most.
void add_counts(const std::vector<Index>& counts, Color color, int marked, Plot& plot) {
  const auto n = static_cast<Index>(counts.size());
  if (n <= kMostBars) {
    plot.marks.emplace_back(figure::Bars{.values = {counts.begin(), counts.end()},
                                         .color = color,
                                         .numbers = false,
                                         .marked = marked});
    return;
  }
  const Index buckets = std::min(n, kBuckets);
  Line line{.color = color};
  figure::Band band{.color = color};
  band.color.alpha = 0.3f;
  for (Index b = 0; b < buckets; ++b) {
    const auto begin = counts.begin() + n * b / buckets,
               end = counts.begin() + n * (b + 1) / buckets;
    double sum = 0;
    for (auto at = begin; at != end; ++at) sum += to_double(*at);
    const double x = 0.5 * to_double(n * b / buckets + n * (b + 1) / buckets);
    line.x.push_back(x);
    line.y.push_back(sum / to_double(end - begin));
    band.x.push_back(x);
    band.lo.push_back(to_double(*std::min_element(begin, end)));
    band.hi.push_back(to_double(*std::max_element(begin, end)));
  }
  plot.marks = {std::move(band), std::move(line)};
}

Plot seen_plot(std::string id, std::string title, figure::Axis places, std::string counted,
               const std::vector<Index>& counts, const std::string& param) {
  const Index largest = *std::max_element(counts.begin(), counts.end());
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = std::move(places),
            .y = {std::move(counted), 0, 1.08 * to_double(std::max<Index>(largest, 1))},
            .x_param = param};
  add_counts(counts, plot.x.color, plot.x.marked, plot);
  return plot;
}

}  // namespace

Figure row_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool words = model.n() <= kMostBoxes;
  const std::size_t count = model.row->keys.size();
  Figure figure =
      new_figure("row", w.format("What query {} sees", scene.indexed(model.query)),
                 {.height = words ? 62 + 32 * static_cast<float>(boxes_down(scene)) : 250});
  figure.note =
      count == 0 ? w("nothing: the row is empty") : w.format("{} of {} keys", count, model.n());
  figure.caption = w.format("The keys that query {} sees, and the weight of each: {} of {}.",
                            scene.indexed(model.query), count, model.n());
  return with(std::move(figure), words ? token_boxes(scene) : weight_points(scene));
}

Figure seen_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("seen", w("Who sees how many"), {.height = 250, .columns = 2});
  figure.caption = w("How many keys each query sees, and how many queries see each key.");
  return with(std::move(figure),
              seen_plot("keys_of", w("keys that each query sees"), scene.map().query_axis(),
                        w("keys"), model.seen->keys_of, "query"),
              seen_plot("queries_of", w("queries that see each key"), scene.map().key_axis(),
                        w("queries"), model.seen->queries_of, "key"));
}

}  // namespace lab::masks
