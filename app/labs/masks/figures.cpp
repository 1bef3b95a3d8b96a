// The mask and the scores under it; what each item of the stack keeps and what is left after it, in
// pairs and in cost.
#include "app/labs/masks/page.h"
#include "app/labs/shared/drawing/table_numbers.h"
#include "core/mask/patterns/kept_in_closed_form.h"

namespace lab::masks {
namespace {

using TableRow = std::vector<figure::Table::Cell>;

void add_cost(const Scene& scene, Index alone, Index pairs, figure::Table& table) {
  const Index n = scene.model.n(), d = scene.p.width;
  const core::MaskedCost cost = core::masked_cost(n, n, pairs, {1, d, d});
  TableRow& row = table.rows.back();
  for (std::string text : {count_text(cost.pairs), share_text(cost.pairs / to_double(n * n)),
                           count_text(cost.macs), bytes_text(cost.weight_bytes)}) {
    row.push_back({plain(std::move(text))});
  }
  add_numbers(table, {{"keeps alone (pairs)",
                       alone < 0 ? std::numeric_limits<double>::quiet_NaN() : to_double(alone)},
                      {"kept so far (pairs)", to_double(cost.pairs)},
                      {"share of n x n", to_double(cost.pairs) / to_double(n * n)},
                      {"multiply-adds", to_double(cost.macs)},
                      {"weights (bytes)", to_double(cost.weight_bytes)}});
}

void add_item(const Scene& scene, std::size_t k, figure::Table& table) {
  const auto& [p, model, w] = scene;
  const param::StackItem& item = p.stack[k];
  const Part& part = model.composition->parts[k];
  const bool joins = k > 0 && !p.alternates();
  TableRow row{{plain((joins ? w(join_name(join_of(item))) + " " : "") + item_name(item, w))}};
  if (!part.alone) {
    row.push_back({sentence(w("left out: too many tokens"))});
  } else {
    row.push_back({plain(grouped(part.alone->kept()))});
    if (const auto form = closed_form(item, model.n())) {
      row.back().push_back(sentence(fmt::format("{} = {}", form->formula, grouped(form->pairs))));
    }
  }
  // Layers that take turns join nothing: each has its item alone.
  const Index alone = part.alone ? part.alone->kept() : -1;
  table.rows.push_back(std::move(row));
  add_cost(scene, alone, p.alternates() && part.alone ? alone : part.joined, table);
}

// --- what the picked query sees, and who sees whom how often

constexpr Index kMostBoxes = 144;
constexpr Index kMostBars = 256;
constexpr Index kBuckets = 1024;

// The weight of each key of the row; 0 for those that are not kept.
std::vector<double> row_weights(const Scene& scene) {
  std::vector<double> weights(to_size(scene.model.n()), 0.0);
  const Row& row = *scene.model.row;
  for (std::size_t k = 0; k < row.keys.size(); ++k) weights[to_size(row.keys[k])] = row.weights[k];
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
    box.fill = kept ? figure::Color(Role::key, to_float(0.18 + 0.72 * weight / largest))
                    : figure::Color(Role::window);
    box.marked = model.key == j;
    box.pick = sets("key", j);
    box.tooltip = kept ? w.format("key {}: weight {:.4g}", scene.indexed(j), weight)
                       : w.format("key {}: not kept", scene.indexed(j));
    boxes.boxes.push_back(std::move(box));
  }
  Plot plot{.id = "row", .x = {.hi = to_double(across)}, .y = {.hi = height}};
  plot.x.visible = plot.y.visible = false;
  plot.add(std::move(boxes));
  return plot;
}

// Where all kept keys lie close together among many, the axis shows where these are.
Axis key_axis(const Scene& scene) {
  const std::vector<std::int32_t>& keys = scene.model.row->keys;
  Axis axis = scene.map().key_axis();
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
    const auto best = to_size(
        std::max_element(from + static_cast<long>(begin), from + static_cast<long>(end)) - from);
    points.add(row.keys[best] + 0.5, row.weights[best], sets("key", row.keys[best]));
    plot.y.hi = std::max(plot.y.hi, 1.08 * row.weights[best]);
  }
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  if (step > 1) plot.note = scene.w.format("the largest of every {} kept keys", step);
  plot.add(std::move(points));
  return plot;
}

// Counts over places: bars where there is room, else the mean of each stretch in a band of least
// and most.
void add_counts(const std::vector<Index>& counts, Color color, int marked, Plot& plot) {
  const auto n = to_index(counts.size());
  if (n <= kMostBars) {
    plot.add(Bars{.values = {counts.begin(), counts.end()},
                  .color = color,
                  .numbers = false,
                  .marked = marked});
    return;
  }
  const Index buckets = std::min(n, kBuckets);
  Line line{.color = color};
  Band band{.color = color};
  band.color.alpha = 0.3f;
  for (Index b = 0; b < buckets; ++b) {
    const auto begin = counts.begin() + n * b / buckets,
               end = counts.begin() + n * (b + 1) / buckets;
    double sum = 0;
    for (auto at = begin; at != end; ++at) sum += to_double(*at);
    const double x = 0.5 * to_double(n * b / buckets + n * (b + 1) / buckets);
    line.add(x, sum / to_double(end - begin));
    band.x.push_back(x);
    band.lo.push_back(to_double(*std::min_element(begin, end)));
    band.hi.push_back(to_double(*std::max_element(begin, end)));
  }
  plot.marks = {std::move(band), std::move(line)};
}

Plot seen_plot(std::string id, std::string title, Axis places, std::string counted,
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

// --- what several layers make of a mask

ColorScale layer_scale(const Scene& scene) {
  return {.hi = to_float(std::max(scene.p.layers, 2)) * kScaleMargin};
}

// Row l: the keys that have reached the picked query after l layers, coloured by the layer that
// brought them.
Matrix field(const Scene& scene) {
  const Matrix& first = scene.model.reached->first;
  Matrix cells = Matrix::Constant(scene.p.layers, scene.model.n(), core::kMasked);
  for (Index j = 0; j < scene.model.n(); ++j) {
    const float layer = first(scene.model.query, j);
    for (Index l = 1; l <= scene.p.layers; ++l) {
      if (layer <= to_float(l)) cells(l - 1, j) = layer;
    }
  }
  return cells;
}

// "2 atrous": a layer, and which mask it uses when they take turns.
Labels layer_names(const Scene& scene, bool with_mask) {
  const auto& p = scene.p;
  std::vector<std::string> names;
  for (int layer = 1; layer <= p.layers; ++layer) {
    names.push_back(fmt::format("{}", layer));
    if (!with_mask || !p.alternates()) continue;
    const auto entry = to_size(p.stack[p.item_of(layer)].entry);
    names.back() += fmt::format(" {}", catalogue()->entries.at(entry).id);
  }
  return labels(std::move(names));
}

Plot share_curve(const Scene& scene) {
  const core::Reach& reach = scene.model.reached->reach;
  Line line{.color = Role::accent, .width = 2};
  for (std::size_t l = 0; l < std::min(to_size(scene.p.layers), reach.covered.size()); ++l) {
    line.x.push_back(to_double(l) + 0.5);  // the middle of the layer's cell
    line.y.push_back(to_double(reach.covered[l]) / to_double(std::max<Index>(1, reach.wanted)));
  }
  Plot plot{.id = "reach_curve",
            .title = scene.model.reached->causal ? scene.w("share of the pairs j ≤ i connected")
                                                 : scene.w("share of all pairs connected"),
            .x = cell_axis(scene.w("layers"), scene.p.layers)};
  plot.x.labels = layer_names(scene, false);
  plot.y.hi = 1.05;
  plot.marks = {line, Points{line.x, line.y, Role::accent}};
  if (const auto all = reach.layers_to_cover(); all && *all > 0 && *all <= scene.p.layers) {
    plot.add(Rule{.at = to_double(*all) - 0.5,
                  .color = Role::good,
                  .label = scene.w.format("all after {}", *all)});
  }
  return plot;
}

}  // namespace

std::string Scene::name(Index token) const {
  const Labels& labels = model.content->labels;
  return labels ? (*labels)[to_size(token)] : fmt::format("{}", token);
}

std::string Scene::indexed(Index token) const {
  return model.content->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::string Scene::mask_words() const {
  if (p.alternates()) {
    return w.format("layer {}: {}", p.layers, item_name(p.stack[p.item_of(p.layers)], w));
  }
  std::string text;
  for (const param::StackItem& item : p.stack) {
    if (!text.empty()) text += fmt::format(" {} ", w(join_name(join_of(item))));
    text += item_name(item, w);
  }
  return text;
}

PairMap Scene::map() const {
  return {.queries = model.n(),
          .keys = model.n(),
          .labels = model.content->labels,
          .query = model.query,
          .key = model.key.value_or(-1),
          .pinned = model.pinned,
          .pool = p.pool,
          .query_label = w("query"),
          .key_label = w("key"),
          .query_link = "masks.query",
          .key_link = "masks.key"};
}

Figure mask_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  // Shares end in the green of the map, which stands out from the light page and from the dark one.
  constexpr float kShareScale = 1.5f;
  Figure figure = new_figure("mask", w("The mask"), {.span = 6, .height = 420});
  figure.caption =
      w.format(p.pool == core::Pool::max
                   ? N_("Which pairs of query (row) and key (column) are kept: {} of {}. Zoomed "
                        "out, a cell shows whether any of its pairs is kept.")
                   : N_("Which pairs of query (row) and key (column) are kept: {} of {}. Zoomed "
                        "out, a cell shows the share of its pairs that are kept."),
               count_text(model.cost.pairs), grouped(model.n() * model.n()));
  Heatmap map = scene.map().cells(model.mask_cells, {.hi = kShareScale});
  map.color_bar = false;
  map.legend = {{1, w("kept")}, {core::kMasked, w("hidden")}};
  if (p.painting()) {
    map.paint_param = "painted";
    map.brush = p.brush;
    figure.pointer_note = w("Drag to paint, with Shift or the right button to erase.");
  }
  Plot plot = scene.map().plot("mask", scene.mask_words());
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure pairs_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool weights = p.shown == Shown::weights && model.attended->attention;
  const std::string title = weights ? w("weights: softmax of q·k / √d over the kept keys")
                                    : w("scores q·k / √d of the kept pairs");
  Figure figure =
      new_figure("pairs", weights ? w("Weights under this mask") : w("Scores under this mask"),
                 {.span = 6, .height = 420});
  figure.caption = w.format("{}; pairs that are not kept are absent.", title);
  const auto scale = weights ? weight_scale(to_double(model.attended->largest_weight))
                             : signed_scale(kScaleMargin * model.attended->largest_score);
  return with(std::move(figure), scene.map().plot("pairs", title, model.weight_cells, scale));
}

Figure items_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.n();
  Figure figure = new_figure("items", w("What is kept, and its cost"),
                             {.height = 146 + 36 * to_float(p.stack.size())});
  figure.note = w.format("n = {}, one head of width {}", n, p.width);
  figure.caption =
      w("The pairs that each pattern keeps alone, counted and by formula, and the pairs kept as "
        "patterns are joined from the top: their number, their share of n², multiply-adds for "
        "scores and outputs, and the memory of the weights.");
  figure::Table table;
  table.columns = {{w("Pattern"), 2.6f},          {w("Keeps alone"), 2.2f, 1},
                   {w("Kept so far"), 1.4f, 1},   {w("Share"), 0.9f, 1},
                   {w("Multiply-adds"), 1.3f, 1}, {w("Weights"), 1, 1}};
  for (std::size_t k = 0; k < p.stack.size(); ++k) add_item(scene, k, table);
  if (p.alternates()) table.marked = to_int(p.item_of(p.layers));
  for (const auto& [name, pairs] :
       {std::pair{w("for comparison: causal"), core::kept::causal(n, n)},
        std::pair{w("for comparison: full"), core::kept::full(n, n)}}) {
    table.rows.push_back({{sentence(name)}, {}});
    add_cost(scene, -1, pairs, table);
  }
  return with_table(std::move(figure), std::move(table));
}

Figure row_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool words = model.n() <= kMostBoxes;
  const std::size_t count = model.row->keys.size();
  Figure figure = new_figure("row", w.format("What query {} sees", scene.indexed(model.query)),
                             {.height = words ? 62 + 32 * to_float(boxes_down(scene)) : 250});
  figure.note =
      count == 0 ? w("nothing: the row is empty") : w.format("keys: {} of {}", count, model.n());
  figure.caption = w.format("The keys that query {} sees, and the weight of each: {} of {}.",
                            scene.indexed(model.query), count, model.n());
  return with(std::move(figure), words ? token_boxes(scene) : weight_points(scene));
}

Figure seen_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("seen", w("How many see, how many are seen"), {.height = 250, .columns = 2});
  figure.caption = w("How many keys each query sees, and how many queries see each key.");
  return with(std::move(figure),
              seen_plot("keys_of", w("keys seen by each query"), scene.map().query_axis(),
                        w("number of keys"), model.seen->keys_of, "query"),
              seen_plot("queries_of", w("queries that see each key"), scene.map().key_axis(),
                        w("number of queries"), model.seen->queries_of, "key"));
}

Figure field_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string query = scene.indexed(model.query);
  Figure figure = new_figure("field", w.format("Keys that reach query {}, layer by layer", query),
                             {.height = 190 + 16 * to_float(std::min(p.layers, 16))});
  figure.caption = w.format(
      "Row l: the keys whose information can be in query {} after l layers; the colour is the "
      "layer that first reached them.",
      query);
  Plot plot{.id = "field", .x = scene.map().key_axis(), .y = cell_axis(w("layer"), p.layers)};
  plot.y.labels = layer_names(scene, true);
  plot.y.named = true;
  Heatmap map = lab::heatmap(field(scene), layer_scale(scene));
  map.col_param = "key";
  map.bar_label = w("layer");
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure reach_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("reach", w.format("Reach after layer {}", p.layers),
                             {.height = 400, .columns = 2});
  figure.caption = w.format(
      "For each query (row) and key (column) the first layer after which the key's information can "
      "be in the query's output, up to layer {}; and the share of connected pairs.",
      p.layers);
  return with(std::move(figure),
              scene.map().plot("reach", w("first layer that connects"), model.reach_cells,
                               layer_scale(scene)),
              share_curve(scene));
}

}  // namespace lab::masks
