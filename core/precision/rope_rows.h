// Equal rows of a rounded rotary table (core/precision/rope_rounding.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/precision/rope_rounding.h"

namespace core {

// For each position 0 .. n - 1 the first one whose row of the table, all cosines and sines, is the
// same; NaN equals NaN. So the rows that differ among the first k positions are the p < k that
// stand for themselves. Rows of equal angles are found as such; of the others, cosines and sines
// are taken for as many pairs as it needs to tell them apart. 0 <= n < 2^31, else InputError.
std::vector<std::int32_t> first_equal_rows(const RotaryRounder& rounder, Index n, int threads = 0,
                                           const Cancel& cancel = {});

}  // namespace core
