// Learned absolute positions: a table with one row for each position, added to the token's
// embedding (Gehring et al. 2017, BERT, GPT-2). It has no row beyond its last position.
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

// What stands for a position p >= rows, for which nothing was learned.
enum class BeyondTable {
  refuse,  // InputError: what an embedding layer does
  zeros,   // no position at all
  last,    // the last row again: all further positions look the same
  wrap,    // row p modulo rows: far positions look like near ones
};

// Row k of the result is the table's row for positions[k]. table: (rows, d), rows >= 1. A negative
// position is always an InputError.
MatrixD learned_positions(const MatrixD& table, const std::vector<Index>& positions,
                          BeyondTable beyond = BeyondTable::refuse);

// (ids.size(), classes): 1 at (i, ids[i]), else 0. 0 <= ids[i] < classes, else InputError.
MatrixD one_hot(const std::vector<Index>& ids, Index classes);

// x_k + p_k as one linear map of concatenated one-hots, [onehot(token); onehot(position)]
// [W_e; W_p]: why adding is a special case of concatenating. token_table: (V, d), position_table:
// (rows, d), as many positions as ids, all inside their tables, else InputError. Result (n, d).
MatrixD embed_by_concatenation(const MatrixD& token_table, const std::vector<Index>& ids,
                               const MatrixD& position_table, const std::vector<Index>& positions);

}  // namespace core
