// What masks and fills made of the picked weight.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using writing::equation, writing::heading, writing::result, writing::say;

std::vector<bool> allowed_of(const core::Mask& mask, Index query) {
  std::vector<bool> allowed;
  for (Index j = 0; j < mask.cols(); ++j) allowed.push_back(mask.allowed(query, j));
  return allowed;
}

// The right weight: softmax over the keys that are left.
void write_right(const Scene& scene, const VectorD& scores, const std::vector<bool>& allowed,
                 double weight, Lines& lines) {
  heading(lines, scene.w("Left out"));
  if (std::find(allowed.begin(), allowed.end(), true) == allowed.end()) {
    say(lines,
        scene.w("No key is left: there is no softmax, and the weights are 0 by definition."));
    result(lines, "= 0");
    return;
  }
  WrittenSoftmax written{scores};
  written.picked = scene.p.key;
  written.first = 0;
  written.takes_part = allowed;
  written.weight = weight;
  write_softmax(scene.w, written, lines);
}

void write_row(const Scene& scene, const VectorD& scores, double weight, Lines& lines) {
  WrittenSoftmax written{scores};
  written.picked = scene.p.key;
  written.first = 0;
  written.weight = weight;
  write_softmax(scene.w, written, lines);
}

// What this way does to a hidden key, in a sentence.
std::string_view way_sentence(Way way) {
  switch (way) {
    case Way::left_out:
      return N_("Only visible keys are summed: a hidden one has weight 0 whatever its score is.");
    case Way::million:
    case Way::two_to_32:
      return N_(
          "The fill is a number like any other. It hides a key only while the visible scores lie "
          "far above it.");
    case Way::infinity:
      return N_(
          "exp(-∞) = 0 hides every key, until none is left: then the largest score is -∞ too.");
    case Way::scores_times_mask:
      return N_("A hidden key has the score 0, not -∞, and exp(0) = 1 stays in the sum.");
    case Way::weights_times_mask:
      return N_("The sum still has the hidden keys in it: what is left no longer adds up to 1.");
    case Way::renormalised:
      break;
  }
  return N_(
      "Divided by what is left, the weights are right, unless the hidden keys had taken all: then "
      "0/0.");
}

}  // namespace

Explanation explain_length(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = scene.sequence();
  const int length = p.lengths[p.length_at(p.sequence - 1, p.query)];
  Explanation out{w.format("Sequence {}: query {}, key {}", p.sequence, p.query, p.key), {}};
  Lines& lines = out.lines;
  equation(lines, w.format("length"), fmt::format("= {}", length));
  if (length > p.keys) say(lines, w("Longer than the row: all keys are real."));
  equation(lines, w.format("key {}", p.key),
           p.key < length ? fmt::format("{} < {}: ", p.key, length) + w("real")
                          : fmt::format("{} ≥ {}: ", p.key, length) + w("padding"));
  equation(lines, w.format("score"), "= " + score_text(one.scores(p.query, p.key)));
  heading(lines, w.format("Overwritten by {}", scene.fill_name()));
  write_row(scene, one.filled.row(p.query), one.of_fill(p.query, p.key), lines);
  write_right(scene, one.scores.row(p.query), allowed_of(one.mask, p.query),
              one.right(p.query, p.key), lines);
  return out;
}

Explanation explain_steps(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  const Index i = p.query, j = p.key;
  Explanation out{w.format("Query {}, key {}, step by step", p.query, p.key), {}};
  Lines& lines = out.lines;
  equation(lines, w.format("score"), "= " + score_text(s.scores(i, j)));
  if (p.key_mask) {
    equation(lines, w.format("key mask"),
             "→ " + score_text(s.after_keys(i, j)) + (p.key < p.valid ? "" : "  ") +
                 std::string(p.key < p.valid ? "" : w("padding")));
  }
  if (p.future_mask) {
    equation(lines, w.format("future mask"),
             "→ " + score_text(s.after_future(i, j)) +
                 (j > i ? "  " + w("after the query") : std::string()));
  }
  const bool padding = p.query >= p.valid;
  if (padding && p.multiplies_scores()) {
    equation(lines, w.format("query mask"), "× 0 → " + score_text(s.before_softmax(i, j)));
    say(lines, w("Every score of the row is 0 now, fills included: softmax makes it uniform, and "
                 "hidden keys come back."));
  }
  heading(lines, w("Softmax of the row"));
  write_row(scene, s.before_softmax.row(i), s.softmax(i, j), lines);
  if (padding && p.multiplies_weights()) {
    equation(lines, w.format("query mask"), "× 0 → " + weight_text(s.weights(i, j)));
    if (std::isnan(s.weights(i, j))) say(lines, w("0 times NaN is NaN: a product hides nothing."));
  }
  write_right(scene, s.scores.row(i), allowed_of(s.mask, i), s.right(i, j), lines);
  return out;
}

Explanation explain_way(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Hidden& hidden = scene.hidden();
  const Index k = scene.weight();
  const bool seen = p.weight <= p.visible;
  Explanation out{
      w.format("Weight {}: {}, {}", p.weight, scene.way_name(p.way), scene.arithmetic_name()), {}};
  Lines& lines = out.lines;
  say(lines, w(way_sentence(p.way)));
  equation(lines, w.format("key {}", p.weight), seen ? w("visible") : w("hidden"));
  equation(lines, w.format("score"), fmt::format("= {:.3f} - {:.6g}", p.x(k), p.lowered));
  equation(
      lines, w.format("stored"),
      "= " + score_text(m.fills->formats[static_cast<std::size_t>(p.arithmetic)][0].scores(k)));
  if (hidden.scores(k) != m.fills->x(k) && !seen) {
    equation(lines, w.format("before softmax"), "= " + score_text(hidden.scores(k)));
  }
  WrittenSoftmax written{hidden.scores};
  written.picked = k;
  const bool multiplied = p.way == Way::weights_times_mask || p.way == Way::renormalised;
  if (p.way == Way::left_out) {
    for (Index j = 0; j < scene.n(); ++j) written.takes_part.push_back(j < p.visible);
    if (p.visible == 0)
      say(lines, w("No key is left: there is no softmax, and the weights are 0 by definition."));
  }
  if (!multiplied) {
    written.weight = hidden.weights(k);
    write_softmax(w, written, lines);
  } else {
    const Hidden& unmasked = m.fills->unmasked[static_cast<std::size_t>(p.arithmetic)];
    written.weight = unmasked.weights(k);
    write_softmax(w, written, lines);
    equation(lines, w.format("× mask"),
             fmt::format("= {} · {} = {}", weight_text(unmasked.weights(k)), seen ? 1 : 0,
                         weight_text(seen ? unmasked.weights(k) : 0)));
    if (p.way == Way::renormalised) {
      equation(lines, w.format("÷ what is left"),
               fmt::format("{} / {}", weight_text(seen ? unmasked.weights(k) : 0),
                           weight_text(unmasked.weights.head(p.visible).sum())));
    }
    result(lines, "= " + weight_text(hidden.weights(k)));
  }
  equation(lines, w.format("right"), "= " + weight_text(m.fills->right(k)));
  return out;
}

}  // namespace lab::softmax
