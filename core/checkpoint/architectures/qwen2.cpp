// Qwen2: Yang et al. 2024, arXiv:2407.10671. Biases of queries, keys and values alone.
#include "core/checkpoint/architectures/gated_decoder.h"

namespace core::checkpoint {
namespace {

constexpr Word<bool> kLayerTypes[] = {{"full_attention", false}, {"sliding_attention", true}};

struct Qwen2 : GatedDecoder {
  explicit Qwen2(Opening& o)
      : GatedDecoder(o, {.head_biases = true, .key_heads = 32, .context = 32768}) {
    set_windows(o, qwen_windows(o.config, o.facts.layers));
  }
};

}  // namespace

std::vector<Index> qwen_windows(const Config& config, Index layers) {
  std::vector<Index> windows(static_cast<std::size_t>(layers), 0);
  const auto types = config.texts("layer_types", layers);
  const bool on = config.flag("use_sliding_window", false);
  const bool null = config.has("sliding_window") && !config.gives("sliding_window");
  const Index window = !on || null ? 0 : config.size("sliding_window", 4096);
  const Index first = config.size("max_window_layers", 28, kMostSize, 0);
  for (Index l = 0; l < layers; ++l) {
    const auto at = static_cast<std::size_t>(l);
    bool slides = l >= first;
    if (types) {
      const Word<bool>* const known =
          std::find_if(std::begin(kLayerTypes), std::end(kLayerTypes),
                       [&](const Word<bool>& one) { return one.text == (*types)[at]; });
      if (known == std::end(kLayerTypes)) {
        config.refuse("layer_types", Message(N_("one of {}"), "full_attention, sliding_attention"));
      }
      slides = known->value;
    }
    if (slides) windows[at] = window;
  }
  return windows;
}

std::unique_ptr<Model> open_qwen2(Opening& opening) { return ModelOf<Qwen2>::open(opening); }

}  // namespace core::checkpoint
