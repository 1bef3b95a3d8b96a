// Qwen3: Yang et al. 2025, arXiv:2505.09388. Each head's queries and keys are normed before they
// are turned, and no projection of the heads has a bias unless it is asked for.
#include "core/checkpoint/architectures/gated_decoder.h"

namespace core::checkpoint {
namespace {

struct Qwen3 : GatedDecoder {
  explicit Qwen3(Opening& o) : GatedDecoder(o, form_of(o.config)) {
    set_windows(o, qwen_windows(o.config, o.facts.layers));
  }

  static GatedForm form_of(const Config& config) {
    const bool biases = config.flag("attention_bias", false);
    return {.head_biases = biases,
            .output_bias = biases,
            .norms_heads = true,
            .key_heads = 32,
            .head_width = 128,
            .context = 32768};
  }
};

}  // namespace

std::unique_ptr<Model> open_qwen3(Opening& opening) { return ModelOf<Qwen3>::open(opening); }

}  // namespace core::checkpoint
