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

}  // namespace lab
