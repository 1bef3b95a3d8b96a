// Tokenizers out of the files that published models come with.
//
// Every malformed file is refused by one InputError that begins with its name: no JSON, an unknown
// step, ids twice or beyond what the file could hold, merges of tokens that there are not. What a
// tokenizer.json says of cutting and padding whole texts is no part of tokenising and is not read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizer/side_files.h"
#include "core/tokenizer/tokenizer.h"
#include "core/tokenizer/whole_file.h"

namespace core::subword {

// A tokenizer.json; `name` is what messages call it. side: what lies beside adds tokens that the
// file lacks, and makes the template of the classes that make it themselves.
Tokenizer parse_tokenizer(std::string_view json, const std::string& name,
                          const SideFiles& side = {});
Tokenizer read_tokenizer(const std::filesystem::path& file, const SideFiles& side = {},
                         const Cancel& cancel = {});

// Byte pairs as vocab.json, an object of visible bytes (byte_alphabet.h) and ids, and merges.txt, a
// line for each pair, of which one that begins with "#version" is none. What else is done to a text
// is known by the kind of model.
enum class ByteSplit {
  gpt2,    // letters, numbers and other signs, each run with the space before it
  llama3,  // numbers of at most 3 digits; a piece that is a token is taken whole
  qwen2,   // NFC first; single digits
};
struct PairTexts {
  std::string vocabulary, merges;
};
// special: tokens of the vocabulary that are recognised in a text; those that it lacks are passed
// over. side: further ones with their ids, a beginning and an end, a space before each text.
Tokenizer parse_pairs(const PairTexts& texts, ByteSplit split,
                      const std::vector<std::string>& special, const std::string& name,
                      const SideFiles& side = {});
Tokenizer read_pairs(const std::filesystem::path& vocabulary, const std::filesystem::path& merges,
                     ByteSplit split, const std::vector<std::string>& special,
                     const SideFiles& side = {}, const Cancel& cancel = {});

// BERT's vocab.txt: a token in each line, whose number is its id. [PAD], [UNK], [CLS], [SEP] and
// [MASK] are special, and the middle ones stand around texts. side: whether it is lower case (it is
// unless that is said), without accents (then, unless that is said), ideographs by themselves.
Tokenizer parse_word_list(std::string_view text, const std::string& name,
                          const SideFiles& side = {});
Tokenizer read_word_list(const std::filesystem::path& file, const SideFiles& side = {},
                         const Cancel& cancel = {});

}  // namespace core::subword
