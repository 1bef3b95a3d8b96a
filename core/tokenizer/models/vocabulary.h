// Tokens and their ids.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/types.h"

namespace core::subword {

using Id = std::int32_t;

class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  // InputError when the token or its id is there already. Memory goes with the largest id.
  void add(std::string token, Id id);

  std::optional<Id> find(std::string_view token) const {
    const auto found = ids_.find(token);
    return found == ids_.end() ? std::nullopt : std::optional<Id>(found->second);
  }
  // Null for an id that no token has.
  const std::string* token(Id id) const {
    return id < 0 || id >= end() ? nullptr : tokens_[static_cast<std::size_t>(id)];
  }
  // How many tokens, and one more than the largest id.
  Index size() const { return static_cast<Index>(ids_.size()); }
  Id end() const { return static_cast<Id>(tokens_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> tokens_;  // the keys above
};

}  // namespace core::subword
