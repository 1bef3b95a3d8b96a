// The steps of a tokenizer.json, by the names of their types. Each InputError is one sentence that
// says where in the file; a type that is not listed in step_reader.cpp is refused by its name.
#pragma once

#include <optional>

#include "core/tokenizer/json_node.h"
#include "core/tokenizer/tokenizer.h"

namespace core::subword {

Normalizer read_normalizer(const JsonNode& node);
PreTokenizer read_pre_tokenizer(const JsonNode& node);
// Adds what the decoder says of how tokens are spelt.
Decoder read_decoder(const JsonNode& node, Spelling& spelling);

struct PostProcessor {
  Template around;
  std::optional<OffsetTrim> trim;
};
PostProcessor read_post_processor(const JsonNode& node);

}  // namespace core::subword
