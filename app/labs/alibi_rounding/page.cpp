#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/text/text.h"
#include "core/attention/softmax.h"

namespace lab::alibi_rounding {
namespace {

// How the weights of the picked query change: softmax of exact and of rounded sums; nothing when a
// sum is not a number.
std::optional<double> weight_change(const Scene& scene) {
  const Pairs& pairs = *scene.model.pairs;
  const Index keys = std::min<Index>(scene.p.tokens, scene.p.pair_distance(scene.p.query, 0) + 1);
  const VectorD exact = pairs.exact.row(scene.p.query).head(keys);
  const VectorD rounded = pairs.rounded.row(scene.p.query).head(keys);
  if (!rounded.allFinite()) return std::nullopt;
  return (core::softmax(rounded) - core::softmax(exact)).cwiseAbs().maxCoeff();
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const AlibiRoundingFacts& f = model.facts(p);
  const Pairs& pairs = *model.pairs;
  std::vector<Readout> list;
  const auto count = [&](std::string id, std::string label, Index number, Index of,
                         std::string help) {
    const double share = of > 0 ? to_double(number) / to_double(of) : 0;
    list.push_back({std::move(id), std::move(label), to_double(number),
                    fmt::format("{} ({})", number, percent(share, 2)), std::move(help)});
  };
  list.push_back({"slope", w("Slope m"), model.slope, value_text(model.slope),
                  w("Of the picked head: the penalty of one more position")});
  count("distinct", w("Different biases"), f.distinct, f.n,
        w("Among distances 0 to n - 1 in the picked head"));
  count("alone", w("Alone"), f.alone, f.n, w("Distances whose bias no other has"));
  count("largest_group", w("Largest group"), f.largest_group, f.n,
        w("The most distances that share one bias"));
  const Index first = f.first_collision.value_or(-1);
  list.push_back({"first_collision", w("First collision"), first,
                  first < 0
                      ? w("none")
                      : w.format("distance {}, {}", first, value_text(model.rounder.bias(first))),
                  w("The smallest distance with the same bias as the one before; -1: none")});
  list.push_back({"max_error", w("Largest error"), f.max_error, value_text(f.max_error),
                  w("Between a bias and its stored value")});
  count("not_finite", w("∞ or NaN"), f.not_finite, f.n, w("Biases beyond the largest number"));
  count("equal", w("Neighbours made equal"), pairs.equal, pairs.neighbors,
        w("Pairs of neighbouring keys in the matrices whose rounded sums are equal"));
  count("swapped", w("Neighbours swapped"), pairs.swapped, pairs.neighbors,
        w("Pairs whose rounded sums are in the opposite order of the exact ones"));
  list.push_back({"sum_error", w("Largest error of a sum"), pairs.largest_error,
                  value_text(pairs.largest_error), w("In the matrices, of finite sums")});
  if (const auto change = weight_change(scene)) {
    list.push_back(
        {"weight_change", w("Largest change of a weight"), *change, fmt::format("{:.4g}", *change),
         w("Softmax over the shown keys of the picked query, after rounding against before")});
  }
  return list;
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const AlibiRoundingFacts& f = model.facts(p);
  if (f.not_finite > 0) {
    page.note(w.format("Biases of head {} beyond the largest number, {}: {}.", p.head,
                       value_text(core::max_finite(format_of(p.format))), f.not_finite));
  }
  if (Index{p.start} + p.width > p.length) {
    page.note(
        w.format("The context ends: the curves show distances {} to {}.", p.start, p.end() - 1));
  }
  if (!(p.round_slope || p.round_distance || p.round_bias || p.round_score || p.round_sum)) {
    page.note(w("Nothing is rounded to the format; everything is float32."));
  }
}

// The same whatever the knobs stand at.
std::vector<Card> filled_cards(const Words& w) {
  const double steep = core::alibi_slopes(8)(0), flat = core::alibi_slopes(8)(7);
  const auto first = [](double slope) {
    return *core::alibi_rounding_facts(1024, slope, core::AlibiRounding{}).first_collision;
  };
  std::vector<Card> made = cards("alibi_rounding", w);
  fill(made, "no_angles", w, first(flat), steep * to_double(first(steep)),
       flat * to_double(first(flat)));
  return made;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {bias_figure(scene),   bits_figure(scene),   matrices_figure(scene),
                  strips_figure(scene), counts_figure(scene), table_figure(scene),
                  heads_figure(scene)};
  page.readouts = readouts(scene);
  page.formula =
      "s_{ij} = \\text{r}\\left(\\text{r}\\left(\\frac{\\Q{q}_{i}·\\K{k}_{j}}{\\sqrt{d}}\\right) + "
      "\\text{r}(-m_{h}|i - j|)\\right)";
  page.explanation = explain(scene);
  page.made_up =
      scene.w("random queries and keys: the penalties are real, the scores come from no model");
  page.cards = filled_cards(context.words);
  add_notes(scene, page);
  page.status = context.words.format("heads {} · {} · n = {} · d {} · seed {}", p.heads,
                                     scene.format_name(), p.length, p.width_of_head, p.seed);
  return page;
}

}  // namespace lab::alibi_rounding
