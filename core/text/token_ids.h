// Ids of the tokens of texts that are read together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/text/tokenize.h"

namespace core {

// Equal tokens have one id, whatever their text; new ones get the next, in the order in which they
// come.
class TokenIds {
 public:
  // These words have the first ids; no token is one of them.
  explicit TokenIds(std::vector<std::string> reserved = {}) : words_(std::move(reserved)) {}

  std::int32_t of(const Token& token) {
    const auto next = static_cast<std::int32_t>(words_.size());
    const auto [found, is_new] = ids_.emplace(token.identity, next);
    if (is_new) words_.push_back(token.label);
    return found->second;
  }
  // By id; of equal tokens as the first was written.
  const std::vector<std::string>& words() const { return words_; }

 private:
  std::vector<std::string> words_;
  std::map<std::u32string, std::int32_t> ids_;
};

}  // namespace core
