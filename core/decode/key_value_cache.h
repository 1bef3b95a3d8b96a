// Keys and values of the tokens that a decoder has read: in each layer, once for each key head, in
// a format; of all tokens, or of the last ones and a few of the first.
#pragma once

#include <vector>

#include "core/decode/stored_matrix.h"

namespace core::decode {

// Position of a key once keys in the middle are gone.
enum class CachePositions {
  original,  // where it stood in the text
  in_cache   // where it stands among the keys that are left (Xiao et al. 2023, section 3.2)
};

struct CacheForm {
  Format stored = kFloat32;
  Index window = 0;  // the last tokens that are kept, the newest among them; 0: all
  Index sinks = 0;   // and the first ones, beside a window ("attention sinks", the same paper)
  CachePositions positions = CachePositions::original;

  bool operator==(const CacheForm&) const = default;
};

// Slots of tokens. Without a window slot t has token t; with one the first tokens have slots of
// their own, and the others take turns in those behind.
class CacheSlots {
 public:
  CacheSlots() = default;
  // `longest`: of texts that are kept whole. InputError for negative sizes, and for sinks without a
  // window.
  CacheSlots(const CacheForm& form, Index longest);

  Index capacity() const { return capacity_; }
  Index held(Index tokens) const { return std::min(tokens, capacity_); }
  bool evicts(Index tokens) const { return tokens > capacity_; }
  Index slot_of(Index token) const;
  // The token in each of the held slots after `tokens` were read, in the slots' order.
  std::vector<Index> tokens_in_slots(Index tokens) const;
  // How far before the newest token, by their places, those in the slots stand; held() numbers.
  void distances(Index tokens, Index* to) const;
  // The token in a held slot.
  Index token_in(Index slot, Index tokens) const;

 private:
  CacheForm form_;
  Index capacity_ = 0;
};

// Keys and values of all layers. Rows of a head lie side by side.
class KeyValueCache {
 public:
  KeyValueCache() = default;
  KeyValueCache(const CacheForm& form, Index longest, Index layers, Index key_heads, Index width);

  const CacheForm& form() const { return form_; }
  const CacheSlots& slots() const { return slots_; }
  Index first_row(Index key_head) const { return key_head * slots_.capacity(); }
  const StoredMatrix& keys(Index layer) const { return keys_[static_cast<std::size_t>(layer)]; }
  const StoredMatrix& values(Index layer) const { return values_[static_cast<std::size_t>(layer)]; }
  // Stores a token's key and value of one layer and head, in the slot of its number.
  void put(Index layer, Index key_head, Index token, const float* key, const float* value);

  // Keys and values of one token, in all layers.
  Index bytes_a_token() const;
  // Bytes held after `tokens` were read: what is kept, and what the newest one reads.
  Index bytes_held(Index tokens) const { return slots_.held(tokens) * bytes_a_token(); }

 private:
  CacheForm form_;
  CacheSlots slots_;
  Index key_heads_ = 1;
  std::vector<StoredMatrix> keys_, values_;  // by layer: (key_heads capacity, width)
};

}  // namespace core::decode
