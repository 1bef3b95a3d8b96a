// What each item of the stack keeps and what is left after it, in pairs and in cost.
#include <fmt/format.h>

#include "app/labs/masks/page.h"
#include "core/mask/kept_in_closed_form.h"

namespace lab::masks {
namespace {

using Row = std::vector<figure::Table::Cell>;

void add_cost(const Scene& scene, Index pairs, Row& row) {
  const Index n = scene.model.n(), d = scene.p.width;
  const core::MaskedCost cost = core::masked_cost(n, n, pairs, {1, d, d});
  for (std::string text : {count_text(cost.pairs), share_text(cost.pairs / to_double(n * n)),
                           count_text(cost.macs), bytes_text(cost.weight_bytes)}) {
    row.push_back({plain(std::move(text))});
  }
}

Row item_row(const Scene& scene, std::size_t k) {
  const auto& [p, model, w] = scene;
  const param::StackItem& item = p.stack[k];
  const Part& part = model.composition->parts[k];
  const bool joins = k > 0 && !p.turns();
  Row row{{plain((joins ? w(join_name(join_of(item))) + " " : "") + item_name(item, w))}};
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

figure::Figure items_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.n();
  figure::Figure figure = new_figure("items", w("What is kept, and what it costs"),
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
  figure::Plot plot{.id = "items"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::masks
