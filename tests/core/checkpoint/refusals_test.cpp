// What a loader of published models must refuse, one sentence each: tests/reference/README.md's
// folders with one thing wrong. What is wrong inside of a .safetensors file or an index is tried in
// tests/core/io/safetensors_test.cpp.
#include "checkpoint/variant.h"

namespace refusals_test {

using namespace checkpoint_test;
using namespace core::checkpoint;

namespace {

// What a changed configuration says.
std::string refused(const std::string& name, const std::string& from, const std::string& to) {
  return Variant(name).config(from, to).why_not();
}

std::string refused_header(const std::string& name, const std::string& from,
                           const std::string& to) {
  return Variant(name).header(from, to).why_not();
}

}  // namespace

TEST_SUITE_BEGIN("refusals of published models");

TEST_CASE("a folder without what it needs") {
  const Variant none("gpt2");
  std::filesystem::remove(none.path() / "config.json");
  CHECK(none.why_not() == "cannot read config.json: there is no such file or folder");
  const Variant weights("gpt2");
  std::filesystem::remove(weights.path() / "model.safetensors");
  CHECK(weights.why_not() == weights.path().string() +
                                 ": expected model.safetensors, or its shards and "
                                 "model.safetensors.index.json, got neither");
  weights.write("pytorch_model.bin", "");
  CHECK(weights.why_not() ==
        weights.path().string() +
            ": expected model.safetensors, or its shards and model.safetensors.index.json, got "
            "pytorch_model.bin, a PyTorch pickle, which is a program and is not run here: load it "
            "in Python and save it with model.save_pretrained(folder)");
  const Variant shard("llama-gqa-sharded");
  std::filesystem::remove(shard.path() / "model-00002-of-00002.safetensors");
  CHECK(shard.why_not() ==
        "cannot read model-00002-of-00002.safetensors: there is no such file or folder");
}

TEST_CASE("a configuration that is none") {
  const Variant variant("gpt2");
  const auto of = [&](const std::string& text) {
    variant.write("config.json", text);
    return variant.why_not();
  };
  CHECK(of("{") ==
        "config.json: expected a configuration in JSON, but it is not valid JSON from line 1, "
        "column 2 on");
  CHECK(of("{\"n_embd\": nan}") ==
        "config.json: expected a configuration in JSON, but it is not valid JSON from line 1, "
        "column 13 on");
  CHECK(of("[1]") == "config.json: expected a configuration that is a JSON object, got [1]");
  CHECK(of("\xff").starts_with("config.json: expected a configuration in JSON"));
  CHECK(of("{\"a\":1,\"a\":2}") ==
        "config.json: expected a configuration in JSON, but it has the "
        "key \"a\" twice in one object");
  CHECK(of("{}") == "config.json, model_type: expected a string, got no such key");
  variant.write("config.json", "");
  std::filesystem::resize_file(variant.path() / "config.json", kMostConfigBytes + 1);
  CHECK(variant.why_not() ==
        "config.json: expected a configuration of at most 1048576 bytes, got 1048577");
}

TEST_CASE("an architecture, a function or a scaling that is not known, by name") {
  CHECK(refused("gpt2", "\"model_type\": \"gpt2\"", "\"model_type\": \"gpt3\"") ==
        "config.json, model_type: expected one of gpt2, gpt_neox, llama, mistral, qwen2, qwen3, "
        "bloom, bert, t5, mt5, got \"gpt3\"");
  const std::string functions =
      "expected one of gelu, gelu_python, gelu_new, gelu_fast, gelu_pytorch_tanh, relu, silu, "
      "swish, tanh, got ";
  CHECK(refused("gpt2", "gelu_new", "quick_gelu") ==
        "config.json, activation_function: " + functions + "\"quick_gelu\"");
  CHECK(refused("llama", "silu", "gelu_10") ==
        "config.json, hidden_act: " + functions + "\"gelu_10\"");
  CHECK(refused("bert", "\"gelu\"", "7") == "config.json, hidden_act: expected a string, got 7");
  CHECK(refused("t5", "\"relu\"", "\"gated-tanh\"") ==
        "config.json, feed_forward_proj: expected one of relu, gelu, gelu_new, silu, gated-gelu, "
        "gated-relu, gated-silu, got \"gated-tanh\"");
  CHECK(refused("llama-linear", "\"type\": \"linear\"", "\"type\": \"cubic\"") ==
        "config.json, rope_scaling.type: expected one of default, linear, dynamic, yarn, llama3, "
        "longrope, su, got \"cubic\"");
  CHECK(refused("bert", "\"absolute\"", "\"relative_key\"") ==
        "config.json, position_embedding_type: expected one of absolute, got \"relative_key\"");
}

TEST_CASE("sizes: missing, zero, negative, huge, no whole numbers, texts") {
  const std::string where = "config.json, n_embd: expected a whole number from 1 to 67108864, got ";
  const std::string key = "\"n_embd\": 16";
  CHECK(refused("gpt2", key, "\"n_embt\": 16") == where + "no such key");
  for (const std::string value : {"0", "-16", "67108865", "16.5", "16.0", "\"16\"", "true",
                                  "18446744073709551615", "[16]", "null", "NaN", "-Infinity"}) {
    CHECK(refused("gpt2", key, "\"n_embd\": " + value) == where + value);
  }
  CHECK(refused("gpt2", key, "\"n_embd\": 1e30") == where + "1e+30");
  CHECK(refused("gpt2", key, "\"n_embd\": 1e999").starts_with("config.json: expected a config"));
  CHECK(refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 5000") ==
        "config.json, n_layer: expected a whole number from 1 to 4096, got 5000");
  CHECK(refused("gpt2", "\"n_positions\": 16", "\"n_places\": 16, \"n_positions\": 0") ==
        "config.json, n_positions: expected a whole number from 1 to 67108864, got 0");
}

TEST_CASE("heads that do not divide, grouped or not") {
  CHECK(refused("gpt2", "\"n_head\": 2", "\"n_head\": 3") ==
        "config.json, n_head: expected a number that divides n_embd (16), got 3");
  CHECK(refused("llama-linear", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3") ==
        "config.json, num_key_value_heads: expected a number that divides num_attention_heads (4), "
        "got 3");
  // Missing is not null: Mistral's class has 8 key heads of its own.
  CHECK(refused("mistral", "\"num_key_value_heads\": 2,", "") ==
        "config.json, num_key_value_heads: expected a number that divides num_attention_heads (4), "
        "got 8");
}

TEST_CASE("rotary: an odd width, and scalings that say too little") {
  CHECK(refused("pythia", "\"rotary_pct\": 0.25", "\"rotary_pct\": 0.2") ==
        "config.json, rotary_pct: expected a share that rotates an even number of the 16 numbers "
        "of a head (here 3), got 0.2");
  CHECK(refused("pythia", "\"rotary_pct\": 0.25", "\"rotary_pct\": 1.25")
            .starts_with("config.json, rotary_pct: expected a share"));
  CHECK(refused("llama-linear", "2.5", "0.5") ==
        "config.json, rope_scaling.factor: expected a number of at least 1, got 0.5");
  CHECK(refused("llama-linear", "\"factor\"", "\"factors\"") ==
        "config.json, rope_scaling.factor: expected a number above 0, got no such key");
  CHECK(refused("llama-linear", "2.5", "\"2.5\"") ==
        "config.json, rope_scaling.factor: expected a number above 0, got \"2.5\"");
  CHECK(refused("llama-linear", "\"type\"", "\"kind\"") ==
        "config.json, rope_scaling.rope_type: expected a string, got no such key");
  CHECK(refused("llama3", "\"high_freq_factor\": 4.0", "\"high_freq_factor\": 1.0") ==
        "config.json, rope_scaling.high_freq_factor: expected a number above low_freq_factor (1), "
        "got 1.0");
  CHECK(refused("llama-yarn", "\"beta_fast\": 2.0", "\"beta_fast\": 0.1") ==
        "config.json, rope_scaling.beta_fast: expected a number above beta_slow (0.2), got 0.1");
  CHECK(refused("llama", "\"rope_scaling\": null", "\"rope_scaling\": 3") ==
        "config.json, rope_scaling: expected an object, or null, got 3");
  CHECK(
      refused("llama-yarn-v5", "\"pretraining_tp\": 1", "\"rope_scaling\": {\"type\": \"linear\"}")
          .starts_with("config.json, rope_scaling: expected either rope_scaling or "
                       "rope_parameters, got {"));
  CHECK(refused("llama-linear", "\"type\": \"linear\"",
                "\"type\": \"longrope\", \"long_factor\": [1, 2], \"short_factor\": [1]") ==
        "config.json, rope_scaling.short_factor: expected a list of 2 numbers above 0, got [1]");
}

TEST_CASE("an epsilon, a flag, windows and buckets out of bounds") {
  for (const std::string value : {"0", "-1e-05", "\"1e-5\"", "true"}) {
    CHECK(refused("llama", "\"rms_norm_eps\": 1e-05", "\"rms_norm_eps\": " + value) ==
          "config.json, rms_norm_eps: expected a number above 0, got " + value);
  }
  CHECK(refused("llama3", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": 1") ==
        "config.json, tie_word_embeddings: expected true or false, got 1");
  CHECK(refused("mistral", "\"sliding_window\": 4", "\"sliding_window\": 0") ==
        "config.json, sliding_window: expected a whole number from 1 to 67108864, got 0");
  CHECK(refused("qwen2-window", "\"max_window_layers\": 1",
                "\"layer_types\": [\"full_attention\", \"linear\"]") ==
        "config.json, layer_types: expected one of full_attention, sliding_attention, got "
        "[\"full_attention\",\"linear\"]");
  CHECK(refused("qwen2-window", "\"max_window_layers\": 1", "\"layer_types\": []") ==
        "config.json, layer_types: expected a list of 2 strings, got []");
  CHECK(
      refused("mt5", "\"relative_attention_num_buckets\": 8",
              "\"relative_attention_num_buckets\": 7") ==
      "config.json, relative_attention_num_buckets: expected an even number of at least 4, got 7");
  CHECK(refused("mt5", "\"relative_attention_max_distance\": 20",
                "\"relative_attention_max_distance\": 4") ==
        "config.json, relative_attention_max_distance: expected a number above half of the 8 "
        "buckets, got 4");
  CHECK(refused("gpt2", "\"n_ctx\": 16", "\"add_cross_attention\": true") ==
        "config.json, add_cross_attention: expected a decoder without an encoder (false), got "
        "true");
  CHECK(refused("bert", "\"use_cache\": true", "\"is_decoder\": true") ==
        "config.json, is_decoder: expected an encoder (false), got true");
}

TEST_CASE("a parameter that is missing, and the nearest names that are there") {
  CHECK(refused_header("gpt2", "\"h.1.attn.c_proj.weight\"", "\"h.1.attention.c_proj.weight\"") ==
        "model.safetensors: expected a tensor \"h.1.attn.c_proj.weight\" of the shape (16, 16), "
        "got none; the nearest names are \"h.1.mlp.c_proj.weight\", "
        "\"h.1.attention.c_proj.weight\", \"h.1.attn.c_proj.bias\"");
  CHECK(refused_header("llama", "\"lm_head.weight\"", "\"output.weight\"") ==
        "model.safetensors: expected a tensor \"lm_head.weight\" of the shape (48, 16), as the "
        "head is not tied to the embedding, got none; the nearest names are \"output.weight\", "
        "\"model.layers.0.self_attn.rotary_emb.inv_freq\", "
        "\"model.layers.1.self_attn.rotary_emb.inv_freq\"");
  // Tied or not is the configuration's word alone.
  CHECK(refused("qwen2", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false") ==
        "model.safetensors: expected a tensor \"lm_head.weight\" of the shape (48, 16), as the "
        "head is not tied to the embedding, got none");
  CHECK(refused_header("qwen2", "\"model.layers.0.self_attn.k_proj.bias\"",
                       "\"model.layers.0.self_attn.k_proj.bios\"")
            .starts_with("model.safetensors: expected a tensor "
                         "\"model.layers.0.self_attn.k_proj.bias\" of the shape (8), got none"));
}

TEST_CASE("a parameter of another shape, rank or type") {
  const std::string where = "model.safetensors, tensor \"h.0.mlp.c_fc.weight\": ";
  CHECK(refused_header("gpt2", "[16,64]", "[64,16]") ==
        where + "expected the shape (16, 64), got (64, 16): its transpose");
  CHECK(refused_header("gpt2", "[16,64]", "[32,32]") ==
        where + "expected the shape (16, 64), got (32, 32)");
  CHECK(refused_header("gpt2", "[16,64]", "[1,16,64]") ==
        where + "expected the shape (16, 64), got (1, 16, 64)");
  // PyTorch's layers have (outputs, inputs) where GPT-2's have (inputs, outputs).
  CHECK(refused("gpt2", "\"n_embd\": 16", "\"n_embd\": 32") ==
        "model.safetensors, tensor \"wte.weight\": expected the shape (48, 32), got (48, 16)");
  const Variant integers("gpt2");
  const std::string all = integers.read("model.safetensors");
  const std::size_t name = all.find("\"h.0.ln_1.weight\"");
  const std::size_t type = all.find("\"F32\"", name);
  std::string changed = all;
  changed.replace(type, 5, "\"I32\"");
  integers.write("model.safetensors", changed);
  CHECK(integers.why_not() ==
        "model.safetensors, tensor \"h.0.ln_1.weight\": expected float16, bfloat16, float32 or "
        "float64, got int32");
}

TEST_CASE("layers beyond those of the configuration") {
  CHECK(refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 1") ==
        "model.safetensors, tensor \"h.1.attn.bias\": expected layers 0 to 0, as config.json says, "
        "got another");
  CHECK(refused("t5", "\"num_layers\": 2", "\"num_layers\": 2, \"num_decoder_layers\": 1")
            .starts_with("model.safetensors, tensor \"decoder.block.1.layer.0.SelfAttention."));
  CHECK(refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 3")
            .starts_with("model.safetensors: expected a tensor \"h.2.ln_1."));
}

TEST_CASE("input: tokens, their types, masks, lengths") {
  const auto gpt2 = opened("gpt2"), bert = opened("bert"), t5 = opened("t5");
  CHECK(why_not(*gpt2, {.tokens = {}}) == "text: expected at least one token, got none");
  CHECK(why_not(*gpt2, {.tokens = {3, 48}}) == "tokens: expected numbers from 0 to 47, got 48");
  CHECK(why_not(*gpt2, {.tokens = {-1}}) == "tokens: expected numbers from 0 to 47, got -1");
  const std::vector<std::int32_t> long_text(17, 1);
  const std::string places =
      "text: expected at most 16 tokens, as many as the model has positions, got 17";
  CHECK(why_not(*gpt2, {.tokens = long_text}) == places);
  CHECK(why_not(*bert, {.tokens = long_text}) == places);
  CHECK(why_not(*opened("llama-dynamic"), {.tokens = long_text}) == "nothing was refused");
  CHECK(why_not(*gpt2, {.tokens = {1}, .token_types = {0}}) ==
        "text: expected no token types and no padding mask, as GPT-2 has none, got them");
  CHECK(why_not(*bert, {.tokens = {1, 2}, .token_types = {0, 2}}) ==
        "token types: expected numbers from 0 to 1, got 2");
  CHECK(why_not(*bert, {.tokens = {1, 2}, .token_types = {0}}) ==
        "token types: expected one for each of the 2 tokens, or none, got 1");
  CHECK(why_not(*bert, {.tokens = {1, 2}, .attention_mask = {true}}) ==
        "padding mask: expected one for each of the 2 tokens, or none, got 1");
  CHECK(why_not(*bert, {.tokens = {1, 2}, .attention_mask = {false, false}}) ==
        "text: expected at least one token that is not padding, got none");
  CHECK(why_not(*t5, {.tokens = {1}}) ==
        "text: expected tokens for the decoder of T5 too, the first one 0, got none");
  CHECK(why_not(*t5, {.tokens = {1}, .decoder_tokens = {0, 46}}) ==
        "tokens: expected numbers from 0 to 45, got 46");
  CHECK(why_not(*gpt2, {.tokens = {1}, .decoder_tokens = {0}}) ==
        "text: expected no tokens for a decoder, as GPT-2 has only one stack, got 1");
}

TEST_CASE("numbers that are NaN or infinite are told, and the model still opens") {
  Variant variant("gpt2");
  std::string all = variant.read("model.safetensors");
  const auto where = [&](const std::string& name) {
    const std::size_t at = all.find("\"data_offsets\"", all.find("\"" + name + "\""));
    std::uint64_t size = 0;
    for (std::size_t k = 8; k-- > 0;) size = size << 8 | static_cast<unsigned char>(all[k]);
    return 8 + size + std::stoul(all.substr(all.find('[', at) + 1));
  };
  for (const std::string name : {"h.1.mlp.c_fc.weight", "ln_f.bias"}) {
    all.replace(where(name) + 4, 4, std::string("\x00\x00\xc0\x7f", 4));
    all.replace(where(name) + 12, 4, std::string("\x00\x00\x80\xff", 4));
  }
  variant.write("model.safetensors", all);
  const auto model = open_model(variant.path());
  CHECK(model->weights().not_finite().empty());
  model->forward<float>({.tokens = {1, 2}});
  model->forward<float>({.tokens = {1, 2}});
  const std::vector<NotFinite> found = model->weights().not_finite();
  REQUIRE(found.size() == 2);
  CHECK(found[0].tensor == "h.1.mlp.c_fc.weight");
  CHECK(found[0].count == 2);
  CHECK(found[1].tensor == "ln_f.bias");
}

TEST_CASE("a file that was written to after it was opened is told") {
  const Variant variant("gpt2");
  const auto model = open_model(variant.path());
  variant.write("model.safetensors", test::read(reference("gpt2") / "model.safetensors") + " ");
  CHECK_THROWS_AS(model->forward<float>({.tokens = {1}}), core::InputError);
}

TEST_SUITE_END();

}  // namespace refusals_test
