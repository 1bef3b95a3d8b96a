#include "core/mask/patterns/window_patterns.h"

#include "core/mask/patterns/pattern_rows.h"

namespace core::pattern {
namespace {

using detail::add_run;
using detail::mask_by_rows;
using detail::require_pattern;

// One past the last key that query i sees.
Index end_of(Index i, Index n, Causal causal) { return causal == Causal::yes ? i + 1 : n; }

}  // namespace

SparseMask full(Index n, Index m) {
  return mask_by_rows(n, m, [&](Index, auto& row) { add_run(row, 0, m); });
}

SparseMask causal(Index n, Index m) {
  return mask_by_rows(n, m, [&](Index i, auto& row) { add_run(row, 0, i + m - n + 1); });
}

SparseMask key_padding(Index n, Index m, Index valid) {
  require_pattern(valid >= 0 && valid <= m, "a number of valid keys from 0 to m", valid);
  return mask_by_rows(n, m, [&](Index, auto& row) { add_run(row, 0, valid); });
}

SparseMask query_padding(Index n, Index m, Index valid) {
  require_pattern(valid >= 0 && valid <= n, "a number of valid queries from 0 to n", valid);
  return mask_by_rows(n, m, [&](Index i, auto& row) { add_run(row, 0, i < valid ? m : 0); });
}

SparseMask local(Index n, Index reach, Causal causal) { return dilated(n, reach, 1, causal); }

SparseMask atrous(Index n, Index stride, Causal causal) {
  require_pattern(stride >= 1, "a stride of at least 1", stride);
  return mask_by_rows(
      n, n, [&](Index i, auto& row) { add_run(row, i % stride, end_of(i, n, causal), stride); });
}

SparseMask local_and_atrous(Index n, Index k, Causal causal) {
  require_pattern(k >= 1, "k of at least 1", k);
  if (k == 1) return causal == Causal::yes ? pattern::causal(n, n) : full(n, n);
  const Index reach = std::min(k, n);
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    const Index end = end_of(i, n, causal);
    add_run(row, std::max<Index>(0, i - reach), std::min(end, i + reach + 1));
    // The window holds the multiples 0 and k already.
    if (i >= 2 * reach) add_run(row, i % k, i - 2 * reach + 1, k);
    add_run(row, i + 2 * reach, end, k);
  });
}

SparseMask dilated(Index n, Index reach, Index dilation, Causal causal) {
  require_pattern(reach >= 0, "a reach of at least 0", reach);
  require_pattern(dilation >= 1, "a dilation of at least 1", dilation);
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    const Index before = std::min(reach, i / dilation);
    const Index behind = causal == Causal::yes ? 0 : std::min(reach, (n - 1 - i) / dilation);
    add_run(row, i - before * dilation, i + behind * dilation + 1, dilation);
  });
}

}  // namespace core::pattern
