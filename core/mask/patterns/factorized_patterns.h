// The factorised patterns of the Sparse Transformer: two masks, A1 and A2, that connect every pair
// in two steps. They are used in turn by layers or heads, or merged into one.
//
// Source: Child, Gray, Radford and Sutskever, Generating Long Sequences with Sparse Transformers
// (2019), section 4.3. All are causal. The paper takes l near sqrt(n), and c of 8 to 32 for l of
// 128 or 256.
#pragma once

#include "core/mask/sparse_mask.h"

namespace core::pattern {

// A1_i = {t, t + 1, ..., i} with t = max(0, i - l): the last l keys and the query's own.
SparseMask strided_a1(Index n, Index l);
// A2_i = {j : (i - j) mod l = 0}: every l-th key.
SparseMask strided_a2(Index n, Index l);
// Both. l >= 1, here and above.
SparseMask strided_merged(Index n, Index l);

// A1_i = {j : floor(j / l) = floor(i / l)}: the query's own block.
SparseMask fixed_a1(Index n, Index l);
// A2_i = {j : j mod l in {l - c, ..., l - 1}}: the last c keys of each block, which sum it up. The
// queries before key l - c see nothing.
SparseMask fixed_a2(Index n, Index l, Index c);
// Both. l >= 1 and 1 <= c <= l, here and above.
SparseMask fixed_merged(Index n, Index l, Index c);

}  // namespace core::pattern
