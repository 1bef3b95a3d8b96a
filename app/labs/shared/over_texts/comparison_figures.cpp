// How well a model that has read guesses what was held out, beside others that learned from the
// same.
#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/drawing/table_numbers.h"
#include "app/labs/shared/over_texts/over_texts.h"
#include "app/labs/shared/parts.h"

namespace lab {
namespace {

using core::checkpoint::Comparison;

figure::Table table_of(const Comparison& of, const Words& w) {
  figure::Table table{.columns = {{w("held out of"), 1.9F}, {w("held-out bytes"), 1.75F, 1}}};
  for (const auto& one : of.guessers) table.columns.push_back({one.name().in(w), 1, 1});
  std::vector<Comparison::Source> rows = of.sources;
  rows.push_back(of.all);
  for (const Comparison::Source& one : rows) {
    table.rows.push_back(
        {{{one.name().in(w), Role::text, TextStyle::label}}, {mono(grouped(one.bytes))}});
    add_numbers(table, {{"bytes", to_double(one.bytes)}});
    const double least = *std::min_element(one.bits.begin(), one.bits.end());
    for (std::size_t k = 0; k < one.bits.size(); ++k) {
      const double bits = one.bits[k];
      table.rows.back().push_back(
          {mono(fixed(bits, 3), bits == least ? Role::accent : Role::text)});
      add_numbers(table, {{of.guessers[k].name().in_english() + " (bits a byte)", bits}});
    }
  }
  table.marked = to_int(rows.size()) - 1;
  return table;
}

}  // namespace

void add_comparison(const PublishedModel& opened, const Words& w, Page& page) {
  if (!opened.comparison) return page.note(w("No measurement came with this model."));
  const Comparison& of = *opened.comparison;
  const auto names = labels(each(of.guessers, [&](const auto& one) { return one.name().in(w); }));
  Plot plot = bar_plot({.id = "guessers",
                        .values = of.all.bits,
                        .color = Role::value,
                        .marked = 0,
                        .x = cell_axis("", std::ssize(*names), {.labels = names, .named = true})});
  plot.y.label = w("bits a byte");
  Figure bars = new_figure("guessers", w("How well it guesses"), {.span = 3, .height = 360});
  bars.caption = w.format(
      "Over {} bytes that nobody learned from: how many bits the next byte costs on average. The "
      "fewer, the better it is guessed; without any guess it would cost 8.",
      grouped(of.all.bytes));
  Figure table =
      new_figure("comparison", w("Beside others, by source"), {.span = 9, .height = 360});
  table.caption = w.format(
      "The model was trained on nine tenths of each source, and all others learned from the same: "
      "compressors (PPMd by order, zstd by level), and counts of the byte that follows so many. "
      "Told is the tenth that was held out. Measured once, by {}, and read from comparison.json "
      "beside the model.",
      of.measured_by);
  page.figures = {with(std::move(bars), std::move(plot)),
                  with_table(std::move(table), table_of(of, w))};
  const auto add = [&](const char* id, std::size_t k) {
    page.readouts.push_back({id, w.format("Bits a byte: {}", of.guessers[k].name().in(w)),
                             of.all.bits[k], fixed(of.all.bits[k], 3),
                             w("Of all that was held out")});
  };
  add("bits", 0);
  if (of.best_other() > 0) add("best_other", of.best_other());
}

}  // namespace lab
