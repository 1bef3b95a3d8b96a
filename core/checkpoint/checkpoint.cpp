#include "core/checkpoint/checkpoint.h"

#include <algorithm>
#include <limits>

#include "core/checkpoint/architecture.h"
#include "core/io/memory_bytes.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/what_lies.h"
#include "core/refuse.h"
#include "core/system/memory.h"
#include "core/text/lower_case.h"
#include "core/text/printable.h"

namespace core::checkpoint {
namespace {

namespace fs = std::filesystem;

// A model is all of its tensors.
std::shared_ptr<const TensorFile> open_whole(const fs::path& path, const Cancel& cancel) {
  auto file = open_tensors(path, cancel);
  if (!file->unread.empty()) throw InputError(file->unread.front().why);
  return file;
}

constexpr std::string_view kWeights = "model.safetensors";

// "model-00001-of-00003.safetensors" and all others of three; empty: some are not there.
std::vector<std::string> all_shards(const fs::path& folder) {
  std::vector<std::string> shards = names_in(folder);
  std::erase_if(shards, [](const std::string& name) {
    return !name.starts_with("model-") || !is_shard(name);
  });
  if (shards.empty()) return {};
  const std::string& last = shards.back();
  const std::string count = last.substr(last.find("-of-") + 4, 5);
  const bool whole = last.starts_with("model-" + count + "-of-") &&
                     std::to_string(shards.size()) ==
                         count.substr(std::min(count.find_first_not_of('0'), count.size()));
  return whole ? shards : std::vector<std::string>();
}

// Without an index each name is in one of them.
std::shared_ptr<const TensorFile> open_all(const fs::path& folder,
                                           const std::vector<std::string>& shards,
                                           const Cancel& cancel) {
  const auto all = std::make_shared<TensorFile>();
  all->name = printable((folder / kWeights).string(), 400);
  for (const std::string& shard : shards) {
    const auto one = open_whole(folder / shard, cancel);
    for (const Tensor& tensor : one->tensors) {
      if (all->find(tensor.name)) {
        throw InputError(Message(N_("{}: expected each name in only one shard, got \"{}\" in two"),
                                 all->name, printable(tensor.name)));
      }
      all->tensors.push_back(tensor);
    }
  }
  return all;
}

std::shared_ptr<const TensorFile> open_weights(const fs::path& folder, const Cancel& cancel) {
  std::error_code ignored;
  const fs::path whole = folder / kWeights;
  if (fs::exists(whole, ignored)) return open_whole(whole, cancel);
  const fs::path index = folder / "model.safetensors.index.json";
  if (fs::exists(index, ignored)) return open_whole(index, cancel);
  if (const auto shards = all_shards(folder); !shards.empty()) {
    return open_all(folder, shards, cancel);
  }
  const std::string name = printable(folder.string(), 400);
  const Message lies = what_lies(folder);
  if (lies.empty()) {
    throw InputError(Message(N_("{}: expected model.safetensors, or its shards and "
                                "model.safetensors.index.json, got neither"),
                             name));
  }
  throw InputError(Message(N_("{}: expected model.safetensors, or its shards and "
                              "model.safetensors.index.json, got {}"),
                           name, lies));
}

// A folder without a configuration may hold something else.
Config config_of(const fs::path& folder, const Cancel& cancel) {
  std::error_code ignored;
  const fs::path path = folder / "config.json";
  if (!fs::exists(path, ignored) && fs::is_directory(folder, ignored)) {
    if (const Message lies = what_lies(folder); !lies.empty()) {
      throw InputError(Message(N_("{}: expected the folder of a published model, with config.json "
                                  "and model.safetensors, got {}"),
                               printable(folder.string(), 400), lies));
    }
  }
  return Config::of_file(path, cancel);
}

// "Qwen2ForCausalLM" is a class of Qwen2, and "Qwen2MoeForCausalLM" is none.
bool is_class_of(std::string_view prefix, std::string_view name) {
  constexpr std::string_view kGoesOn[] = {
      "For", "Model", "LMHeadModel", "EncoderModel", "DoubleHeadsModel", "PreTrainedModel"};
  if (!ascii_lower(name).starts_with(ascii_lower(prefix))) return false;
  name.remove_prefix(prefix.size());
  return std::any_of(std::begin(kGoesOn), std::end(kGoesOn),
                     [&](std::string_view one) { return name.starts_with(one); });
}

// By model_type; where there is none, by the names of classes.
const Architecture& architecture_of(const Config& config) {
  std::vector<Word<const Architecture*>> words;
  for (const Architecture& one : architectures()) words.push_back({one.type, &one});
  if (!config.gives("model_type")) {
    for (const std::string& name : config.texts_of("architectures")) {
      for (const Architecture& one : architectures()) {
        if (is_class_of(one.prefix, name)) return one;
      }
    }
  }
  return *config.word<const Architecture*>("model_type", words);
}

// Numbers that were quantised stand for others, by a way that is the method's.
void require_not_quantized(const Config& config) {
  constexpr std::string_view kKey = "quantization_config";
  const std::optional<Config> section = config.section(kKey);
  if (!section) return;
  const Message expected(
      N_("a model that is not quantised: save it with its numbers as float16 or bfloat16, or use "
         "the one it was made from"));
  const std::string_view method = section->first_of({"quant_method", "quant_type"});
  if (section->gives(method)) section->refuse(method, expected);
  config.refuse(kKey, expected);
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
                                       const OpenOptions& options, const Cancel& cancel) {
  require_not_quantized(config);
  const Architecture& architecture = architecture_of(config);
  TensorNames names(weights(), Message::plain("config.json"));
  ModelFacts facts;
  facts.type = architecture.type;
  facts.name = architecture.name;
  Index most = options.most_bytes;
  if (most == 0) {
    const std::size_t free = free_memory();
    most = free == 0 ? std::numeric_limits<Index>::max() : static_cast<Index>(free / 3 * 2);
  }
  Opening opening{config, names, facts, most, cancel};
  return architecture.open(opening);
}

}  // namespace

std::shared_ptr<const Model> open_model(const fs::path& folder, const OpenOptions& options,
                                        const Cancel& cancel) {
  const Config config = config_of(folder, cancel);
  return open_with(
      config, [&] { return open_weights(folder, cancel); }, options, cancel);
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
  return open_with(config, weights, options, cancel);
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
    throw InputError(
        Message(N_("text: expected no token types and no padding mask, as {} has none, got them"),
                facts_.name));
  }
  check_length(Message(N_("token types")), input.token_types.size(), input.tokens.size());
  check_length(Message(N_("padding mask")), input.attention_mask.size(), input.tokens.size());
  for (const std::int32_t type : input.token_types) {
    if (type >= 0 && type < facts_.token_types) continue;
    throw InputError(Message(N_("token types: expected numbers from 0 to {}, got {}"),
                             facts_.token_types - 1, type));
  }
  if (!input.attention_mask.empty() &&
      std::find(input.attention_mask.begin(), input.attention_mask.end(), true) ==
          input.attention_mask.end()) {
    throw InputError(
        Message(N_("text: expected at least one token that is not padding, got none")));
  }
  const bool decodes = facts_.kind == Kind::encoder_decoder;
  if (decodes == input.decoder_tokens.empty()) {
    throw InputError(
        decodes
            ? Message(N_("text: expected tokens for the decoder of {} too, the first one {}, "
                         "got none"),
                      facts_.name, facts_.decoder_start)
            : Message(
                  N_("text: expected no tokens for a decoder, as {} has only one stack, got {}"),
                  facts_.name, input.decoder_tokens.size()));
  }
}

void Model::check_changes(bool parts, bool sees, const std::vector<Index>& masked,
                          Index tokens) const {
  if ((parts || sees || !masked.empty()) && facts_.kind != Kind::decoder) {
    throw InputError(
        Message(N_("parts and hidden tokens: expected a decoder that reads one text, got {}"),
                facts_.name));
  }
  for (const Index one : masked) {
    if (one >= 0 && one < tokens) continue;
    throw InputError(
        Message(N_("hidden tokens: expected positions from 0 to {}, got {}"), tokens - 1, one));
  }
}

template <class S>
void Model::forward_into(const Input& input, Trace<S>& trace, const ForwardOptions<S>& options,
                         const Cancel& cancel) const {
  check(input);
  if ((options.first_position != 0 || options.rotary_table) && !facts_.positions.rotary) {
    throw InputError(Message(
        N_("positions: expected a model that rotates queries and keys, got {}"), facts_.name));
  }
  if (options.first_position < 0) {
    throw InputError(Message(N_("positions: expected a first position of at least 0, got {}"),
                             options.first_position));
  }
  check_changes(options.keep_parts, static_cast<bool>(options.sees), options.masked,
                static_cast<Index>(input.tokens.size()));
  if (options.begun && options.first_layer != 0) {
    const auto& layers = options.begun->decoder.layers;
    const Index first = options.first_layer;
    const auto rows = static_cast<Index>(input.tokens.size());
    const bool known = facts_.kind == Kind::decoder && first > 0 &&
                       first <= static_cast<Index>(layers.size()) &&
                       layers[static_cast<std::size_t>(first - 1)] &&
                       layers[static_cast<std::size_t>(first - 1)]->hidden.rows() == rows;
    if (!known) {
      refuse("begun", "a decoder's pass over as many tokens, with the layer before the first kept",
             "first layer " + std::to_string(first) + " of " + std::to_string(layers.size()));
    }
  }
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
