// What lies beside the vocabulary of a published tokenizer: tokenizer_config.json,
// special_tokens_map.json and added_tokens.json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/tokenizer/models/vocabulary.h"
#include "core/tokenizer/steps/added_tokens.h"

namespace core::subword {

// Their texts; empty: there is no such file.
struct SideTexts {
  std::string config, specials, added;
};

struct SideFiles {
  // A token that is cut out of texts. Without an id it is a token of the vocabulary, or none.
  struct Token {
    std::optional<Id> id;
    AddedToken token;
  };
  std::vector<Token> tokens;  // each text once
  std::string begin, end;     // the texts of bos_token and eos_token; empty: none
  // Whether they stand around texts, and a space before: what is not said is the class's.
  std::optional<bool> adds_begin, adds_end, adds_space;
  std::string of_class;                            // tokenizer_class without "Fast"
  std::optional<bool> lower, accents, ideographs;  // of word lists
  std::vector<std::string> files;                  // names of those that were read
  std::vector<std::string> unread;  // keys of tokenizer_config.json that nothing reads

  // LLaMA's class makes its template itself: the beginning, unless it is told not to, and the end
  // where it is told to.
  bool makes_template() const { return of_class == "LlamaTokenizer"; }
};

// InputError, which begins with the file's name, for what is no JSON object, or a token that is
// none. added_tokens.json counts where tokenizer_config.json lists no added tokens, as in the
// published library.
SideFiles parse_side_files(const SideTexts& texts);
// Those that lie in the folder.
SideFiles read_side_files(const std::filesystem::path& folder, const Cancel& cancel = {});

// The tokens of the files that `known` does not have, with the ids that the vocabulary or the files
// say, added to it.
void add_side_tokens(const SideFiles& side, const Vocabulary& vocabulary,
                     std::vector<AddedToken>& known);

}  // namespace core::subword
