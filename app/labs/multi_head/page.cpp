#include "app/labs/multi_head/page.h"

#include <fmt/format.h>

#include <tuple>

namespace lab::multi_head {
namespace {

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.0f} kB", bytes / 1e3);
}

// What depends on the attention and the head alone, and would be costly to read off anew whenever
// another cell is picked.
struct HeadNumbers {
  LargestWeight largest;
  double variance = 0;
};

std::vector<Readout> chosen_readouts(const Scene& scene, const HeadNumbers& numbers) {
  const auto& w = scene.w;
  const Heads& heads = *scene.model.heads;
  const double share = mean_entropy_share(heads, scene.model.head);
  const double d_k = static_cast<double>(scene.model.d_k());
  const double scale = static_cast<double>(heads.scale());
  std::vector<Readout> result;
  result.push_back(
      {"entropy_share", w("Entropy, share of its maximum"), share,
       fmt::format("{:.0f} %", 100 * share),
       w("0: every query looks at one key; 100 %: at all keys alike. Of the chosen head")});
  result.push_back({"largest_weight", w("Largest weight"), numbers.largest.value,
                    w.format("{:.3f} at query {}, key {}", numbers.largest.value,
                             numbers.largest.query, numbers.largest.key),
                    w("The largest weight of the chosen head and where it is")});
  result.push_back({"score_variance", w("Variance of q·k"), numbers.variance,
                    w.format("{:.2f}, theory {}", numbers.variance, scene.model.d_k()),
                    w("Over all pairs, masked ones too. Independent numbers of variance 1 give d_k "
                      "(Vaswani et al., footnote 4)")});
  result.push_back(
      {"scaled_variance", w("Variance after scaling"), numbers.variance * scale * scale,
       w.format("{:.2f}, theory {:.2f}", numbers.variance * scale * scale, d_k * scale * scale),
       w("What the softmax sees. Dividing by √d_k makes it 1 in theory, whatever the width")});
  return result;
}

std::vector<Readout> model_readouts(const Scene& scene, double row_error) {
  const auto& w = scene.w;
  const Heads& heads = *scene.model.heads;
  const double n = static_cast<double>(scene.model.n());
  const double kept = static_cast<double>(heads.mask().kept());
  const double memory = memory_bytes(scene.model);
  return {
      {"row_sum_error", w("Rows sum to 1 within"), row_error, fmt::format("{:.1e}", row_error),
       heads.kept ? w("The largest deviation over all rows of all heads; rounding to float leaves "
                      "about 1e-7")
                  : w("The largest deviation of the chosen query in all heads")},
      {"d_k", w("Width of a head d_k"), static_cast<double>(scene.model.d_k()),
       fmt::format("{}", scene.model.d_k()),
       w("The width divided by the number of heads, rounded down")},
      {"kept_pairs", w("Pairs kept by the mask"), kept, w.format("{:.0f} of {:.0f}", kept, n * n),
       w("Pairs of query and key whose weight is not exactly 0")},
      {"memory", w("Memory"), memory, bytes_text(memory),
       heads.kept ? w("Every weight of every head is kept")
                  : w("The weights are not kept: n times n would not fit. Each part is computed "
                      "when you look at it")}};
}

std::vector<Readout> entropy_readouts(const Scene& scene) {
  std::vector<Readout> result;
  for (Index head = 0; head < scene.p.heads; ++head) {
    const double entropy = mean_entropy(*scene.model.heads, head);
    result.push_back({fmt::format("entropy_{}", head + 1),
                      scene.w.format("Entropy of head {}", head + 1), entropy,
                      scene.w.format("{:.3f} nats", entropy),
                      scene.w("Mean over the queries of -Σ w ln w: 0 when each looks at one key, "
                              "ln n when at all keys alike")});
  }
  return result;
}

// In the small TeX of app/figure/formula.h; it follows the knobs.
std::string formula(const Parameters& p) {
  const bool cooled = p.temperature != 1;
  const std::string scores = "\\Q{Q}\\K{K}^{⊤}";
  const std::string below = std::string(cooled ? "T" : "") + (p.scaled ? "\\sqrt{d_{k}}" : "");
  const std::string inner = below.empty() ? scores : "\\frac{" + scores + "}{" + below + "}";
  return "\\softmax\\left(" + inner + (p.mask == MaskKind::full ? "" : " + M") + "\\right)\\V{V}";
}

std::string status(const Scene& scene) {
  return scene.w.format("n = {} · {} heads · d_model {} · d_k {} · seed {}", scene.model.n(),
                        scene.p.heads, scene.p.d_model, scene.model.d_k(), scene.p.seed);
}

std::vector<Card> cards(const words::Words& w) {
  return {{w("The heads' scores are added up and then go through one softmax."),
           w("Each head has a softmax of its own. Heads meet only after they have weighted their "
             "values: side by side, times W_O."),
           "Vaswani et al. 2017, section 3.2.2"},
          {w("Eight heads cost no more than one because they run in parallel."),
           w("Because each head is only d_model/8 wide: the arithmetic in total is the same, "
             "parallel or not."),
           "Vaswani et al. 2017, section 3.2.2"},
          {w("Padding queries are removed by setting their scores to 0 before softmax."),
           w("A row of zeros becomes the uniform row 1/n after softmax, and padding keys come "
             "back. Set the weights, or the output, to 0 after softmax."),
           w("Preset: a padding query sees nothing")}};
}

void add_notes(const Scene& scene, Page& page) {
  const Parameters& p = scene.p;
  const Index h = p.heads, d_k = scene.model.d_k(), n = scene.model.n();
  if (scene.model.sequence->cut) {
    page.notes.push_back(scene.w.format(
        "The text has more tokens: its first {} are used. Raise the length to see more.", n));
  }
  if (h * d_k < p.d_model) {
    page.notes.push_back(
        scene.w.format("{} heads do not divide {}: each is {} wide, so together {} of {} "
                       "dimensions; W_O maps them back.",
                       h, p.d_model, d_k, h * d_k, p.d_model));
  } else if (h * d_k > p.d_model) {
    page.notes.push_back(scene.w.format(
        "There are more heads than dimensions: each is 1 wide, together {} instead of {}.", h * d_k,
        p.d_model));
  }
  Index empty = 0;
  for (Index i = 0; i < n; ++i) empty += scene.model.heads->mask().range(i).size() == 0;
  if (empty > 0) {
    page.notes.push_back(scene.w.format(
        "{} queries see no key at all: their weights and outputs are 0, which is not a softmax.",
        empty));
  }
  if (scene.model.row.empty) {
    page.notes.push_back(scene.w.format("Query {} is one of them.", scene.model.query));
  }
}

Page empty_page(const Parameters& p, const words::Words& w) {
  Page page;
  page.formula = formula(p);
  page.cards = cards(w);
  page.notes.emplace_back(w("There is no token yet: type some text."));
  page.status = w.format("n = {} · {} heads · d_model {} · d_k {} · seed {}", 0, p.heads, p.d_model,
                         head_width(p), p.seed);
  return page;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  auto sequence = make_sequence(p, context);
  if (sequence->n() == 0) return empty_page(p, context.words);
  const Model model = make_model(p, std::move(sequence), context);
  const Scene scene{p, model, context.words};
  context.cancel.poll();
  const auto numbers = context.memo.get("head numbers", std::tuple(model.heads, model.head), [&] {
    return HeadNumbers{largest_weight(*model.heads, model.head),
                       score_variance(*model.projected, model.head, context.threads)};
  });
  const bool kept = model.heads->kept != nullptr;
  const auto row_error =
      context.memo.get("row sums", std::tuple(model.heads, kept ? Index{-1} : model.query),
                       [&] { return row_sum_error(*model.heads, model.query, context); });

  Page page;
  page.figures = figures(scene);
  page.readouts = chosen_readouts(scene, *numbers);
  for (auto&& more : {model_readouts(scene, *row_error), entropy_readouts(scene)}) {
    page.readouts.insert(page.readouts.end(), more.begin(), more.end());
  }
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::multi_head
