#include "app/labs/position_ids/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::position_ids {
namespace {

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const IdFacts& f = *model.facts;
  const double value = scene.rounded(p.id);
  std::vector<Readout> list;
  const auto count = [&](std::string id, std::string label, Index number, std::string help) {
    list.push_back({std::move(id), std::move(label), to_double(number),
                    fmt::format("{} ({})", number, percent(f.share(number), 2)), std::move(help)});
  };
  count("exact", w("Exact"), f.exact, w("Ids that are numbers of the format"));
  count("distinct", w("Different values"), f.distinct,
        w("How many values the n ids have; infinity or NaN counts as one"));
  count("alone", w("Alone"), f.alone, w("Ids whose value no other id has"));
  count("colliding", w("Colliding"), f.colliding(), w("Ids that share their value: n minus alone"));
  count("largest_group", w("Largest group"), f.largest_group, w("Ids that have become one value"));
  list.push_back(
      {"max_error", w("Largest error"), f.max_error,
       f.max_error == 1 ? w("1 position") : w.format("{} positions", value_text(f.max_error)),
       w("Between an id and its finite value")});
  const Index first = f.first_collision.value_or(-1);
  list.push_back(
      {"first_collision", w("First collision"), first,
       first < 0 ? w("none") : w.format("id {}, {}", first, value_text(scene.rounded(first))),
       w("The smallest id whose value an earlier one has; -1: none")});
  count("not_finite", w("∞ or NaN"), f.not_finite, w("Ids beyond the largest number"));
  const auto pairs = to_double(model.distances->pairs);
  const double right = to_double(model.distances->exact) / pairs;
  list.push_back({"distances_right", w("Distances right"), right, percent(right, 2),
                  w("The pairs i ≥ j of the context whose rounded ids are still as far apart")});
  const auto equal = to_double(model.distances->seem_equal);
  list.push_back({"seem_equal", w("Pairs at distance 0"), equal, value_text(equal),
                  w("Different ids with one value")});
  const Index sharers = model.sharers.count;
  list.push_back({"group", w("The picked id's group"), sharers,
                  std::isfinite(value) ? w.format("ids: {}, at {}", sharers, value_text(value))
                                       : w.format("ids beyond the format: {}", sharers),
                  w("How many ids of the context share the picked one's value")});
  return list;
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const IdFacts& f = *model.facts;
  if (f.not_finite > 0) {
    page.note(w.format("Ids beyond the largest number, {}: {}. They become {}.",
                       value_text(core::max_finite(model.rounded.format())), f.not_finite,
                       value_text(scene.rounded(p.length - 1))));
  }
  if (Index{p.start} + p.width > p.length) {
    page.note(w.format("The context ends: the window shows ids {} to {}.", p.start, p.end() - 1));
  }
  if (model.rounded.stochastic()) {
    page.note(
        w("Each id draws its own random bits: ids with one value need not be neighbours, and the "
          "mean error is 0."));
  }
}

// The same whatever the knobs stand at: computed for the lengths they name.
std::vector<Card> filled_cards(const Words& w) {
  const IdFacts at_8192 = core::id_facts(8192, core::kBFloat16);
  const IdFacts half = core::id_facts(8192, core::kFloat16);
  const IdFacts at_32768 = core::id_facts(32768, core::kBFloat16);
  const Index over = 8192 * 8 - core::id_facts(8192 * 8, core::kFloat16).not_finite;  // of float16
  std::vector<Card> made = cards("position_ids", w);
  fill(made, "ten_percent", w, at_8192.exact, percent(at_8192.share(at_8192.exact), 2),
       at_8192.distinct, percent(at_8192.share(at_8192.distinct), 2), at_8192.alone,
       percent(at_8192.share(at_8192.alone), 2), percent(half.share(half.exact), 2));
  fill(made, "above_256", w, *at_8192.first_inexact);
  fill(made, "same_trouble", w, *at_8192.first_collision, *half.first_collision, over);
  fill(made, "few_neighbours", w, at_8192.largest_group, at_32768.largest_group);
  return made;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {stairs_figure(scene),     strips_figure(scene),  bits_figure(scene),
                  lengths_figure(scene),    context_figure(scene), distances_figure(scene),
                  definitions_figure(scene)};
  page.readouts = readouts(scene);
  page.formula = "r(i) = s · \\text{round}(i / s), \\quad s = 2^{⌊\\log_{2} i⌋ - t}";
  page.explanation = explain(scene);
  page.cards = filled_cards(context.words);
  add_notes(scene, page);
  page.status = context.words.format("ids {} · {} · values {}", p.length, scene.format_name(),
                                     model.facts->distinct);
  return page;
}

}  // namespace lab::position_ids
