// Mistral: Jiang et al. 2023, arXiv:2310.06825. A query sees the last W keys, its own among them,
// in every layer; releases between 4.40 and 4.42 of the published code let it see one more.
#include "core/checkpoint/architectures/gated_decoder.h"

namespace core::checkpoint {
namespace {

struct Mistral : GatedDecoder {
  explicit Mistral(Opening& o) : GatedDecoder(o, {.key_heads = 8, .context = 4096 * 32}) {
    // Missing is not null here: then the class has a window of its own.
    constexpr std::string_view kKey = "sliding_window";
    const bool none = o.config.has(kKey) && !o.config.gives(kKey);
    const Index window = none ? 0 : o.config.size(kKey, 4096);
    set_windows(o, std::vector<Index>(static_cast<std::size_t>(o.facts.layers), window));
  }
};

}  // namespace

std::unique_ptr<Model> open_mistral(Opening& opening) { return ModelOf<Mistral>::open(opening); }

}  // namespace core::checkpoint
