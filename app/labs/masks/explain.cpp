// Why a pair is kept or not, what its weight is made of, and how far its information has come.
#include "app/labs/masks/page.h"

namespace lab::masks {
namespace {

using figure::Span;

Explanation empty_row(const Scene& scene) {
  const Index i = scene.model.query;
  Derivation d(scene.w);
  d.picked("w", "0").say(scene.w.format(
      "No key is kept in row {}: its weights and its output are exactly 0. A softmax of nothing is "
      "not defined; filling in a large negative number would give 1/n instead.",
      i));
  return {scene.w.format("Query {} sees nothing", i), d.take()};
}

Span verdict(const Scene& scene, bool yes) {
  return {yes ? scene.w("yes") : scene.w("no"), yes ? Role::good : Role::bad, TextStyle::mono_bold};
}

std::string letter_of(std::size_t item) { return {static_cast<char>('a' + item)}; }

// The verdict of one item.
bool explain_part(const Scene& scene, std::size_t k, Derivation& d) {
  const auto& [p, model, w] = scene;
  const Reason why = reason(p.stack[k], model.query, *model.key, pattern_inputs(p, *model.content),
                            *model.composition->parts[k].alone, w);
  Span said = verdict(scene, why.kept);
  said.style = TextStyle::mono;
  said.text = w.format("{}: {}", said.text, why.because);
  d.line(letter_of(k), {plain(item_name(p.stack[k], w))}).line("", {std::move(said)});
  return why.kept;
}

bool joined(bool above, bool item, Join how) {
  if (how == Join::unite) return above || item;
  return above && (how == Join::intersect ? item : !item);
}

void explain_layer(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  const std::size_t k = p.item_of(p.layers);
  d.say(w.format("Layers take turns: layer {} has the mask of item {}.", p.layers, k + 1));
  if (model.composition->parts[k].alone) explain_part(scene, k, d);
}

void explain_stack(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  std::string formula;
  std::vector<Span> numbers{plain("= ")};
  bool sum = true;
  for (std::size_t k = 0; k < p.stack.size(); ++k) {
    if (!model.composition->parts[k].alone) {
      d.say(w.format("{} is left out", item_name(p.stack[k], w)));
      continue;
    }
    const bool kept = explain_part(scene, k, d);
    if (!formula.empty()) {
      const Join join = join_of(p.stack[k]);
      const std::string between = fmt::format(" {} ", w(join_name(join)));
      formula += between;
      numbers.push_back(dim(between));
      sum = joined(sum, kept, join);
    } else {
      sum = kept;
    }
    formula += letter_of(k);
    numbers.push_back(verdict(scene, kept));
  }
  if (formula.empty()) {
    d.say(w("Nothing is left of the mask: every pair is kept."));
  } else if (p.stack.size() > 1) {
    d.begin(w("kept"), formula).say(w("joined from the left, one after another"));
    d.line("", std::move(numbers));
  }
  d.line(w("kept"), {plain("= "), verdict(scene, sum)});
}

// Softmax over the kept keys, in double.
void explain_weight(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  const Row& row = *model.row;
  const Index i = model.query, j = *model.key;
  const auto at = std::lower_bound(row.keys.begin(), row.keys.end(), static_cast<std::int32_t>(j));
  const SoftmaxRow softmax{.scores = row.scores,
                           .picked = to_size(at - row.keys.begin()),
                           .name = [&](std::size_t k) { return scene.name(row.keys[k]); }};
  const VectorD q = model.content->Q.row(i).cast<double>(),
                k = model.content->K.row(j).cast<double>();
  const bool cooled = p.temperature != 1;
  d.weight(fmt::format("w[{},{}]", i, j), softmax);
  d.begin("s", cooled ? "q·k / √d / T" : "q·k / √d")
      .about(fmt::format("{} / √{}{}", fixed(q.dot(k), 5), q.size(),
                         cooled ? " / " + significant(p.temperature) : ""))
      .about(row.scores[softmax.picked], 5);
  d.product("q·k", {{q.begin(), q.end()}, {k.begin(), k.end()}});
  d.normalizer(softmax);
}

// Through which tokens the key's information came: from the last layer back to the first.
std::vector<Index> path(const Scene& scene, int layers) {
  const Model& model = scene.model;
  const core::Reach& reach = model.reached->reach;
  const auto masks = layer_masks(scene.p, *model.composition);
  std::vector<Index> tokens{model.query};
  for (int layer = layers; layer > 0; --layer) {
    const auto there = [&](Index token) {
      return layer == 1 ? token == *model.key : reach.after[to_size(layer - 2)](token, *model.key);
    };
    const Index at = tokens.back();
    if (scene.p.residual && there(at)) {
      tokens.push_back(at);
      continue;
    }
    std::vector<std::int32_t> keys;
    masks[to_size(layer - 1) % masks.size()]->keys_into(at, keys);
    const auto next = std::find_if(keys.begin(), keys.end(), there);
    if (next == keys.end()) break;  // cannot be: the pair is connected
    tokens.push_back(*next);
  }
  return tokens;
}

void explain_reach(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  const float first = model.reached->first(model.query, *model.key);
  if (core::is_masked(first)) {
    d.say(w.format("Key {} does not reach query {} by layer {}.", *model.key, model.query,
                   kMostLayers));
    return;
  }
  const int layers = to_int(first);
  if (layers == 0) return;
  d.say(w.format("Key {} first reaches query {} after layer {}:", *model.key, model.query, layers));
  std::vector<Span> line;
  const std::vector<Index> tokens = path(scene, layers);
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (k > 0) line.push_back(dim(" ← "));
    const Role role = k == 0 ? Role::query : k + 1 == tokens.size() ? Role::key : Role::text;
    line.push_back({fmt::format("{}", tokens[k]), role});
  }
  d.line("", std::move(line));
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (!model.key) return empty_row(scene);
  const Index i = model.query, j = *model.key;
  Derivation d(w);
  p.alternates() ? explain_layer(scene, d) : explain_stack(scene, d);
  if (scene.kept()) {
    explain_weight(scene, d);
  } else {
    d.picked(fmt::format("w[{},{}]", i, j), "0")
        .say(w("Not small but absent: it is not computed."));
  }
  if (model.reached) explain_reach(scene, d);
  return {scene.kept() ? w.format("Why query {} sees key {}", i, j)
                       : w.format("Why query {} does not see key {}", i, j),
          d.take()};
}

}  // namespace lab::masks
