// The attention that is shown as files of arrays and tokens, for the lab of one's own tensors.
#include <nlohmann/json.hpp>

#include "app/labs/checkpoint/page.h"
#include "core/heads/head_arrays.h"

namespace lab::checkpoint {
namespace {

using core::heads::NumberArray;

// Written while a person waits, so not more than that.
constexpr double kMostBytes = Index{64} << 20;

// All layers, or the one that is shown where all are too much; none where that is, too.
std::vector<Index> kept_layers(const Model& model) {
  std::vector<Index> layers;
  for (Index l = 0; l < model.layers(); ++l) {
    if (model.attending(l)) layers.push_back(l);
  }
  const double one =
      4 * to_double(model.facts().heads) * to_double(model.queries()) * to_double(model.keys());
  if (one * to_double(layers.size()) > kMostBytes) layers = {model.place.layer};
  return one * to_double(layers.size()) > kMostBytes ? std::vector<Index>() : layers;
}

// Whether q . k / sqrt(width) is all that softmax is taken of, as who opens the arrays takes it.
bool products_alone(const Model& model) {
  const auto& positions = model.positions();
  const double width = to_double(model.facts().head_width);
  return positions.slopes.size() == 0 && positions.buckets.empty() &&
         std::abs(model.attending()->scale * std::sqrt(width) - 1) < 1e-6;
}

std::string arrays_of(const Model& model, const std::vector<Index>& layers) {
  const auto& facts = model.facts();
  const auto count = to_index(layers.size());
  const Index n = model.queries(), m = model.keys();
  NumberArray attention{"attention", {count, facts.heads, n, m}};
  NumberArray q{"q", {count, facts.heads, n, facts.head_width}};
  NumberArray k{"k", {count, facts.key_heads, m, facts.head_width}};
  attention.values.reserve(to_size(count * facts.heads * n * m));
  for (const Index layer : layers) {
    const auto& attending = *model.attending(layer);
    for (const auto& head : attending.weights) attention.add(head.data(), n * m);
    q.add_heads(attending.queries, facts.heads);
    k.add_heads(attending.keys, facts.key_heads);
  }
  std::vector<NumberArray> arrays{std::move(attention)};
  if (products_alone(model)) arrays.insert(arrays.end(), {std::move(q), std::move(k)});
  return core::heads::safetensors_of(arrays);
}

JumpFile tokens_file(const char* knob, const Scene& scene, const std::vector<std::int32_t>& ids) {
  return {knob, ".json",
          [names = scene.names(ids)] { return nlohmann::json(*names).dump() + "\n"; }};
}

}  // namespace

std::optional<Jump> tensors_jump(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (!model.reading || !model.reading->whole || !model.attending()) return {};
  const std::vector<Index> layers = kept_layers(model);
  if (layers.empty()) return {};
  const bool all = to_index(layers.size()) == model.layers();
  Jump jump{.lab = "tensors",
            .label = w("Your tensors"),
            .help = all ? w("The weights of all heads as arrays: rollout, differences, links, "
                            "filters and more statistics")
                        : w.format("The weights of layer {} as arrays, for those of all would be "
                                   "too long a file: differences, links, filters and more "
                                   "statistics",
                                   model.place.layer + 1),
            .sets = {{"layer", fmt::format("{}", all ? model.place.layer + 1 : 1)},
                     {"order", "lhqk"},
                     {"vector_order", "lhtd"},
                     {"head", fmt::format("{}", model.place.head + 1)},
                     {"query", fmt::format("{}", model.query)}}};
  jump.files = {
      {"file", ".safetensors", [model = model, layers] { return arrays_of(model, layers); }},
      tokens_file("tokens_file", scene, model.query_ids())};
  if (model.place.cross) {
    jump.files.push_back(tokens_file("key_tokens_file", scene, model.key_ids()));
  }
  return jump;
}

}  // namespace lab::checkpoint
