// Texts that are looked for at a place of another text, all at once.
#pragma once

#include <string_view>

#include "core/tokenizer/models/pair_map.h"

namespace core::subword {

class ByteTrie {
 public:
  // An empty text is never found; of equal ones the first value holds. value < PairMap::kNone.
  void add(std::string_view text, std::uint32_t value) {
    if (text.empty()) return;
    std::uint32_t node = 0;
    for (const char byte : text) {
      const auto fresh = static_cast<std::uint32_t>(ends_.size());
      node = children_.at(PairMap::key(node, static_cast<unsigned char>(byte)), fresh);
      if (node == fresh) ends_.push_back(PairMap::kNone);
    }
    if (ends_[node] == PairMap::kNone) ends_[node] = value;
  }

  // Calls take(end, value) for each text that stands at [begin, end), from the shortest on.
  template <class Take>
  void each_beginning(std::string_view text, std::size_t begin, Take&& take) const {
    std::uint32_t node = 0;
    for (std::size_t end = begin; end < text.size();) {
      node = children_.find(PairMap::key(node, static_cast<unsigned char>(text[end])));
      if (node == PairMap::kNone) return;
      ++end;
      if (ends_[node] != PairMap::kNone) take(end, ends_[node]);
    }
  }
  bool empty() const { return ends_.size() == 1; }

 private:
  PairMap children_;  // of a node and a byte
  std::vector<std::uint32_t> ends_ = {PairMap::kNone};
};

}  // namespace core::subword
