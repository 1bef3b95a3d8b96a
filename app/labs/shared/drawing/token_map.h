// The attention map of a text with itself, as the knobs "query" and "key" choose a pair of it.
#pragma once

#include "app/labs/shared/drawing/pair_map.h"

namespace lab {

struct ChosenPair {
  Index query = 0, key = 0;
  bool pinned = true;
};
inline PairMap token_map(Index tokens, const Labels& labels, const ChosenPair& pair,
                         core::Pool pool, const Words& w) {
  return {.queries = tokens,
          .keys = tokens,
          .labels = labels,
          .query = pair.query,
          .key = pair.key,
          .pinned = pair.pinned,
          .pool = pool,
          .query_label = w("query"),
          .key_label = w("key")};
}

// The same of tokens that are read, as the knob "token" chooses the one that looks, pinned to a key
// or not.
inline PairMap reading_map(Index queries, Index keys, Labels labels, Index token,
                           std::optional<Index> key, const Words& w) {
  return {.queries = queries,
          .keys = keys,
          .labels = std::move(labels),
          .query = token,
          .key = key.value_or(-1),
          .pinned = key.has_value(),
          .query_label = w("query's token"),
          .key_label = w("key's token"),
          .query_link = "token",
          .key_link = "looked_at",
          .query_param = "token"};
}

}  // namespace lab
