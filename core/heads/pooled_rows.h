// Rows of weights as pictures show them: pooled over blocks of queries and keys as they are read.
#pragma once

#include "core/heads/head_rows.h"

namespace core::heads {

// Writes region.rows by region.cols pooled cells of 2^level by 2^level pairs, row by row, to `out`.
// Of each block the number of the largest magnitude, with its sign (of two the first), or the mean;
// masked pairs do not count, a NaN makes it NaN. The region holds a pair at least.
void pool_rows(const HeadRows& head, int level, const Region& region, Pool pool, float* out,
               const Cancel& cancel = {});

}  // namespace core::heads
