#include "core/checkpoint/architecture.h"

namespace core::checkpoint {

std::span<const Architecture> architectures() {
  static constexpr Architecture all[] = {
      {"gpt2", "GPT-2", open_gpt2},   {"gpt_neox", "GPT-NeoX", open_gpt_neox},
      {"llama", "LLaMA", open_llama}, {"mistral", "Mistral", open_mistral},
      {"qwen2", "Qwen2", open_qwen2}, {"qwen3", "Qwen3", open_qwen3},
      {"bloom", "BLOOM", open_bloom}, {"bert", "BERT", open_bert},
      {"t5", "T5", open_t5},          {"mt5", "mT5", open_mt5},
  };
  return all;
}

Parameter Opening::head(const std::string& name, const Parameter& embedding, bool usual) {
  facts.tied = config.flag("tie_word_embeddings", usual);
  if (facts.tied) {
    facts.head = names.name_of(embedding);
    return embedding;
  }
  const std::string prefix = names.prefix();
  names.set_prefix("");
  const Parameter made = names.matrix(name, facts.vocabulary, facts.width,
                                      Message(N_("as the head is not tied to the embedding")));
  names.set_prefix(prefix);
  facts.head = names.name_of(made);
  return made;
}

Linear Opening::linear(const std::string& name, Index outputs, Index inputs, bool bias) {
  Linear made{names.matrix(name + ".weight", outputs, inputs), {}};
  if (bias) made.bias = names.vector(name + ".bias", outputs);
  return made;
}

Norm Opening::layer_norm(const std::string& name, Index size, double epsilon) {
  return {names.vector_of({name + ".weight", name + ".gamma"}, size),
          names.vector_of({name + ".bias", name + ".beta"}, size), epsilon, true};
}

Norm Opening::rms_norm(const std::string& name, Index size, double epsilon) {
  return {names.vector(name + ".weight", size), {}, epsilon, false};
}

// A parameter that two parts read is declared once.
void Opening::finish() {
  facts.end = config.token("eos_token_id", facts.vocabulary);
  for (const Declared& one : names.declared()) facts.parameters += one.rows * one.cols;
  facts.buffers = names.unread_buffers();
  facts.left_over = names.left_over();
}

}  // namespace core::checkpoint
