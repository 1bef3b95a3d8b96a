// Keys of config.json that are known to have no effect on what is computed here.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace core::checkpoint {

// Names, kinds of numbers in files, training, how texts are written, what other programs note.
inline constexpr std::string_view kNoEffect[] = {
    "architectures",
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attention_softmax_in_fp32",
    "attn_pdrop",
    "auto_map",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bias_dropout_fusion",
    "bos_token_id",
    "chunk_size_feed_forward",
    "classifier_dropout",
    "cls_token_id",
    "custom_pipelines",
    "decoder_start_token_id",
    "directionality",
    "diversity_penalty",
    "do_sample",
    "dropout_rate",
    "dtype",
    "early_stopping",
    "embd_pdrop",
    "encoder_no_repeat_ngram_size",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "gradient_checkpointing",
    "hidden_dropout",
    "hidden_dropout_prob",
    "id2label",
    "initializer_factor",
    "initializer_range",
    "label2id",
    "length_penalty",
    "mask_token_id",
    "masked_softmax_fusion",
    "max_length",
    "min_length",
    "model_type",
    "name_or_path",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_labels",
    "num_return_sequences",
    "offset_alibi",
    "output_attentions",
    "output_hidden_states",
    "output_past",
    "output_scores",
    "pad_token_id",
    "pooler_fc_size",
    "pooler_num_attention_heads",
    "pooler_num_fc_layers",
    "pooler_size_per_head",
    "pooler_type",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "remove_invalid_values",
    "reorder_and_upcast_attn",
    "repetition_penalty",
    "resid_pdrop",
    "return_dict",
    "return_dict_in_generate",
    "sep_token_id",
    "skip_bias_add",
    "skip_bias_add_qkv",
    "slow_but_exact",
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tokenizer_class",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers_version",
    "typical_p",
    "unk_token_id",
    "unsloth_fixed",
    "unsloth_version",
    "use_bfloat16",
    "use_cache",
};

// Switches that add something to a model; switched off they have no effect.
inline constexpr std::string_view kNoEffectWhenOff[] = {
    "add_cross_attention", "attention_bias", "is_decoder",         "is_encoder_decoder", "mlp_bias",
    "tie_encoder_decoder", "use_mrope",      "use_sliding_window",
};

// What begins with "_" is a note of the library that wrote the file.
inline bool has_no_effect(std::string_view key, const nlohmann::json& value) {
  const auto among = [&](const auto& all) {
    return std::find(std::begin(all), std::end(all), key) != std::end(all);
  };
  if (key.starts_with('_') || among(kNoEffect)) return true;
  if (value == false && among(kNoEffectWhenOff)) return true;
  // Every layer as it is without the list.
  if (key != "layer_types" || !value.is_array()) return false;
  return std::all_of(value.begin(), value.end(),
                     [](const nlohmann::json& one) { return one == "full_attention"; });
}

// A list or an object of such a name says how attention is computed, or how numbers are stored.
inline bool matters(std::string_view key, const nlohmann::json& value) {
  constexpr std::string_view kParts[] = {"rope",   "rotary", "attention",   "attn",        "alibi",
                                         "window", "quant",  "layer_types", "pruned_heads"};
  return value.is_structured() &&
         std::any_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) {
           return key.find(part) != std::string_view::npos;
         });
}

}  // namespace core::checkpoint
