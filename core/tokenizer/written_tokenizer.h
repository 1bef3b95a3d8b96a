// A tokenizer.json of byte pairs that were trained here.
#pragma once

#include <string>

#include "core/tokenizer/models/pair_training.h"

namespace core::subword {

// parse_tokenizer reads it again: pieces by ByteSplit::gpt2, and one special token, whose id
// follows those of the pairs; it begins each text.
std::string tokenizer_json(const TrainedPairs& trained, const std::string& special);

}  // namespace core::subword
