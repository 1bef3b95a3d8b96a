// Cost of one attention layer in multiply-adds and bytes, dense or under a mask.
//
// A multiply-add (MAC) is one multiplication and the addition it feeds. Softmax is not counted: its
// exponentials are a d_k-th of the products.
#pragma once

#include "core/mask/sparse_mask.h"
#include "core/types.h"

namespace core {

// One layer of h heads over n positions of width d = h d_k = h d_v, projections square.
struct AttentionSize {
  Index n = 1, d = 1, heads = 1, layers = 1;
  Index bytes_per_number = 2;  // float16, as in the usual statement; 4 for float
};

// n and d from 1 to 2^20, heads and layers to 4096, up to 8 bytes, and heads divide d; else
// InputError. So every product fits into 63 bits.
struct AttentionCost {
  Index projection_macs;    // 4 n d^2: Q, K, V and the output
  Index score_macs;         // n^2 d: q . k over all heads
  Index weighted_sum_macs;  // n^2 d: weights times values
  Index score_entries;      // h n^2 of all heads: the h heads cost no products but this memory
  Index score_bytes;        // the same in bytes
  Index kv_cache_bytes;     // 2 n d numbers a layer, all layers
  Index causal_pairs;       // n (n + 1) / 2
};
AttentionCost attention_cost(const AttentionSize& size);

// Cost under a mask: each kept pair takes d_k multiply-adds for its score and d_v for its value, in
// every head. In double, since 2^30 x 2^30 pairs times widths pass 2^63.
struct HeadSize {
  Index heads = 1, d_k = 1, d_v = 1;  // as above
};
struct MaskedCost {
  double pairs;         // kept, of one head
  double macs;          // pairs heads (d_k + d_v)
  double dense_macs;    // n m heads (d_k + d_v): without a mask, or with one that only hides
  double weight_bytes;  // pairs heads 4: every kept weight as a float
  double index_bytes;   // the mask itself
};
MaskedCost masked_cost(const SparseMask& mask, const HeadSize& size);
// Cost for a number of kept pairs of an n by m mask that is not made; index_bytes is 0.
MaskedCost masked_cost(Index n, Index m, Index pairs, const HeadSize& size);

}  // namespace core
