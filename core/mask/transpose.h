// A mask seen from its keys: which queries see each key.
#pragma once

#include <vector>

#include "core/mask/sparse_mask.h"

namespace core {

// The mask with rows and columns exchanged: row j holds the queries that see key j. The time
// follows the changes from one row to the next, in runs: a window or a block costs O(n), a stride,
// whose rows share no key with their neighbours, the kept pairs.
SparseMask transpose(const SparseMask& mask);

// How many queries see each key: m numbers. O(runs + s m) with s different steps; those beyond
// the first 16 cost their keys.
std::vector<Index> column_counts(const SparseMask& mask);

// The queries that see key j, rising. O(runs). InputError when there is no key j.
std::vector<Index> queries_of_key(const SparseMask& mask, Index j);

}  // namespace core
