#include "app/labs/masks/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::masks {
namespace {

constexpr const char* kFormula =
    "w_{ij} = \\frac{\\exp(\\Q{q}_{i}·\\K{k}_{j} / \\sqrt{d})}{Σ_{l ∈ S_{i}} "
    "\\exp(\\Q{q}_{i}·\\K{k}_{l} / \\sqrt{d})},  j ∈ S_{i}";

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  const auto note = [&](std::string text) { page.note(std::move(text)); };
  if (model.seen->empty_rows > 0) {
    note(
        w.format("Queries that see no key: {} (the first is {}). Their weights and outputs are "
                 "exactly 0, which no softmax gives.",
                 model.seen->empty_rows, model.seen->first_empty));
  }
  if (model.composition->left_out > 0) {
    note(w.format("Top k needs every score and is left out beyond {} tokens.", kMostScored));
  }
  if (!model.attended->attention) {
    note(w.format(
        "{} pairs are kept: weights and outputs are computed for at most {}; scores are shown.",
        count_text(model.cost.pairs), grouped(kMostPairs)));
  } else if (model.n() > kMostDense) {
    note(w.format(
        "The error is relative to dense attention, which is computed for at most {} tokens.",
        kMostDense));
  }
  if (model.n() > kMostReach) {
    note(w.format("Reach through layers is computed for at most {} tokens.", kMostReach));
  }
  if (model.content->cut) {
    note(w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                  model.n()));
  }
}

Page empty_page(const Parameters& p, const Words& w) {
  Page page;
  page.formula = kFormula;
  page.cards = cards("masks", w);
  page.note(w("There is no token yet: type some text."));
  page.status = w.format("n = {} · d {} · seed {}", 0, p.width, p.seed);
  return page;
}

using Readouts = std::vector<Readout>;

void add_cost(const Scene& scene, Readouts& list) {
  const auto& [p, model, w] = scene;
  const core::MaskedCost& c = model.cost;
  const double share = c.pairs / to_double(model.n() * model.n());
  const double fewer = c.macs > 0 ? c.dense_macs / c.macs : 0;
  list = {{"kept", w("Kept pairs"), c.pairs, count_text(c.pairs),
           w("Pairs of query and key that the mask keeps")},
          {"density", w("Density"), share, share_text(share), w("Their share of all n² pairs")},
          {"macs", w("Multiply-adds"), c.macs, count_text(c.macs),
           w("For one head: d for the score of each kept pair and d for its value. The softmax is "
             "not counted")},
          {"saved", w("Against dense"), fewer,
           c.macs > 0 ? w.format("1/{:.3g} of dense", fewer) : w("nothing is kept"),
           w("Dense attention's multiply-adds divided by these")},
          {"weight_bytes", w("Memory of the weights"), c.weight_bytes, bytes_text(c.weight_bytes),
           w("Every kept weight as a 4-byte float")},
          {"mask_bytes", w("Memory of the mask"), c.index_bytes, bytes_text(c.index_bytes),
           w("The mask itself as runs of keys, never n × n")}};
}

void add_rows(const Scene& scene, Readouts& list) {
  const Seen& seen = *scene.model.seen;
  const auto count = [&](std::string id, std::string label, Index number, std::string help) {
    list.push_back(
        {std::move(id), std::move(label), to_double(number), grouped(number), std::move(help)});
  };
  const auto& w = scene.w;
  count("largest_row", w("Largest row"), seen.largest, w("The most keys that any query sees"));
  count("empty_rows", w("Empty rows"), seen.empty_rows,
        w("Queries that see nothing: weights and outputs are 0"));
  count("unseen_keys", w("Unseen keys"), seen.unseen_keys,
        w("Keys that no query sees: their values reach no output of this layer"));
}

void add_error(const Scene& scene, Readouts& list) {
  const auto& w = scene.w;
  const Compared& compared = *scene.model.compared;
  list.push_back({"error", w("Error against dense"), compared.error, share_text(compared.error),
                  compared.causal ? w("|O - O'| / |O'| over all outputs; O' is causal attention "
                                      "without the mask, with the same q, k and v")
                                  : w("|O - O'| / |O'| over all outputs; O' is attention without "
                                      "the mask, with the same q, k and v")});
  list.push_back({"kept_weight", w("Dense weight kept"), compared.kept_weight,
                  share_text(compared.kept_weight),
                  w("How much of a query's dense weight lies on the kept keys, on average")});
}

void add_reach(const Scene& scene, Readouts& list) {
  const auto& [p, model, w] = scene;
  const core::Reach& reach = model.reached->reach;
  const auto all = reach.layers_to_cover();
  const double share =
      to_double(reach.covered[to_size(p.layers - 1)]) / to_double(std::max<Index>(1, reach.wanted));
  const Index field = reach.sizes(p.layers - 1, model.query);
  list.push_back({"layers_to_connect", w("Layers to connect all"), all.value_or(-1),
                  all ? fmt::format("{}", *all) : w.format("not within {}", kMostLayers),
                  model.reached->causal ? w("The first layer after which every key up to a query "
                                            "has reached it; -1: not within the layers examined")
                                        : w("The first layer after which every key has reached "
                                            "every query; -1: not within the layers examined")});
  list.push_back({"connected", w("Connected"), share,
                  w.format("{} after {}", share_text(share), p.layers),
                  w("The share of these pairs connected after the chosen number of layers")});
  list.push_back({"field", w("Keys that reach the query"), field, grouped(field),
                  w("For the picked query, after the chosen number of layers")});
}

}  // namespace

std::string share_text(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return fmt::format("{:.2g} %", percent);
  return fmt::format("{:.1f} %", percent);
}

Page compute(const Parameters& p, const Context& context) {
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
  page.made_up = scene.w("untrained vectors: the mask is real, the weights come from no model");
  page.formula = kFormula;
  page.explanation = explain(scene);
  page.cards = cards("masks", context.words);
  add_notes(scene, page);
  find_length(p, model.n(), model.content->cut, context.words, page);
  page.status = context.words.format(
      "n = {} · pairs {} ({}) · d {} · seed {}", model.n(), count_text(model.cost.pairs),
      share_text(model.cost.pairs / to_double(model.n() * model.n())), p.width, p.seed);
  return page;
}

Readouts readouts(const Scene& scene) {
  Readouts list;
  add_cost(scene, list);
  add_rows(scene, list);
  if (scene.model.compared) add_error(scene, list);
  if (scene.model.reached) add_reach(scene, list);
  return list;
}

}  // namespace lab::masks
