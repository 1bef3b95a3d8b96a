#include "app/labs/position_ids/page.h"

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
        w("What is left of the n ids; infinity or NaN counts as one"));
  count("alone", w("Alone"), f.alone, w("Ids whose value no other id has"));
  count("colliding", w("Colliding"), f.colliding(), w("Ids that share their value: n less alone"));
  count("largest_group", w("Largest group"), f.largest_group, w("Ids that have become one value"));
  list.push_back(
      {"max_error", w("Largest error"), f.max_error,
       f.max_error == 1 ? w("1 position") : w.format("{} positions", value_text(f.max_error)),
       w("Between an id and its finite value")});
  const Index first = f.first_collision.value_or(-1);
  list.push_back(
      {"first_collision", w("First collision"), first,
       first < 0 ? w("none") : w.format("id {}, {}", first, value_text(scene.rounded(first))),
       w("The least id whose value an earlier one has; -1: none")});
  count("not_finite", w("∞ or NaN"), f.not_finite, w("Ids beyond the largest number"));
  const auto pairs = to_double(model.distances->pairs);
  const double right = to_double(model.distances->exact) / pairs;
  list.push_back(
      {"distances_right", w("Distances right"), right, percent(right, 2),
       w("Of all pairs i ≥ j of the context, those whose rounded ids are still as far apart")});
  const auto equal = to_double(model.distances->seem_equal);
  list.push_back({"seem_equal", w("Pairs at distance 0"), equal, value_text(equal),
                  w("Different ids with one value")});
  const Index sharers = model.sharers.count;
  list.push_back({"group", w("The picked id's group"), sharers,
                  std::isfinite(value) ? w.format("ids: {}, at {}", sharers, value_text(value))
                                       : w.format("ids beyond the format: {}", sharers),
                  w("How many ids of the context have the value of the picked one")});
  return list;
}

// The same whatever the knobs stand at: computed for the lengths they name.
std::vector<Card> cards(const Words& w) {
  const IdFacts at_8192 = core::id_facts(8192, core::kBFloat16);
  const IdFacts half = core::id_facts(8192, core::kFloat16);
  const IdFacts at_32768 = core::id_facts(32768, core::kBFloat16);
  const Index over = 8192 * 8 - core::id_facts(8192 * 8, core::kFloat16).not_finite;  // of float16
  return {{"ten_percent",
           w("At a context of 8192 only about 10 % of the positions are exact in bfloat16."),
           w.format("{} of 8192 are numbers of the format, {}; {} values are left, {}; and {} ids, "
                    "{}, share their value with none. In float16 {} are exact.",
                    at_8192.exact, percent(at_8192.share(at_8192.exact), 2), at_8192.distinct,
                    percent(at_8192.share(at_8192.distinct), 2), at_8192.alone,
                    percent(at_8192.share(at_8192.alone), 2), percent(half.share(half.exact), 2)),
           w("Table: what \"exact\" may mean"),
           {"ten_percent", "definitions"},
           Card::Verdict::holds},
          {"above_256",
           w("Above 256 bfloat16 cannot represent an integer."),
           w.format("It cannot represent every integer: {} is the first one missing, 258, 260, ... "
                    "are exact. In [2^k, 2^(k+1)) every 2^(k-7)-th one is.",
                    *at_8192.first_inexact),
           w("IEEE 754-2019, sections 3.4 and 4.3"),
           {"first_collision", "strips"}},
          {"same_trouble",
           w("float16 and bfloat16 have the same trouble."),
           w.format("bfloat16 collides from id {} on, float16 from {} on; but float16 ends: from "
                    "{} on every id is infinite.",
                    *at_8192.first_collision, *half.first_collision, over),
           w("Preset: float16 ends"),
           {"float16_ends", "strips"},
           Card::Verdict::half},
          {"few_neighbours",
           w("Only a few neighbouring tokens share a position."),
           w.format("Up to {} of them at 8192, {} at 32768. If the angle of a rotary embedding is "
                    "rounded too, fast pairs are not shared but scrambled.",
                    at_8192.largest_group, at_32768.largest_group),
           w("Lab: RoPE under rounding"),
           {"llama_32k", "strips"},
           Card::Verdict::half}};
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
        w("Each id draws its own random bits: ids of one value need not be neighbours, and the "
          "mean error is 0."));
  }
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  context.cancel.poll();
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {stairs_figure(scene),     strips_figure(scene),  bits_figure(scene),
                  lengths_figure(scene),    context_figure(scene), distances_figure(scene),
                  definitions_figure(scene)};
  page.readouts = readouts(scene);
  page.formula = "r(i) = s · \\text{round}(i / s), \\quad s = 2^{⌊\\log_{2} i⌋ - t}";
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  add_notes(scene, page);
  page.status = context.words.format("ids {} · {} · values {}", p.length, scene.format_name(),
                                     model.facts->distinct);
  return page;
}

}  // namespace lab::position_ids
