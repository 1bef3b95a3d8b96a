// Rows of weights of which only some keys are looked at.
#pragma once

#include <vector>

#include "core/heads/head_rows.h"

namespace core::heads {

struct RowFilter {
  std::vector<bool> queries = {}, keys = {};  // those that are looked at; empty: all
  double share = 1;          // of each row the largest weights, until they have this share of it
  bool renormalize = false;  // what is left is divided by its sum

  bool changes_nothing() const {
    return queries.empty() && keys.empty() && share >= 1 && !renormalize;
  }
};

// One row of them. What is not looked at is masked. First the keys, then the share: of what the
// keys leave the largest first, of equals the one before, until the share is reached. Renormalised,
// what is left adds up to 1; where it adds up to 0, or to nothing that one can divide by, the row
// is masked. Negative numbers and NaN stay as they are and take part in the sum; with a share that
// is not 1 they are left out.
void filter_row(const RowFilter& filter, Index query, float* row, Index keys);

// `rows` filtered. The lists are as long as there are queries and keys, else InputError; 0 <=
// share, else InputError.
HeadPointer filtered_rows(HeadPointer rows, RowFilter filter);

// The smallest number of largest weights that have that share of their sum, by at_least() of
// float32, as row_filter keeps them: true where one is kept. Only positive weights are.
std::vector<bool> top_share(const std::vector<float>& row, double share);

}  // namespace core::heads
