// The shown weight, unfolded down to the products of query and key.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/multi_head/page.h"

namespace lab::multi_head {
namespace {

// Why a pair is masked, in a sentence without its end: "key 10 comes after query 3".
std::string mask_reason(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index query = model.query, key = model.key;
  switch (p.mask) {
    case MaskKind::causal:
      return w.format("key {} comes after query {}", key, query);
    case MaskKind::local:
      return w.format("key {} is {} tokens from query {}, and the reach is {}", key,
                      std::abs(key - query), query, p.reach);
    case MaskKind::key_padding:
      return w.format("key {} is padding, which begins at {}", key, p.valid);
    case MaskKind::query_padding:
      return w.format("query {} is padding, which begins at {}", query, p.valid);
    case MaskKind::full:
      break;
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
      .about(fixed(model.row.scaled[to_size(model.key)], 4));
}

// How the order of tokens entered the numbers, where it did.
void explain_position(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  if (p.position == Position::rope) {
    lines.say(
        w.format("RoPE turned q by position {} and k by {}: the score knows their distance, "
                 "key minus query: {}",
                 model.query, model.key, model.key - model.query));
  } else if (p.position == Position::sinusoidal) {
    lines.say(
        w("Sines and cosines of both positions were added to the embeddings before q and k "
          "were made"));
  }
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string cell = fmt::format("w[{},{}]", model.query, model.key);
  Derivation lines(w);
  if (!scene.shown_allowed()) {
    lines.picked(cell, "0").line(
        "", {{w.format("masked: {}; its weight is exactly 0", mask_reason(scene)), Role::text,
              figure::TextStyle::body}});
    return {model.pinned ? w("The pinned weight") : w("This query has no weights"), lines.take()};
  }
  const SoftmaxRow row{
      .scores = model.row.scaled,
      .picked = to_size(model.key),
      .name = [&scene](std::size_t key) { return scene.name(static_cast<Index>(key)); },
      .allowed = model.row.allowed};
  const std::string score =
      lines.weight(cell, row).product("q·k", {.left = scene.q(), .right = scene.k()});
  explain_scaling(scene, score, lines);
  lines.normaliser(row);
  explain_position(scene, lines);
  return {model.pinned ? w("The pinned weight") : w("The largest weight of this query"),
          lines.take()};
}

}  // namespace lab::multi_head
