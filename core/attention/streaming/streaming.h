// Attention whose matrix is never whole: rows' statistics, the output and a pooled overview. Memory
// grows with n + m, not with n m. Any tile of the weights can be had afterwards: weight_tile.h.
//
// Source: Milakov and Gimelshein, Online normalizer calculation for softmax (2018), algorithm 3,
// for the statistics; Rabe and Staats, Self-attention Does Not Need O(n^2) Memory (2021), section
// 2, for the output beside them; the blocks are those of Dao et al., FlashAttention (2022),
// algorithm 1.
#pragma once

#include <vector>

#include "core/attention/fast/fast.h"
#include "core/tile.h"
#include "core/types.h"

namespace core {

struct StreamedAttention {
  AttentionShape shape;
  // As in Attention; equal to it but for rounding.
  Matrix output, row_max, row_sum, entropy;
  // Cell (a, b) of the overview stands for rows a 2^level to (a + 1) 2^level and the same of
  // columns. Each head's weights, pooled over allowed cells; kMasked where none is; NaN where a
  // weight is.
  int level = 0;
  std::vector<Matrix> overview_max, overview_mean;  // one of each for each head
};

// The least level at which an overview of n x m cells has at most `limit` rows and columns. limit
// >= 1.
int overview_level(Index n, Index m, Index limit);

// Inputs, options and errors as in attend_fast (options.keep_weights is of no consequence). The
// overview has at most overview_limit rows and columns; 0 asks for none.
StreamedAttention stream_attention(const Matrix& Q, const Matrix& K, const Matrix& V,
                                   const AttentionOptions& options, Index overview_limit = 512,
                                   const Cancel& cancel = {});

}  // namespace core
