// The steps of a tokenizer.json, by the names of their types. Each InputError is one sentence that
// says where in the file; a type that is not listed in step_reader.cpp is refused by its name.
#pragma once

#include <optional>

#include "core/tokenizer/json_place.h"
#include "core/tokenizer/tokenizer.h"

namespace core::subword {

Normalizer read_normalizer(const JsonPlace& place);
PreTokenizer read_pre_tokenizer(const JsonPlace& place);
// Adds what the decoder says of how tokens are spelt.
Decoder read_decoder(const JsonPlace& place, Spelling& spelling);

struct PostProcessor {
  Template around;
  std::optional<OffsetTrim> trim;
};
PostProcessor read_post_processor(const JsonPlace& place);

}  // namespace core::subword
