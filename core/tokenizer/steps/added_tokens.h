// Tokens that are cut out of a text before anything else looks at it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/tokenizer/models/byte_trie.h"
#include "core/tokenizer/models/vocabulary.h"
#include "core/tokenizer/steps/normalizer.h"

namespace core::subword {

struct AddedToken {
  Id id;
  std::string text;
  bool single_word = false;  // only where no word goes on before or after it
  bool left = false;         // takes the white space before it
  bool right = false;        // and after it
  bool normalized = false;   // looked for after the text was normalised, as what it becomes itself
  bool special = false;      // left out where a text is wanted without such tokens
};

class AddedTokens {
 public:
  // A stretch of a text: plain, or a token.
  struct Cut {
    std::size_t begin, end;
    std::optional<Id> id;
  };

  AddedTokens() = default;
  // InputError when an id or a text is there twice.
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer& normalizer);

  const std::vector<AddedToken>& all() const { return tokens_; }
  const AddedToken* find(Id id) const;
  const AddedToken* find(const std::string& text) const;

  // The text in order, without holes and empty stretches; of tokens that begin at one place the
  // longest is taken. normalized: which of the tokens are looked for.
  std::vector<Cut> cut(std::string_view text, bool normalized) const;

 private:
  std::vector<AddedToken> tokens_;
  std::unordered_map<Id, std::size_t> slots_;
  std::unordered_map<std::string, std::size_t> texts_;
  ByteTrie raw_, normalized_;  // to places in tokens_
};

}  // namespace core::subword
