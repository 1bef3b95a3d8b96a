#include "core/checkpoint/checkpoint.h"

#include <algorithm>
#include <limits>

#include "core/checkpoint/architecture.h"
#include "core/io/memory_bytes.h"
#include "core/io/safetensors.h"
#include "core/io/tensor_file.h"
#include "core/memory.h"
#include "core/text/printable.h"

namespace core::checkpoint {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const TensorFile> open_weights(const fs::path& folder, const Cancel& cancel) {
  std::error_code ignored;
  const fs::path whole = folder / "model.safetensors";
  if (fs::exists(whole, ignored)) return open_tensors(whole, cancel);
  const fs::path index = folder / "model.safetensors.index.json";
  if (fs::exists(index, ignored)) return open_tensors(index, cancel);
  const std::string name = printable(folder.string(), 400);
  for (const char* other : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.gguf"}) {
    if (!fs::exists(folder / other, ignored)) continue;
    throw InputError(Message(N_("{}: expected model.safetensors, or its shards and "
                                "model.safetensors.index.json, got {}: save it as safetensors"),
                             name, other));
  }
  throw InputError(Message(N_("{}: expected model.safetensors, or its shards and "
                              "model.safetensors.index.json, got neither"),
                           name));
}

const Architecture& architecture_of(const Config& config) {
  std::vector<Word<const Architecture*>> words;
  for (const Architecture& one : architectures()) words.push_back({one.type, &one});
  return *config.word<const Architecture*>("model_type", words);
}

void check_ids(const std::vector<std::int32_t>& ids, Index vocabulary) {
  for (const std::int32_t id : ids) {
    if (id < 0 || id >= vocabulary) {
      throw InputError(
          Message(N_("tokens: expected numbers from 0 to {}, got {}"), vocabulary - 1, id));
    }
  }
}

void check_length(const Message& what, std::size_t count, std::size_t wanted) {
  if (count == 0 || count == wanted) return;
  throw InputError(Message(N_("{}: expected one for each of the {} tokens, or none, got {}"), what,
                           wanted, count));
}

using OpenWeights = std::function<std::shared_ptr<const TensorFile>()>;

// The weights are not looked at unless the architecture is known.
std::shared_ptr<const Model> open_with(const Config& config, const OpenWeights& weights,
                                       const OpenOptions& options) {
  const Architecture& architecture = architecture_of(config);
  TensorNames names(weights(), Message::plain("config.json"));
  ModelFacts facts;
  facts.type = architecture.type;
  facts.name = architecture.name;
  Index most = options.most_bytes;
  if (most == 0) {
    const std::size_t machine = machine_memory();
    most = machine == 0 ? std::numeric_limits<Index>::max() : static_cast<Index>(machine / 2);
  }
  Opening opening{config, names, facts, most};
  return architecture.open(opening);
}

}  // namespace

std::shared_ptr<const Model> open_model(const fs::path& folder, const OpenOptions& options,
                                        const Cancel& cancel) {
  const Config config = Config::of_file(folder / "config.json", cancel);
  return open_with(
      config, [&] { return open_weights(folder, cancel); }, options);
}

std::shared_ptr<const Model> open_model(const ModelBytes& bytes, const OpenOptions& options,
                                        const Cancel& cancel) {
  const Config config = Config::of_text(std::string(bytes.config), bytes.name + "/config.json");
  const auto weights = [&] {
    const auto file = std::make_shared<TensorFile>();
    file->name = bytes.name + "/model.safetensors";
    Safetensors read =
        read_safetensors(std::make_shared<const MemoryBytes>(bytes.tensors), file->name, cancel);
    file->tensors = std::move(read.tensors);
    file->metadata = std::move(read.metadata);
    return file;
  };
  return open_with(config, weights, options);
}

void Model::check(const Input& input) const {
  if (input.tokens.empty()) {
    throw InputError(Message(N_("text: expected at least one token, got none")));
  }
  check_ids(input.tokens, facts_.vocabulary);
  check_ids(input.decoder_tokens, facts_.vocabulary);
  const auto n = static_cast<Index>(input.tokens.size());
  if (facts_.positions.limited && n > facts_.positions.context) {
    throw InputError(Message(N_("text: expected at most {} tokens, as many as the model has "
                                "positions, got {}"),
                             facts_.positions.context, n));
  }
  const bool segments = facts_.token_types > 0;
  if (!segments && (!input.token_types.empty() || !input.attention_mask.empty())) {
    throw InputError(Message(
        N_("text: expected no token types and no mask of padding, as {} has none, got them"),
        facts_.name));
  }
  check_length(Message(N_("token types")), input.token_types.size(), input.tokens.size());
  check_length(Message(N_("mask of padding")), input.attention_mask.size(), input.tokens.size());
  for (const std::int32_t type : input.token_types) {
    if (type >= 0 && type < facts_.token_types) continue;
    throw InputError(Message(N_("token types: expected numbers from 0 to {}, got {}"),
                             facts_.token_types - 1, type));
  }
  if (!input.attention_mask.empty() &&
      std::find(input.attention_mask.begin(), input.attention_mask.end(), true) ==
          input.attention_mask.end()) {
    throw InputError(Message(N_("text: expected at least one token that is no padding, got none")));
  }
  const bool decodes = facts_.kind == Kind::encoder_decoder;
  if (decodes == input.decoder_tokens.empty()) {
    throw InputError(
        decodes ? Message(N_("text: expected tokens for the decoder of {} too, the first one {}, "
                             "got none"),
                          facts_.name, facts_.decoder_start)
                : Message(N_("text: expected no tokens for a decoder, as {} has one stack alone, "
                             "got {}"),
                          facts_.name, input.decoder_tokens.size()));
  }
}

void Model::check_changes(bool parts, const std::vector<Index>& hidden, Index tokens) const {
  if ((parts || !hidden.empty()) && facts_.kind != Kind::decoder) {
    throw InputError(
        Message(N_("parts and hidden tokens: expected a decoder that reads one text, got {}"),
                facts_.name));
  }
  for (const Index one : hidden) {
    if (one >= 0 && one < tokens) continue;
    throw InputError(
        Message(N_("hidden tokens: expected places from 0 to {}, got {}"), tokens - 1, one));
  }
}

template <class S>
void Model::forward_into(const Input& input, Trace<S>& trace, const ForwardOptions<S>& options,
                         const Cancel& cancel) const {
  check(input);
  if ((options.first_position != 0 || options.turns) && !facts_.positions.rotary) {
    throw InputError(
        Message(N_("places: expected a model that turns queries and keys, got {}"), facts_.name));
  }
  if (options.first_position < 0) {
    throw InputError(
        Message(N_("places: expected a first place from 0 on, got {}"), options.first_position));
  }
  check_changes(options.keep_parts, options.hidden, static_cast<Index>(input.tokens.size()));
  Pass<S> pass(*weights_, input, options, trace, facts_.layers + facts_.decoder_layers, cancel);
  run(pass);
}
template void Model::forward_into(const Input&, Trace<float>&, const ForwardOptions<float>&,
                                  const Cancel&) const;
template void Model::forward_into(const Input&, Trace<double>&, const ForwardOptions<double>&,
                                  const Cancel&) const;

template <class S>
Trace<S> Model::forward(const Input& input, const ForwardOptions<S>& options,
                        const Cancel& cancel) const {
  Trace<S> trace;
  forward_into(input, trace, options, cancel);
  return trace;
}
template Trace<float> Model::forward(const Input&, const ForwardOptions<float>&,
                                     const Cancel&) const;
template Trace<double> Model::forward(const Input&, const ForwardOptions<double>&,
                                      const Cancel&) const;

template <class S>
MatrixOf<S> Model::read_out(const MatrixOf<S>& hidden, int threads, const Cancel& cancel) const {
  if (facts_.head.empty()) {
    throw InputError(
        Message(N_("logits: expected a model with a head, got {} without one"), facts_.name));
  }
  if (hidden.cols() != facts_.width) {
    throw InputError(
        Message(N_("logits: expected rows of {} numbers, got {}"), facts_.width, hidden.cols()));
  }
  const Input none;
  ForwardOptions<S> options;
  options.threads = threads;
  Trace<S> trace;
  Pass<S> pass(*weights_, none, options, trace, 1, cancel);
  return read_out(pass, hidden);
}
template Matrix Model::read_out(const Matrix&, int, const Cancel&) const;
template MatrixD Model::read_out(const MatrixD&, int, const Cancel&) const;

}  // namespace core::checkpoint
