#include "core/checkpoint/architecture.h"

#include "core/text/printable.h"

namespace core::checkpoint {

std::span<const Architecture> architectures() {
  static constexpr Architecture all[] = {
      {"gpt2", "GPT2", "GPT-2", open_gpt2},
      {"gpt_neox", "GPTNeoX", "GPT-NeoX", open_gpt_neox},
      {"llama", "Llama", "LLaMA", open_llama},
      {"mistral", "Mistral", "Mistral", open_mistral},
      {"qwen2", "Qwen2", "Qwen2", open_qwen2},
      {"qwen3", "Qwen3", "Qwen3", open_qwen3},
      {"bloom", "Bloom", "BLOOM", open_bloom},
      {"bert", "Bert", "BERT", open_bert},
      {"t5", "T5", "T5", open_t5},
      {"mt5", "MT5", "mT5", open_mt5},
  };
  return all;
}

bool Opening::is_a(std::initializer_list<std::string_view> endings) const {
  for (const std::string& name : config.texts_of("architectures")) {
    for (const std::string_view ending : endings) {
      if (name.ends_with(ending)) return true;
    }
  }
  return false;
}

bool Opening::may_lack_head() const {
  const bool with_head =
      is_a({"ForCausalLM", "LMHeadModel", "DoubleHeadsModel", "ForConditionalGeneration"});
  return bare || (config.gives("architectures") && !with_head);
}

Parameter Opening::embedding(std::initializer_list<std::string> all, const std::string& head,
                             bool usual) {
  for (const std::string& name : all) {
    if (names.has(name)) return names.matrix(name, facts.vocabulary, facts.width);
  }
  const std::string prefix = names.prefix();
  names.set_prefix("");
  const bool under_head = ties(usual) && names.has(head);
  if (!under_head) names.set_prefix(prefix);
  const Parameter made =
      names.matrix(under_head ? head : *all.begin(), facts.vocabulary, facts.width);
  names.set_prefix(prefix);
  return made;
}

Parameter Opening::head(const std::string& name, const Parameter& embedding, bool usual) {
  facts.tied = ties(usual);
  const bool lacks = may_lack_head();
  const std::string prefix = names.prefix();
  names.set_prefix("");
  const bool there = names.has(name);
  if (facts.tied && there && names.name_of(embedding) != name) {
    facts.tied = names.repeats(name, embedding, cancel);
    if (!facts.tied) {
      facts.remarks.push_back(Message(N_("config.json ties the output head to the embedding, but "
                                         "{} in the file has other numbers: these are used."),
                                      name));
    }
  }
  Parameter made = embedding;
  if (!facts.tied) {
    made = !there && lacks ? Parameter{}
                           : names.matrix(name, facts.vocabulary, facts.width,
                                          Message(N_("as the head is not tied to the embedding")));
  }
  names.set_prefix(prefix);
  if (made) facts.head = names.name_of(made);
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
  facts.buffers = names.unread(TensorNames::Unread::buffers);
  facts.without_effect = names.unread(TensorNames::Unread::without_effect);
  facts.left_over = names.unread(TensorNames::Unread::left_over);
  facts.unread_settings = config.unread_settings();
  const std::vector<std::string> biases = names.unread_biases();
  if (biases.empty()) return;
  facts.remarks.push_back(
      Message(N_("The file has biases that neither its architecture nor config.json declares: {} "
                 "in all, {} the first. They are not used."),
              biases.size(), printable(biases.front())));
}

}  // namespace core::checkpoint
