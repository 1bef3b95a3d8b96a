// SentencePiece's table of replacements, "precompiled_charsmap": a trie in a double array (Aoe
// 1989; the layout is darts-clone's) and the texts that its leaves point to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core::subword {

class PrecompiledMap {
 public:
  // blob: a u32 in little-endian order, the trie's bytes, that many bytes of u32 units, and texts
  // that end in a zero. InputError where a part is cut off, or a leaf of the trie leads outside of
  // the texts.
  explicit PrecompiledMap(std::string_view blob);

  // What the shortest beginning of `text` that the trie holds becomes; nothing when it holds none.
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  void check_leaves() const;
  void check_leaf(std::uint32_t node) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

}  // namespace core::subword
