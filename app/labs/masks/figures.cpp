// The mask and the scores under it; what each item of the stack keeps and what is left after it, in
// pairs and in cost.
#include "app/labs/masks/page.h"
#include "core/mask/kept_in_closed_form.h"

namespace lab::masks {
namespace {

using TableRow = std::vector<figure::Table::Cell>;

void add_cost(const Scene& scene, Index pairs, TableRow& row) {
  const Index n = scene.model.n(), d = scene.p.width;
  const core::MaskedCost cost = core::masked_cost(n, n, pairs, {1, d, d});
  for (std::string text : {count_text(cost.pairs), share_text(cost.pairs / to_double(n * n)),
                           count_text(cost.macs), bytes_text(cost.weight_bytes)}) {
    row.push_back({plain(std::move(text))});
  }
}

TableRow item_row(const Scene& scene, std::size_t k) {
  const auto& [p, model, w] = scene;
  const param::StackItem& item = p.stack[k];
  const Part& part = model.composition->parts[k];
  const bool joins = k > 0 && !p.turns();
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
  add_cost(scene, p.turns() && part.alone ? part.alone->kept() : part.joined, row);
  return row;
}

}  // namespace

std::string Scene::name(Index token) const {
  const figure::Labels& labels = model.content->labels;
  return labels ? (*labels)[to_size(token)] : fmt::format("{}", token);
}

std::string Scene::indexed(Index token) const {
  return model.content->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::string Scene::mask_words() const {
  if (p.turns()) {
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
  figure.caption = w.format(
      "Which pairs of query (row) and key (column) are kept: {} of {}. Zoomed out, a cell shows "
      "the share of its pairs that are. {}",
      count_text(model.cost.pairs), grouped(model.n() * model.n()), scene.mask_words());
  figure::Heatmap map = scene.map().cells(model.mask_cells, {.hi = kShareScale});
  map.color_bar = false;
  if (p.painting()) {
    map.paint_param = "painted";
    map.brush = p.brush;
    figure.note = w("Drag to paint, with Shift or the right button to erase.");
  }
  Plot plot = scene.map().plot("mask", scene.mask_words());
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure pairs_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool weights = p.shown == Shown::weights && model.attended->attention;
  const std::string title = weights ? w("weights: softmax of q·k / √d over the kept keys")
                                    : w("scores q·k / √d of the kept pairs");
  Figure figure = new_figure("pairs", w("The same scores under it"), {.span = 6, .height = 420});
  figure.caption = w.format("{}; what the mask does not keep is absent.", title);
  const auto scale = weights ? weight_scale(to_double(model.attended->largest_weight))
                             : signed_scale(kScaleMargin * model.attended->largest_score);
  return with(std::move(figure), scene.map().plot("pairs", title, model.weight_cells, scale));
}

Figure items_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.n();
  Figure figure = new_figure("items", w("What is kept, and what it costs"),
                             {.height = 146 + 36 * static_cast<float>(p.stack.size())});
  figure.note = w.format("n = {}, one head of width {}", n, p.width);
  figure.caption =
      w("The pairs that each pattern keeps alone, counted and by formula, and what is left as they "
        "are joined from the top: pairs, their share of n², multiply-adds for scores and outputs, "
        "and the weights as floats.");
  figure::Table table;
  table.columns = {{w("Pattern"), 2.6f},          {w("Keeps alone"), 2.2f, 1},
                   {w("Kept so far"), 1.4f, 1},   {w("Share"), 0.9f, 1},
                   {w("Multiply-adds"), 1.3f, 1}, {w("Weights"), 1, 1}};
  for (std::size_t k = 0; k < p.stack.size(); ++k) table.rows.push_back(item_row(scene, k));
  if (p.turns()) table.marked = static_cast<int>(p.item_of(p.layers));
  for (const auto& [name, pairs] :
       {std::pair{w("for comparison: causal"), core::kept::causal(n, n)},
        std::pair{w("for comparison: full"), core::kept::full(n, n)}}) {
    table.rows.push_back({{sentence(name)}, {}});
    add_cost(scene, pairs, table.rows.back());
  }
  Plot plot{.id = "items"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::masks
