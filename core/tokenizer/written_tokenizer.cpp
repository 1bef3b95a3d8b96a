#include "core/tokenizer/written_tokenizer.h"

#include <nlohmann/json.hpp>

namespace core::subword {

std::string tokenizer_json(const TrainedPairs& trained, const std::string& special) {
  using Json = nlohmann::ordered_json;
  const Json bytes = {{"type", "ByteLevel"},
                      {"add_prefix_space", false},
                      {"trim_offsets", true},
                      {"use_regex", true}};
  Json merges = Json::array();
  for (const auto& [first, second] : trained.merges) merges.push_back(first + " " + second);
  const Index id = trained.vocabulary_size;
  const Json around = {{"SpecialToken", {{"id", special}, {"type_id", 0}}}};
  const auto text = [](const char* name, int type) {
    return Json{{"Sequence", {{"id", name}, {"type_id", type}}}};
  };
  const Json json = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", Json::array({{{"id", id},
                                     {"content", special},
                                     {"single_word", false},
                                     {"lstrip", false},
                                     {"rstrip", false},
                                     {"normalized", false},
                                     {"special", true}}})},
      {"normalizer", nullptr},
      {"pre_tokenizer", bytes},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single", Json::array({around, text("A", 0)})},
        {"pair", Json::array({around, text("A", 0), text("B", 1)})},
        {"special_tokens",
         {{special,
           {{"id", special}, {"ids", Json::array({id})}, {"tokens", Json::array({special})}}}}}}},
      {"decoder", bytes},
      {"model",
       {{"type", "BPE"},
        {"dropout", nullptr},
        {"unk_token", nullptr},
        {"continuing_subword_prefix", nullptr},
        {"end_of_word_suffix", nullptr},
        {"fuse_unk", false},
        {"byte_fallback", false},
        {"vocab", Json::parse(texts_of(trained, {special}).vocabulary)},
        {"merges", merges}}}};
  return json.dump(1) + "\n";
}

}  // namespace core::subword
