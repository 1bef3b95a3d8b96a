// LLaMA 1 to 3: Touvron et al. 2023, arXiv:2302.13971 and 2307.09288; Grattafiori et al. 2024,
// arXiv:2407.21783.
#include "core/checkpoint/architectures/gated_decoder.h"

namespace core::checkpoint {
namespace {

struct Llama : GatedDecoder {
  explicit Llama(Opening& o) : GatedDecoder(o, form_of(o.config)) {}

  static GatedForm form_of(const Config& config) {
    const bool biases = config.flag("attention_bias", false);
    return {
        .head_biases = biases, .output_bias = biases, .mlp_bias = config.flag("mlp_bias", false)};
  }
};

}  // namespace

std::unique_ptr<Model> open_llama(Opening& opening) { return ModelOf<Llama>::open(opening); }

}  // namespace core::checkpoint
