// Patterns made of rectangles.
#pragma once

#include <span>

#include "core/mask/patterns/window_patterns.h"
#include "core/mask/sparse_mask.h"

namespace core::pattern {

// Several documents in one sequence: i sees j when ids[i] = ids[j]. n is the number of ids, which
// may be any numbers and need not lie together.
SparseMask documents(std::span<const Index> ids, Causal causal = Causal::no);
// The same from the lengths of documents that follow one another; each >= 0, n is their sum.
SparseMask documents_of(std::span<const Index> lengths, Causal causal = Causal::no);

// Every pair of `layout` stands for a block of block x block pairs; blocks at the end are cut where
// n queries and m keys end. block >= 1, and n and m reach into the last row and column of the
// layout (they are rows * block and cols * block unless given). BigBird's blocked form (Zaheer et
// al. 2020, appendix D) is this of `bigbird` with a token for each block.
SparseMask block_sparse(const SparseMask& layout, Index block);
SparseMask block_sparse(const SparseMask& layout, Index block, Index n, Index m);

// Tokens of an image, row by row: (y, x) sees (y', x') when |y - y'| <= reach_y and
// |x - x'| <= reach_x. height, width >= 0, at most SparseMask::kMost tokens; reaches >= 0. The
// neighbourhoods of Parmar et al., Image Transformer (2018), section 3.2, without blocks or order.
struct Grid {
  Index height = 0, width = 0;
};
SparseMask local_2d(const Grid& grid, Index reach_y, Index reach_x);

}  // namespace core::pattern
