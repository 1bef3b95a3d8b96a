// Patterns that follow from the distance of query and key alone, and padding.
//
// Here and in the other families: n queries and m keys, both from 0 to SparseMask::kMost; row =
// query i, column = key j. InputError, one sentence, for what does not fit.
#pragma once

#include "core/mask/sparse_mask.h"

namespace core {

// Whether a query sees the keys behind it, j > i, as well.
enum class Causal { no, yes };

namespace pattern {

// Every query sees every key, as between decoder and encoder.
SparseMask full(Index n, Index m);
// j <= i + (m - n): the last query sees the last key. Vaswani et al. (2017), section 3.2.3.
SparseMask causal(Index n, Index m);
// j < valid: the keys from `valid` on are padding. 0 <= valid <= m.
SparseMask key_padding(Index n, Index m, Index valid);
// i < valid: the queries from `valid` on are padding and see nothing. 0 <= valid <= n.
SparseMask query_padding(Index n, Index m, Index valid);

// |i - j| <= reach, the window of 2 reach + 1 keys. reach >= 0. Vaswani et al. (2017), section 4,
// "restricted" self-attention, with r before and r behind.
SparseMask local(Index n, Index reach, Causal causal = Causal::no);
// |i - j| = 0, k, 2k, ...: the distances that a dilated ("atrous") convolution sees. stride >= 1.
SparseMask atrous(Index n, Index stride, Causal causal = Causal::no);
// |i - j| <= k or a multiple of k: local and atrous in one. k >= 1. With Causal::yes it is the
// merged strided pattern of Child et al. (2019), section 4.3.
SparseMask local_and_atrous(Index n, Index k, Causal causal = Causal::no);
// |i - j| = 0, d, 2d, ..., reach d: a window with holes. reach >= 0, dilation >= 1. Beltagy et al.
// (2020), section 3.1, "dilated sliding window".
SparseMask dilated(Index n, Index reach, Index dilation, Causal causal = Causal::no);

}  // namespace pattern
}  // namespace core
