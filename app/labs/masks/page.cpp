#include "app/labs/masks/page.h"

#include <fmt/format.h>

#include <cmath>

#include "app/labs/shared/number_text.h"

namespace lab::masks {
namespace {

constexpr const char* kFormula =
    "w_{ij} = \\frac{\\exp(\\Q{q}_{i}·\\K{k}_{j} / \\sqrt{d})}{Σ_{l ∈ S_{i}} "
    "\\exp(\\Q{q}_{i}·\\K{k}_{l} / \\sqrt{d})},  j ∈ S_{i}";

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const auto note = [&](std::string text) { page.notes.push_back(std::move(text)); };
  if (model.seen->empty_rows > 0) {
    note(
        w.format("{} queries see no key (the first is {}): their weights and outputs are exactly "
                 "0, which is no softmax.",
                 model.seen->empty_rows, model.seen->first_empty));
  }
  if (model.composition->left_out > 0) {
    note(w.format("Top k looks at every score and is left out beyond {} tokens.", kMostScored));
  }
  if (!model.attended->attention) {
    note(w.format("{} pairs are kept: weights and outputs are computed up to {}; scores are shown.",
                  count_text(model.cost.pairs), count_text(static_cast<double>(kMostPairs))));
  } else if (model.n() > kMostDense) {
    note(w.format("The error is against dense attention, which is computed up to {} tokens.",
                  kMostDense));
  }
  if (model.n() > kMostReach) {
    note(w.format("Reach through layers is computed up to {} tokens.", kMostReach));
  }
  if (model.content->cut) {
    note(w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                  model.n()));
  }
}

Page empty_page(const Parameters& p, const words::Words& w) {
  Page page;
  page.formula = kFormula;
  page.cards = cards(w);
  page.notes.emplace_back(w("There is no token yet: type some text."));
  page.status = w.format("n = {} · d {} · seed {}", 0, p.width, p.seed);
  return page;
}

}  // namespace

std::string count_text(double count) {
  constexpr double kExact = 1e15;
  return count < kExact ? grouped(std::llround(count)) : fmt::format("{:.3g}", count);
}

std::string share_text(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return fmt::format("{:.2g} %", percent);
  return fmt::format("{:.1f} %", percent);
}

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(kUnits)) bytes /= 1000, ++unit;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

Page compute(const Parameters& p, const Context& context) {
  context.cancel.poll();
  auto content = make_content(p, context);
  if (content->n() == 0) return empty_page(p, context.words);
  const Model model = make_model(p, std::move(content), context);
  context.cancel.poll();
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {mask_figure(scene), pairs_figure(scene), row_figure(scene)};
  if (scene.shows_reach()) {
    page.figures.push_back(field_figure(scene));
    page.figures.push_back(reach_figure(scene));
  }
  page.figures.push_back(items_figure(scene));
  page.figures.push_back(seen_figure(scene));
  page.readouts = readouts(scene);
  page.formula = kFormula;
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  add_notes(scene, page);
  page.status = context.words.format(
      "n = {} · {} pairs ({}) · d {} · seed {}", model.n(), count_text(model.cost.pairs),
      share_text(model.cost.pairs /
                 (static_cast<double>(model.n()) * static_cast<double>(model.n()))),
      p.width, p.seed);
  return page;
}

}  // namespace lab::masks
