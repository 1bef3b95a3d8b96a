// The numbers beside the figures, and what is commonly said.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

class Readouts {
 public:
  explicit Readouts(const Scene& scene) : scene_(scene), words_(scene.w) {}

  std::vector<Readout> made() && {
    cost();
    rows();
    against_dense();
    reach();
    return std::move(list_);
  }

 private:
  void add(std::string id, std::string_view label, double value, std::string text,
           std::string_view help) {
    list_.push_back({std::move(id), std::string(label), value, std::move(text), std::string(help)});
  }

  void cost() {
    const core::MaskedCost& c = scene_.model.cost;
    const auto n = static_cast<double>(scene_.model.n());
    const double share = c.pairs / (n * n);
    add("kept", words_("Kept pairs"), c.pairs, count_text(c.pairs),
        words_("Pairs of query and key that the mask keeps"));
    add("density", words_("Density"), share, share_text(share),
        words_("Their share of all n² pairs"));
    add("macs", words_("Multiply-adds"), c.macs, count_text(c.macs),
        words_("Of one head: d for the score of each kept pair and d for its value. The softmax is "
               "not counted"));
    add("saved", words_("Against dense"), c.macs > 0 ? c.dense_macs / c.macs : 0,
        c.macs > 0 ? words_.format("{:.3g} times fewer", c.dense_macs / c.macs)
                   : words_("nothing is kept"),
        words_("Dense attention's multiply-adds divided by these"));
    add("weight_bytes", words_("Memory of the weights"), c.weight_bytes, bytes_text(c.weight_bytes),
        words_("Every kept weight as a float of 4 bytes"));
    add("mask_bytes", words_("Memory of the mask"), c.index_bytes, bytes_text(c.index_bytes),
        words_("The mask itself as runs of keys, never n × n"));
  }

  void rows() {
    const Seen& seen = *scene_.model.seen;
    const auto count = [&](std::string id, std::string_view label, Index number,
                           std::string_view help) {
      add(std::move(id), label, static_cast<double>(number),
          count_text(static_cast<double>(number)), help);
    };
    count("largest_row", words_("Largest row"), seen.largest,
          words_("Keys that one query sees at most"));
    count("empty_rows", words_("Empty rows"), seen.empty_rows,
          words_("Queries that see nothing: weights and outputs are 0"));
    count("unseen_keys", words_("Unseen keys"), seen.unseen_keys,
          words_("Keys that no query sees: their values reach no output of this layer"));
  }

  void against_dense() {
    const auto& compared = scene_.model.compared;
    if (!compared) return;
    add("error", words_("Error against dense"), compared->error, share_text(compared->error),
        compared->causal ? words_("|O - O'| / |O'| over all outputs; O' is causal attention "
                                  "without the mask, on the same q, k and v")
                         : words_("|O - O'| / |O'| over all outputs; O' is attention without the "
                                  "mask, on the same q, k and v"));
    add("kept_weight", words_("Dense weight kept"), compared->kept_weight,
        share_text(compared->kept_weight),
        words_("How much of a query's dense weights lies on the keys that are kept, on average"));
  }

  void reach() {
    if (!scene_.model.reached) return;
    const core::Reach& reach = scene_.model.reached->reach;
    const auto all = reach.layers_to_cover();
    add("layers_to_connect", words_("Layers to connect all"), all ? static_cast<double>(*all) : -1,
        all ? fmt::format("{}", *all) : words_.format("not within {}", kMostLayers),
        scene_.model.reached->causal ? words_("The first layer after which every key up to a query "
                                              "has reached it; -1: not within the layers looked at")
                                     : words_("The first layer after which every key has reached "
                                              "every query; -1: not within the layers looked at"));
    const auto last = static_cast<std::size_t>(scene_.p.layers - 1);
    const double share = static_cast<double>(reach.covered[last]) /
                         static_cast<double>(std::max<Index>(1, reach.wanted));
    add("connected", words_("Connected"), share,
        words_.format("{} after {}", share_text(share), scene_.p.layers),
        words_("The share of these pairs that are connected after the layers chosen"));
    const Index field = reach.sizes(scene_.p.layers - 1, scene_.model.query);
    add("field", words_("Keys that reach the query"), static_cast<double>(field),
        count_text(static_cast<double>(field)),
        words_("Of the picked query, after the layers chosen"));
  }

  const Scene& scene_;
  const words::Words& words_;
  std::vector<Readout> list_;
};

}  // namespace

std::vector<Readout> readouts(const Scene& scene) { return Readouts(scene).made(); }

std::vector<Card> cards(const words::Words& w) {
  const std::string child =
      "Child et al. 2019, Generating Long Sequences with Sparse Transformers, section 4.3";
  return {{w("OpenAI's sparse attention is local or atrous, in both directions, as one mask."),
           w("It is causal, and factorised into two patterns that heads or layers use in turn: "
             "strided (the last l keys, then every l-th) or fixed (the own block, then summary "
             "keys). Merging them is one of three ways."),
           child},
          {w("Sparse attention looks at local words and at distant ones, so nothing is lost."),
           w("A single layer does lose pairs. One local layer with window k and then one atrous "
             "layer with step k connect every pair; window k - 1 suffices, half of k does not."),
           w("Presets: local, then atrous; half the window is not enough")},
          {w("Multiplying the scores by the query mask removes padding queries."),
           w("A row of zeros becomes 1/n after softmax, and padded keys come back. The weights, or "
             "the output, must be set to 0 after softmax."),
           w("Preset: rows without a key")},
          {w("Filling masked scores with -2³² + 1 makes their weights 0."),
           w("It is a finite number: in a row that is masked throughout, every weight is 1/n. In "
             "float16 it is -∞, and the row is NaN. Here such a row has no softmax and is 0."),
           w("Preset: rows without a key")},
          {w("Sparse attention makes O(n²) into O(r n)."),
           w("Of time: O(n² d) becomes O(r n d). And memory of n² is needed only where all scores "
             "are kept; computed piece by piece, dense attention takes O(n)."),
           "Vaswani et al. 2017, Table 1; Dao et al. 2022, FlashAttention"},
          {w("A causal mask lets a token see only those before it."),
           w("And itself: the lower triangle with its diagonal. Without it the first row would be "
             "empty."),
           "Vaswani et al. 2017, section 3.2.3"}};
}

}  // namespace lab::masks
