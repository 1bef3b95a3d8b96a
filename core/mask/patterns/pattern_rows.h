// Shared by the families of patterns: making a mask row by row, runs from keys of any size, and
// refusing.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/mask/run_algebra.h"
#include "core/mask/sparse_mask.h"
#include "core/refuse.h"

namespace core::detail {

inline void require_pattern(bool good, const char* expected, Index came) {
  if (!good) refuse("mask pattern", expected, std::to_string(came));
}

// Appends the keys of [begin, end) that are begin, begin + step, ...; nothing when the range is
// empty. A step beyond the range leaves the first key.
inline void add_run(std::vector<KeyRun>& row, Index begin, Index end, Index step = 1) {
  if (begin >= end) return;
  const Index count = 1 + (end - begin - 1) / step;
  row.push_back({static_cast<std::int32_t>(begin), static_cast<std::int32_t>(count),
                 count > 1 ? static_cast<std::int32_t>(step) : 1});
}

// fill(i, row) appends the runs of row i, distinct keys, to `row`.
template <class Fill>
SparseMask mask_by_rows(Index n, Index m, Fill&& fill) {
  SparseMaskBuilder builder(n, m);
  std::vector<KeyRun> row;
  for (Index i = 0; i < n; ++i) {
    row.clear();
    fill(i, row);
    builder.add_row(row);
  }
  return builder.finish();
}

}  // namespace core::detail
