// The forms in which models are saved: without a head or a prefix, tied and not, by newer tools,
// with settings and tensors that nothing reads.
#include <functional>
#include <optional>

#include "checkpoint/variant.h"
#include "core/checkpoint/generation.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_view.h"

namespace forms_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::Matrix, core::MatrixD;
namespace fs = std::filesystem;

namespace {

using Texts = std::vector<std::string>;
using Rename = std::function<std::optional<std::string>(const std::string&)>;

const std::vector<std::int32_t> kText = {5, 34, 15, 38, 3, 16, 17, 1, 9, 40};

struct Named {
  std::string name;
  std::vector<Index> shape;
  std::vector<float> values;
};

// The tensors of a folder as float32.
std::vector<Named> tensors_of(const fs::path& folder) {
  std::vector<Named> all;
  const auto file = core::open_tensors(folder / "model.safetensors");
  for (const core::Tensor& tensor : file->tensors) {
    const core::TensorView view(tensor);
    Matrix values(view.rows(), view.cols());
    view.read({0, 0, view.rows(), view.cols()}, values.data());
    all.push_back({tensor.name, tensor.shape, {values.data(), values.data() + values.size()}});
  }
  return all;
}

void write_tensors(const Variant& variant, const std::vector<Named>& all) {
  std::vector<core::FloatTensor> tensors;
  for (const Named& one : all) tensors.push_back({one.name, one.shape, one.values.data()});
  variant.write("model.safetensors",
                core::safetensors_bytes(tensors, core::NumberType::float32, {}));
}

// Each tensor under another name, or left out.
void rename(const Variant& variant, const Rename& name) {
  std::vector<Named> kept;
  for (Named& one : tensors_of(variant.path())) {
    const auto other = name(one.name);
    if (!other) continue;
    one.name = *other;
    kept.push_back(std::move(one));
  }
  write_tensors(variant, kept);
}

void leave_out(const Variant& variant, const std::string& part) {
  rename(variant, [&](const std::string& name) {
    return name.find(part) == name.npos ? std::optional(name) : std::nullopt;
  });
}

std::string without_prefix(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

void add(const Variant& variant, Named tensor) {
  auto all = tensors_of(variant.path());
  all.push_back(std::move(tensor));
  write_tensors(variant, all);
}

MatrixD logits(const Model& model) { return model.forward<double>({.tokens = kText}).logits; }
double apart(const MatrixD& a, const MatrixD& b) { return (a - b).cwiseAbs().maxCoeff(); }

Input both() { return {.tokens = {3, 4, 5, 6}, .decoder_tokens = {0, 7, 9}}; }

}  // namespace

TEST_SUITE_BEGIN("forms of published models");

TEST_CASE("no head: a model without it, a classifier, an embedding model") {
  for (const std::string name : {"LlamaModel", "LlamaForSequenceClassification"}) {
    CAPTURE(name);
    Variant variant("llama");
    variant.config("LlamaForCausalLM", name);
    leave_out(variant, "lm_head");
    const auto model = open_model(variant.path());
    CHECK(model->facts().head.empty());
    const auto trace = model->forward<double>({.tokens = kText});
    CHECK(trace.logits.size() == 0);
    CHECK_THROWS_WITH_AS(Generation{model},
                         "logits: expected a model with a head, got LLaMA without one",
                         core::InputError);
    const auto whole = opened("llama")->forward<double>({.tokens = kText});
    CHECK(apart(trace.decoder.layers.back()->hidden, whole.decoder.layers.back()->hidden) < 1e-12);
  }
  // Named as a whole model and without its head it is a damaged file.
  const Variant damaged("llama");
  leave_out(damaged, "lm_head");
  CHECK(damaged.why_not().starts_with("model.safetensors: expected a tensor \"lm_head.weight\""));
  // A model that was saved without its head has no prefix.
  const Variant bare("llama");
  rename(bare, [](const std::string& name) -> std::optional<std::string> {
    if (name == "lm_head.weight") return std::nullopt;
    return without_prefix(name, "model.");
  });
  CHECK(open_model(bare.path())->facts().head.empty());
}

TEST_CASE("GPT-NeoX without its prefix") {
  Variant variant("pythia");
  variant.config("GPTNeoXForCausalLM", "GPTNeoXModel");
  rename(variant, [](const std::string& name) -> std::optional<std::string> {
    if (name == "embed_out.weight") return std::nullopt;
    return without_prefix(name, "gpt_neox.");
  });
  const auto model = open_model(variant.path());
  CHECK(model->facts().head.empty());
  CHECK(model->facts().left_over.empty());
  CHECK(model->forward<double>({.tokens = kText}).decoder.layers.size() == 2);
}

TEST_CASE("T5: the encoder alone, and no shared table") {
  Variant encoder("t5");
  encoder.config("T5ForConditionalGeneration", "T5EncoderModel");
  leave_out(encoder, "decoder.");
  const auto alone = open_model(encoder.path());
  CHECK(alone->facts().kind == Kind::encoder);
  CHECK(alone->facts().decoder_layers == 0);
  CHECK(alone->facts().head.empty());
  const auto trace = alone->forward<double>({.tokens = both().tokens});
  const auto whole = opened("t5")->forward<double>(both());
  REQUIRE(trace.encoder.layers.size() == 2);
  CHECK(apart(trace.encoder.layers.back()->hidden, whole.encoder.layers.back()->hidden) == 0);
  for (const std::string other : {"encoder.embed_tokens.weight", "lm_head.weight"}) {
    CAPTURE(other);
    const Variant variant("t5");
    rename(variant, [&](const std::string& name) {
      return std::optional(name == "shared.weight" ? other : name);
    });
    CHECK(apart(open_model(variant.path())->forward<double>(both()).logits, whole.logits) == 0);
  }
  // A decoder that its class has is missed.
  const Variant damaged("t5");
  leave_out(damaged, "decoder.");
  CHECK(damaged.why_not().starts_with("model.safetensors: expected a tensor \"decoder."));
}

TEST_CASE("tied, and in the file under the head's name alone") {
  const Variant gpt2("gpt2");
  rename(gpt2, [](const std::string& name) {
    return std::optional(name == "wte.weight" ? "lm_head.weight" : name);
  });
  CHECK(apart(logits(*open_model(gpt2.path())), logits(*opened("gpt2"))) == 0);
  const Variant qwen("qwen3");
  const MatrixD whole = logits(*opened("qwen3"));
  rename(qwen, [](const std::string& name) {
    return std::optional(name == "model.embed_tokens.weight" ? "lm_head.weight" : name);
  });
  CHECK(apart(logits(*open_model(qwen.path())), whole) == 0);
}

TEST_CASE("tied, and another head in the file: its numbers are taken, and that is said") {
  const Variant same("gpt2");
  auto all = tensors_of(same.path());
  const auto table = std::find_if(all.begin(), all.end(),
                                  [](const Named& one) { return one.name == "wte.weight"; });
  Named head{"lm_head.weight", table->shape, table->values};
  add(same, head);
  const auto repeated = open_model(same.path());
  CHECK(repeated->facts().tied);
  CHECK(repeated->facts().remarks.empty());
  CHECK(repeated->facts().left_over.empty());
  const Variant other("gpt2");
  for (float& one : head.values) one *= 2;
  add(other, head);
  const auto model = open_model(other.path());
  CHECK_FALSE(model->facts().tied);
  CHECK(model->facts().head == "lm_head.weight");
  REQUIRE(model->facts().remarks.size() == 1);
  CHECK(model->facts().remarks[0].in_english() ==
        "config.json ties the output head to the embedding, but lm_head.weight in the file has "
        "other numbers: these are used.");
  CHECK(apart(logits(*model), 2 * logits(*opened("gpt2"))) < 1e-12);
}

TEST_CASE("T5 that a newer tool saved: whether the output is scaled is said by itself") {
  const MatrixD untied = opened("mt5")->forward<double>(both()).logits;
  Variant newer("mt5");
  newer.config("\"tie_word_embeddings\": false",
               "\"tie_word_embeddings\": true, \"scale_decoder_outputs\": false, "
               "\"dense_act_fn\": \"gelu_new\", \"is_gated_act\": true");
  const auto model = open_model(newer.path());
  CHECK(apart(model->forward<double>(both()).logits, untied) == 0);
  CHECK(model->facts().head == "lm_head.weight");
  CHECK(model->facts().unread_settings.empty());
  Variant scaled("mt5");
  scaled.config("\"tie_word_embeddings\": false",
                "\"tie_word_embeddings\": false, \"scale_decoder_outputs\": true");
  CHECK(apart(open_model(scaled.path())->forward<double>(both()).logits, untied / std::sqrt(20.0)) <
        1e-12);
  Variant odd("t5");
  odd.config("\"use_cache\": true", "\"is_gated_act\": true");
  CHECK(odd.why_not() ==
        "config.json, is_gated_act: expected the same as feed_forward_proj, got true");
}

TEST_CASE("no model_type: the classes tell") {
  for (const std::string name : {"gpt2", "pythia", "llama", "mistral", "qwen2", "qwen3", "bloom",
                                 "bert-bare", "t5", "mt5"}) {
    CAPTURE(name);
    Variant variant(name);
    variant.config("\"model_type\"", "\"_model_type\"");
    CHECK(open_model(variant.path())->facts().type == opened(name)->facts().type);
  }
  Variant other("llama");
  other.config("\"model_type\"", "\"_model_type\"").config("LlamaForCausalLM", "Llama4ForCausalLM");
  CHECK(other.why_not() == "config.json, model_type: expected a string, got no such key");
}

TEST_CASE("rope objects: two that agree, an empty one, a base within, one for each type of layer") {
  const auto base = [](const std::string& settings) {
    Variant variant("llama");
    variant.config("\"rope_scaling\": null", settings);
    return open_model(variant.path())->facts().positions.rotary->base;
  };
  const auto refused = [](const std::string& settings) {
    Variant variant("llama");
    variant.config("\"rope_scaling\": null", settings);
    return variant.why_not();
  };
  CHECK(base("\"rope_scaling\": {}") == 10000);
  CHECK(base(R"("rope_scaling": {"rope_theta": 5000.0})") == 5000);
  CHECK(base(R"("rope_scaling": {"rope_type": "default"},
                "rope_parameters": {"rope_type": "default", "rope_theta": 5000})") == 5000);
  CHECK(
      base(
          R"("rope_parameters": {"full_attention": {"rope_theta": 5000, "rope_type": "default"}})") ==
      5000);
  const std::string both_types =
      R"("rope_parameters": {"full_attention": {"rope_theta": 5000, "rope_type": "default"},
                             "sliding_attention": {"rope_theta": 7, "rope_type": "default"}})";
  CHECK(refused(both_types)
            .starts_with("config.json, rope_parameters: expected one setting for the layers of all "
                         "types, got {\"full_attention\""));
  CHECK(base(both_types + R"(, "layer_types": ["full_attention", "full_attention"])") == 5000);
  CHECK(
      refused(R"("rope_theta": 7, "rope_parameters": {"rope_theta": 8, "rope_type": "default"})") ==
      "config.json, rope_parameters.rope_theta: expected the same as rope_theta beside it (7), "
      "got 8");
  CHECK(refused(R"("rope_scaling": {"type": "linear", "rope_type": "dynamic", "factor": 2})") ==
        "config.json, rope_scaling.type: expected the same as rope_type, got \"linear\"");
  CHECK(base(R"("rope_scaling": {"type": "linear", "rope_type": "linear", "factor": 2.0,
                                 "finetuned": true, "original_max_position_embeddings": 16.0})") ==
        10000);
  CHECK(
      refused(R"("rope_scaling": {"type": "linear", "factor": 2,
                                    "original_max_position_embeddings": 16.5})") ==
      "config.json, rope_scaling.original_max_position_embeddings: expected a whole number from 1 "
      "to 67108864, got 16.5");
  const std::string never =
      "expected no setting of this name, which this program does not read, got ";
  CHECK(refused(R"("rope_scaling": {"type": "default", "mrope_section": [16, 24, 24]})") ==
        "config.json, rope_scaling.mrope_section: " + never + "[16,24,24]");
  CHECK(refused(R"("rope_scaling": {"type": "linear", "factor": 2, "beta_fast": 32})") ==
        "config.json, rope_scaling.beta_fast: " + never + "32");
  CHECK_FALSE(opened("llama")->facts().positions.rotary->base_said);
  CHECK(opened("llama-linear")->facts().positions.rotary->base_said);
}

TEST_CASE("settings: read, without effect, refused where they matter, else listed") {
  for (const auto& folder : fs::directory_iterator(reference(""))) {
    CAPTURE(folder.path().filename().string());
    CHECK(open_model(folder.path())->facts().unread_settings == Texts{});
  }
  const auto with = [](const std::string& settings) {
    Variant variant("llama");
    variant.config("\"pretraining_tp\": 1", settings);
    try {
      return open_model(variant.path())->facts().unread_settings;
    } catch (const core::InputError&) {
      return Texts{variant.why_not()};
    }
  };
  CHECK(with(R"("use_cache_of_mine": true, "residual_multiplier": 0.5, "_note": 3, "top_k": 50)") ==
        Texts{"residual_multiplier", "use_cache_of_mine"});
  CHECK(with(R"("initial": Infinity, "lowest": -Infinity, "none": NaN)") ==
        Texts{"initial", "lowest", "none"});
  CHECK(
      with(R"("use_sliding_window": false, "attention_types": [], "quantization_config": null)") ==
      Texts{});
  CHECK(with(R"("attention_types": [[["global"], 2]])").front() ==
        "config.json, attention_types: expected no setting of this name, which this program does "
        "not read, got [[[\"global\"],2]]");
  CHECK(with(R"("layer_types": ["full_attention", "full_attention"])") == Texts{});
  CHECK(with(R"("layer_types": ["full_attention", "linear_attention"])")
            .front()
            .starts_with("config.json, layer_types: expected no setting of this name"));
  CHECK(
      with(R"("quantization_config": {"quant_method": "gptq", "bits": 4})").front() ==
      "config.json, quantization_config.quant_method: expected a model that is not quantised: save "
      "it with its numbers as float16 or bfloat16, or use the one it was made from, got \"gptq\"");
  CHECK(with(R"("quantization_config": {"load_in_4bit": true})")
            .front()
            .starts_with("config.json, quantization_config: expected a model that is not"));
}

TEST_CASE("biases that nothing declares are said") {
  const Variant variant("llama");
  add(variant, {"model.layers.0.self_attn.q_proj.bias", {16}, std::vector<float>(16, 1)});
  add(variant, {"model.layers.1.self_attn.o_proj.bias", {16}, std::vector<float>(16, 1)});
  add(variant, {"score.weight", {2, 16}, std::vector<float>(32, 1)});
  const ModelFacts facts = open_model(variant.path())->facts();
  REQUIRE(facts.remarks.size() == 1);
  CHECK(facts.remarks[0].in_english() ==
        "The file has biases that neither its architecture nor config.json declares: 2 in all, "
        "model.layers.0.self_attn.q_proj.bias the first. They are not used.");
  CHECK(facts.left_over.size() == 3);
  for (const auto& folder : fs::directory_iterator(reference(""))) {
    CAPTURE(folder.path().filename().string());
    CHECK(open_model(folder.path())->facts().remarks.empty());
  }
}

TEST_CASE("shards without their index: all of them are opened") {
  const Variant variant("llama-gqa-sharded");
  fs::remove(variant.path() / "model.safetensors.index.json");
  CHECK(apart(logits(*open_model(variant.path())), logits(*opened("llama-gqa-sharded"))) == 0);
  fs::remove(variant.path() / "model-00001-of-00002.safetensors");
  CHECK(variant.why_not().ends_with(
      "got model-00002-of-00002.safetensors without the index of the shards or without all of "
      "them: download model.safetensors.index.json and every shard that it names"));
}

TEST_CASE("metadata that are null") {
  Variant variant("gpt2");
  variant.header("{\"format\":\"pt\"}", "null");
  CHECK(open_model(variant.path())->facts().layers == 2);
}

TEST_CASE("something else in the folder is named, with what to do about it") {
  const Variant pointer("gpt2");
  pointer.write("model.safetensors",
                "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n");
  CHECK(pointer.why_not() ==
        "model.safetensors: expected the contents of a .safetensors file, got a Git LFS pointer, "
        "which only names the file: fetch the file itself by \"git lfs pull\" in its folder");
  const Variant quantised("gpt2");
  fs::remove(quantised.path() / "model.safetensors");
  quantised.write("model-q4.gguf", "GGUF\3");
  CHECK(quantised.why_not().find("got model-q4.gguf, GGUF, the format of llama.cpp") !=
        std::string::npos);
  const Variant adapter("gpt2");
  fs::remove(adapter.path() / "config.json");
  adapter.write("adapter_config.json", "{}");
  CHECK(adapter.why_not().find("got a LoRA adapter") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace forms_test
