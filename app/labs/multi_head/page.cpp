#include "app/labs/multi_head/page.h"
#include "app/labs/shared/text/text.h"
#include "core/text/characters.h"

namespace lab::multi_head {
namespace {

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Heads& heads = *model.heads;
  const HeadNumbers& numbers = *model.numbers;
  const double share = mean_entropy_share(heads, model.head), d_k = to_double(model.d_k());
  const double square = to_double(heads.scale()) * to_double(heads.scale());
  const double n = to_double(model.n()), kept = to_double(heads.mask().kept());
  const double memory = memory_bytes(model);
  const double one_softmax = one_softmax_error(model), stacked = stacked_error(model);
  std::vector<Readout> list = {
      {"entropy_share", w("Entropy, share of its maximum"), share,
       fmt::format("{:.0f} %", 100 * share),
       w("0: every query attends to one key; 100 %: to all keys equally. For the chosen head, over "
         "the queries that see at least two keys")},
      {"largest_weight", w("Largest weight"), numbers.largest_weight,
       w.format("{:.3f} at query {}, key {}", numbers.largest_weight, numbers.query, numbers.key),
       w("The largest weight of the chosen head, and where it is, among the queries that see at "
         "least two keys")},
      {"score_variance", w("Variance of q·k"), numbers.variance,
       w.format("{:.2f}; independent: {}", numbers.variance, model.d_k()),
       w("Over all pairs, including masked ones. Independent numbers of variance 1 give d_k "
         "(Vaswani et al., footnote 4)")},
      {"scaled_variance", w("Variance after scaling"), numbers.variance * square,
       w.format("{:.2f}; independent: {:.2f}", numbers.variance * square, d_k * square),
       w("What the softmax sees. For independent numbers, dividing by √d_k makes it 1, whatever "
         "the width")},
      {"row_sum_error", w("Rows sum to 1 within"), model.row_error,
       fmt::format("{:.1e}", model.row_error),
       heads.kept ? w("The largest deviation over all rows of all heads; rounding to float leaves "
                      "about 1e-7")
                  : w("The largest deviation for the chosen query in all heads")},
      {"d_k", w("Width of a head d_k"), d_k, fmt::format("{}", model.d_k()),
       w("The width divided by the number of heads, rounded down")},
      {"one_softmax", w("Scores added up: weights differ by"), one_softmax,
       fmt::format("{:.3f}", one_softmax),
       w("With all heads' scores added up and one softmax: the largest difference from a head's "
         "own weight, for the chosen query")},
      {"stacked", w("Heads interleaved: output differs by"), stacked,
       fmt::format("{:.3f}", stacked),
       w("If dimension 1 of every head came first, then dimension 2 of every head, before the same "
         "W_O: the largest difference in the output of the chosen query")},
      {"kept_pairs", w("Pairs kept by the mask"), kept, w.format("{:.0f} of {:.0f}", kept, n * n),
       w("Pairs of query and key that the mask lets through; the weight of every other pair is "
         "exactly 0")},
      {"memory", w("Memory"), memory, bytes_text(memory),
       heads.kept ? w("Every weight of every head is kept")
                  : w("The weights are not kept: n times n would not fit. Each part is computed "
                      "when it is viewed")}};
  for (Index head = 0; head < p.heads; ++head) {
    const double entropy = mean_entropy(heads, head);
    list.push_back({fmt::format("entropy_{}", head + 1), w.format("Entropy of head {}", head + 1),
                    entropy, w.format("{:.3f} nats", entropy),
                    w("Mean over the queries of -Σ w ln w: 0 when each attends to one key, ln n "
                      "when to all keys equally")});
  }
  return list;
}

// In the small TeX of app/figure/formula.h; it follows the knobs.
std::string formula(const Parameters& p) {
  const std::string scores = "\\Q{Q}\\K{K}^{⊤}";
  const std::string below =
      std::string(p.temperature != 1 ? "T" : "") + (p.scaled ? "\\sqrt{d_{k}}" : "");
  const std::string inner = below.empty() ? scores : "\\frac{" + scores + "}{" + below + "}";
  return "\\softmax\\left(" + inner + (p.mask == MaskKind::full ? "" : " + M") + "\\right)\\V{V}";
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.n();
  if (n == 0) return {w("There is no token yet: type some text.")};
  std::vector<std::string> all;
  if (model.sequence->cut) {
    all.push_back(w.format(
        "The text has more tokens: its first {} are used. Raise the length to see more.", n));
  }
  const Index d_k = model.d_k(), together = p.heads * d_k;
  if (together < p.d_model) {
    all.push_back(
        w.format("{} heads do not divide {}: each is {} wide, so together {} of {} dimensions; W_O "
                 "maps them back.",
                 p.heads, p.d_model, d_k, together, p.d_model));
  } else if (together > p.d_model) {
    all.push_back(
        w.format("There are more heads than dimensions: each is 1 wide, together {} instead of {}.",
                 together, p.d_model));
  }
  Index empty = 0;
  for (Index i = 0; i < n; ++i) empty += model.heads->mask().range(i).size() == 0;
  if (empty > 0) {
    all.push_back(
        w.format("Queries that see no key at all: {}. Their weights and outputs are 0, which is "
                 "not a softmax.",
                 empty));
  }
  if (model.row.empty) all.push_back(w.format("Query {} is one of them.", model.query));
  return all;
}

// Why a pair is masked, in a sentence without its end: "key 10 comes after query 3".
std::string mask_reason(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index query = model.query, key = model.key;
  switch (p.mask) {
    case MaskKind::causal: return w.format("key {} comes after query {}", key, query);
    case MaskKind::local:
      return w.format("key {} is at distance {} from query {}, and the reach is {}", key,
                      std::abs(key - query), query, p.reach);
    case MaskKind::key_padding:
      return w.format("key {} is padding, which begins at {}", key, p.valid);
    case MaskKind::query_padding:
      return w.format("query {} is padding, which begins at {}", query, p.valid);
    case MaskKind::full: break;
  }
  return {};
}

// From q.k to what enters the softmax.
void explain_scaling(const Scene& scene, const std::string& score, Derivation& lines) {
  const auto& [p, model, w] = scene;
  if (!scene.divides()) return;
  std::vector<figure::Span> formula = {
      plain("= "), {"q", Role::query}, plain("·"), {"k", Role::key}};
  std::string numbers = score;
  if (p.scaled) {
    formula.push_back(plain(" / √d_k"));
    numbers += fmt::format(" / √{}", model.d_k());
  }
  if (p.temperature != 1) {
    formula.push_back(plain(" / T"));
    numbers += fmt::format(" / {}", p.temperature);
  }
  lines.line("s", std::move(formula))
      .about(std::move(numbers))
      .about(model.row.scaled[to_size(model.key)], 4);
}

// How the order of tokens entered the numbers, where it did.
void explain_position(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  if (p.position == Position::rope) {
    lines.say(
        w.format("RoPE rotated q by position {} and k by {}: the score depends on their distance, "
                 "key minus query: {}",
                 model.query, model.key, model.key - model.query));
  } else if (p.position == Position::sinusoidal) {
    lines.say(
        w("Sines and cosines of both positions were added to the embeddings before q and k were "
          "computed"));
  }
}

// The same text in a model that has read.
Jump trained_jump(const Parameters& p, const Words& w) {
  const char* model = core::mostly_ideographs(p.text) ? "chinese" : "english";
  return {.lab = "gpt_inside",
          .label = w("In a trained model"),
          .help = w("What the heads of a small model that has read do with this text, and which "
                    "word it expects next"),
          .sets = {{"from", "published"}, {"published", model}, {"text", p.text}}};
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.formula = formula(p);
  page.cards = cards("multi_head", scene.w);
  page.notes = notes(scene);
  find_length(p, model.n(), model.sequence->cut, scene.w, page);
  page.status = scene.w.format("n = {} · heads {} · d_model {} · d_k {} · seed {}", model.n(),
                               p.heads, p.d_model, head_width(p.d_model, p.heads), p.seed);
  if (model.n() == 0) return page;
  page.figures = figures(scene);
  page.made_up = made_up(p, p.projection != Projection::random, scene.w);
  page.readouts = readouts(scene);
  page.explanation = explain(scene);
  if (p.is_text()) page.jumps.push_back(trained_jump(p, scene.w));
  return page;
}

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string cell = fmt::format("w[{},{}]", model.query, model.key);
  Derivation lines(w);
  if (!scene.shown_allowed()) {
    lines.picked(cell, "0").line(
        "", {{w.format("masked: {}; its weight is exactly 0", mask_reason(scene)), Role::text,
              TextStyle::body}});
    return {model.pinned ? w("The pinned weight") : w("This query has no weights"), lines.take()};
  }
  const SoftmaxRow row{.scores = model.row.scaled,
                       .picked = to_size(model.key),
                       .name = [&scene](std::size_t key) { return scene.name(to_index(key)); },
                       .allowed = model.row.allowed};
  const std::string score =
      lines.weight(cell, row).product("q·k", {.left = scene.q(), .right = scene.k(), .digits = 0});
  explain_scaling(scene, score, lines);
  lines.normalizer(row);
  explain_position(scene, lines);
  return {model.pinned ? w("The pinned weight") : w("The largest weight of this query"),
          lines.take()};
}

}  // namespace lab::multi_head
