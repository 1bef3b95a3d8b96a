#include "core/decode/key_value_cache.h"

#include "core/refuse.h"

namespace core::decode {

CacheSlots::CacheSlots(const CacheForm& form, Index longest) : form_(form) {
  if (form.window < 0 || form.sinks < 0 || longest < 1) {
    throw InputError(Message(N_("cache: expected sizes of at least 0, got a window of {}, {} sinks "
                                "and texts of {} tokens"),
                             form.window, form.sinks, longest));
  }
  if (form.sinks > 0 && form.window == 0) {
    throw InputError(Message(N_("cache: expected a window together with {} sinks, got none: "
                                "without one everything is kept"),
                             form.sinks));
  }
  capacity_ = form.window == 0 ? longest : form.sinks + form.window;
}

Index CacheSlots::slot_of(Index token) const {
  if (form_.window == 0 || token < form_.sinks) return token;
  return form_.sinks + (token - form_.sinks) % form_.window;
}

Index CacheSlots::token_in(Index slot, Index tokens) const {
  if (!evicts(tokens) || slot < form_.sinks) return slot;
  // The newest is tokens - 1; slots behind its own have what came a whole window earlier.
  const Index newest = slot_of(tokens - 1);
  return tokens - 1 - (newest - slot + (slot > newest ? form_.window : 0));
}

std::vector<Index> CacheSlots::tokens_in_slots(Index tokens) const {
  std::vector<Index> all(static_cast<std::size_t>(held(tokens)));
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = token_in(static_cast<Index>(s), tokens);
  return all;
}

void CacheSlots::distances(Index tokens, Index* to) const {
  const Index count = held(tokens);
  const bool closed_up = form_.positions == CachePositions::in_cache;
  for (Index s = 0; s < count; ++s) {
    // Among the last ones nothing is missing: they are as far apart either way.
    to[s] = closed_up && s < form_.sinks ? count - 1 - s : tokens - 1 - token_in(s, tokens);
  }
}

KeyValueCache::KeyValueCache(const CacheForm& form, Index longest, Index layers, Index key_heads,
                             Index width)
    : form_(form), slots_(form, longest), key_heads_(key_heads) {
  for (Index k = 0; k < layers; ++k) {
    keys_.emplace_back(key_heads * slots_.capacity(), width, form.stored);
    values_.emplace_back(key_heads * slots_.capacity(), width, form.stored);
  }
}

void KeyValueCache::put(Index layer, Index key_head, Index token, const float* key,
                        const float* value) {
  const Index row = first_row(key_head) + slots_.slot_of(token);
  keys_[static_cast<std::size_t>(layer)].put(row, key);
  values_[static_cast<std::size_t>(layer)].put(row, value);
}

Index KeyValueCache::bytes_a_token() const {
  Index sum = 0;
  for (const StoredMatrix& keys : keys_) {
    sum += 2 * key_heads_ * keys.cols() * stored_bytes(keys.format());
  }
  return sum;
}

}  // namespace core::decode
