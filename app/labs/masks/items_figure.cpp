// What each item of the stack keeps and what is left after it, in pairs and in cost.
#include <fmt/format.h>

#include "app/labs/masks/page.h"
#include "core/mask/kept_in_closed_form.h"

namespace lab::masks {
namespace {

using figure::Figure;
using figure::Role;
using figure::Table;

figure::Span small(std::string text) {
  return {std::move(text), Role::dim, figure::TextStyle::small};
}

class ItemsTable {
 public:
  explicit ItemsTable(const Scene& scene) : scene_(scene), words_(scene.w) {
    const auto title = [&](std::string_view text) { return words_(text); };
    table_.columns = {{title(N_("Pattern")), 2.6f},          {title(N_("Keeps alone")), 2.2f, 1},
                      {title(N_("Kept so far")), 1.4f, 1},   {title(N_("Share")), 0.9f, 1},
                      {title(N_("Multiply-adds")), 1.3f, 1}, {title(N_("Weights")), 1, 1}};
  }

  Table made() && {
    const Composition& composition = *scene_.model.composition;
    for (std::size_t k = 0; k < composition.parts.size(); ++k) item(k, composition.parts[k]);
    const Index n = scene_.model.n();
    for (const auto& [name, pairs] :
         {std::pair{words_("for comparison: causal"), core::kept::causal(n, n)},
          std::pair{words_("for comparison: full"), core::kept::full(n, n)}}) {
      std::vector<Table::Cell> row{{small(std::string(name))}, {}};
      add_cost(pairs, row);
      table_.rows.push_back(std::move(row));
    }
    return std::move(table_);
  }

 private:
  void item(std::size_t k, const Part& part) {
    const param::StackItem& item = scene_.p.stack[k];
    std::string name = item_name(item, words_);
    if (k > 0 && !scene_.p.turns()) {
      name = fmt::format("{} {}", words_(join_name(join_of(item))), name);
    }
    std::vector<Table::Cell> row{{plain(std::move(name))}};
    if (!part.alone) {
      row.push_back({small(words_("left out: too many tokens"))});
    } else {
      Table::Cell alone{plain(count_text(static_cast<double>(part.alone->kept())))};
      if (const auto form = closed_form(item, scene_.model.n())) {
        alone.push_back(small(
            fmt::format("{} = {}", form->formula, count_text(static_cast<double>(form->pairs)))));
      }
      row.push_back(std::move(alone));
    }
    // Layers that take turns join nothing: each has its item alone.
    const bool own = scene_.p.turns() && part.alone;
    add_cost(own ? part.alone->kept() : part.joined, row);
    if (scene_.p.turns() && k == scene_.p.item_of(scene_.p.layers)) {
      table_.marked = static_cast<int>(table_.rows.size());
    }
    table_.rows.push_back(std::move(row));
  }

  void add_cost(Index pairs, std::vector<Table::Cell>& row) const {
    const Index n = scene_.model.n(), d = scene_.p.width;
    const core::MaskedCost cost = core::masked_cost(n, n, pairs, {1, d, d});
    const double all = static_cast<double>(n) * static_cast<double>(n);
    row.push_back({plain(count_text(cost.pairs))});
    row.push_back({plain(share_text(cost.pairs / all))});
    row.push_back({plain(count_text(cost.macs))});
    row.push_back({plain(bytes_text(cost.weight_bytes))});
  }

  const Scene& scene_;
  const words::Words& words_;
  Table table_;
};

}  // namespace

Figure items_figure(const Scene& scene) {
  Figure figure = new_figure("items", scene.w("What is kept, and what it costs"));
  figure.note = scene.w.format("n = {}, one head of width {}", scene.model.n(), scene.p.width);
  figure.caption = scene.w(
      "The pairs that each pattern keeps alone, counted and by formula, and what is left as they "
      "are joined from the top: pairs, their share of n², multiply-adds for scores and outputs, "
      "and the weights as floats.");
  figure::Plot plot{.id = "items"};
  plot.marks.emplace_back(ItemsTable(scene).made());
  figure.height = 146 + 36 * static_cast<float>(scene.p.stack.size());
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace lab::masks
