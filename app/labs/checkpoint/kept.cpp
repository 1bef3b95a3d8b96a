// The attention that is shown as files of arrays and tokens, for the lab of one's own tensors.
#include <nlohmann/json.hpp>

#include "app/labs/checkpoint/page.h"
#include "core/checkpoint/inside/head_arrays.h"

namespace lab::checkpoint {
namespace {

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

std::string arrays_of(const Model& model, const std::vector<Index>& layers) {
  const auto& trace = model.reading->trace;
  return core::heads::safetensors_of(core::checkpoint::head_arrays(
      model.facts(), model.place.encoder ? trace.encoder : trace.decoder, model.place.cross,
      layers));
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
  Jump jump{
      .lab = "tensors",
      .label = w("Your tensors"),
      .help = all ? w("The weights of all heads as arrays: rollout, differences, links, filters "
                      "and more statistics")
                  : w.format("The weights of layer {} as arrays, for those of all would be too "
                             "long a file: differences, links, filters and more statistics",
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
