// From pairs of small numbers to small numbers: what merges and tries ask millions of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace core::subword {

// Open addressing over a table of which at most a half is filled. Keys below 2^64 - 1.
class PairMap {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  static std::uint64_t key(std::uint32_t first, std::uint32_t second) {
    return (static_cast<std::uint64_t>(first) << 32) | second;
  }

  // The value of a key; kNone when it has none.
  std::uint32_t find(std::uint64_t key) const {
    return keys_.empty() ? kNone : values_[place(key)];
  }
  // What a key stands for, to be read or set; a new one stands for `fresh`.
  std::uint32_t& at(std::uint64_t key, std::uint32_t fresh = kNone) {
    if (2 * (count_ + 1) > keys_.size()) grow();
    const std::size_t slot = place(key);
    if (keys_[slot] != key) {
      keys_[slot] = key;
      values_[slot] = fresh;
      ++count_;
    }
    return values_[slot];
  }
  std::size_t size() const { return count_; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  // The key's slot, or the free one where it would go.
  std::size_t place(std::uint64_t key) const {
    const std::size_t last = keys_.size() - 1;
    std::uint64_t mixed = key * 0x9e3779b97f4a7c15;
    mixed ^= mixed >> 32;
    std::size_t slot = static_cast<std::size_t>(mixed) & last;
    while (keys_[slot] != key && keys_[slot] != kFree) slot = (slot + 1) & last;
    return slot;
  }
  void grow() {
    PairMap larger;
    const std::size_t slots = keys_.empty() ? 64 : 2 * keys_.size();
    larger.keys_.assign(slots, kFree);
    larger.values_.assign(slots, kNone);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (keys_[k] != kFree) larger.at(keys_[k]) = values_[k];
    }
    *this = std::move(larger);
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t count_ = 0;
};

}  // namespace core::subword
