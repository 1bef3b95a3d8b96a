// Windows with a few keys that everyone sees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mask/sparse_mask.h"

namespace core::pattern {

// A window of `reach` keys on each side, every `dilation`-th, and tokens that see and are seen by
// all (`global`, in any order, each from 0 to n - 1). reach >= 0, dilation >= 1.
// Source: Beltagy, Peters and Cohan, Longformer (2020), section 3.1, whose window size w is
// 2 reach here.
struct LongformerShape {
  Index reach = 0, dilation = 1;
  std::vector<Index> global;
};
SparseMask longformer(Index n, const LongformerShape& shape);

// Window, global tokens and random keys.
// Source: Zaheer et al., Big Bird (2020), section 2 (window, global, random).
struct BigBirdShape {
  Index reach = 0;
  std::vector<Index> global;
};
// With the random keys of each query given, one list a query; they may lie in the window.
SparseMask bigbird(Index n, const BigBirdShape& shape,
                   std::span<const std::vector<Index>> random_keys);
// With `random` keys drawn for each query, distinct and outside its window and the global keys, so
// that a row gains exactly that many while there are keys left (the global rows have all of them).
// Row i draws from its own stream of `seed` (core/random.h).
SparseMask bigbird(Index n, const BigBirdShape& shape, Index random, std::uint64_t seed);

// The first `sinks` keys, and the last `window` keys up to the query, its own among them. Causal.
// sinks >= 0, window >= 1. Source: Xiao et al., Efficient Streaming Language Models with Attention
// Sinks (2023), section 3.2.
SparseMask streaming(Index n, Index sinks, Index window);

// Causal, but the first `prefix` keys are seen by all. 0 <= prefix <= n.
// Source: Raffel et al., T5 (2020), section 3.2.1, figure 3, "causal with prefix".
SparseMask prefix_lm(Index n, Index prefix);

}  // namespace core::pattern
