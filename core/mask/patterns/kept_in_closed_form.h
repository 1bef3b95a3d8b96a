// How many pairs a pattern keeps, in closed form: without the mask, at any size. Names and
// arguments are those of the patterns (window_patterns.h and its neighbours); sizes from 0 to 2^30,
// InputError when an argument is not one of the pattern's.
#pragma once

#include <span>

#include "core/mask/patterns/block_patterns.h"
#include "core/mask/patterns/global_patterns.h"
#include "core/mask/patterns/window_patterns.h"
#include "core/types.h"

namespace core::kept {

Index full(Index n, Index m);               // n m
Index causal(Index n, Index m);             // n (n + 1) / 2 when n = m
Index key_padding(Index n, Index valid);    // n valid
Index query_padding(Index m, Index valid);  // valid m
// n (2k + 1) - k (k + 1) with k = min(reach, n - 1); causal n (k + 1) - k (k + 1) / 2.
Index local(Index n, Index reach, Causal causal = Causal::no);
// r (q + 1)^2 + (k - r) q^2 for n = q k + r: each residue sees itself. Causal: (q + 1)(q + 2) / 2
// and q (q + 1) / 2 in place of the squares.
Index atrous(Index n, Index stride, Causal causal = Causal::no);
// local + atrous less what they share, the distances 0 and k: n + 2 max(0, n - k), causal
// n + max(0, n - k).
Index local_and_atrous(Index n, Index k, Causal causal = Causal::no);
// n plus n - t d, twice unless causal, for each distance t d below n with t <= reach.
Index dilated(Index n, Index reach, Index dilation, Causal causal = Causal::no);

Index fixed_a1(Index n, Index l);  // q l (l + 1) / 2 + r (r + 1) / 2 for n = q l + r
// Each summary key j is seen by n - j queries; there are c a block, fewer in the last.
Index fixed_a2(Index n, Index l, Index c);
// A1 + A2 less the pairs of queries and keys that both lie in the summary of one block.
Index fixed_merged(Index n, Index l, Index c);

// The dilated window; each of g global tokens adds its row and column, 2 g n - g^2 pairs, less the
// window pairs that lie there already. O(g^2) time.
Index longformer(Index n, const pattern::LongformerShape& shape);
// A row keeps min(i + 1, sinks + window): as many as a causal window of reach sinks + window - 1.
Index streaming(Index n, Index sinks, Index window);
Index prefix_lm(Index n, Index prefix);  // n (n + 1) / 2 + prefix (prefix - 1) / 2

// The sum of length^2, causal length (length + 1) / 2.
Index documents_of(std::span<const Index> lengths, Causal causal = Causal::no);
// block^2 for each pair of the layout; no block may be cut.
Index block_sparse(const SparseMask& layout, Index block);
// local(height, reach_y) local(width, reach_x): the two axes choose independently.
Index local_2d(const pattern::Grid& grid, Index reach_y, Index reach_x);

}  // namespace core::kept
