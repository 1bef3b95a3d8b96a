#include "core/mask/patterns/factorized_patterns.h"

#include "core/mask/patterns/pattern_rows.h"
#include "core/mask/patterns/window_patterns.h"

namespace core::pattern {
namespace {

using detail::add_run;
using detail::mask_by_rows;
using detail::require_pattern;

void require_block(Index l) { require_pattern(l >= 1, "l of at least 1", l); }
void require_summary(Index l, Index c) {
  require_block(l);
  require_pattern(c >= 1 && c <= l, "c from 1 to l", c);
}

// The summary keys below `end`, block by block or as c strides, whichever is fewer.
void add_summaries(std::vector<KeyRun>& row, Index l, Index c, Index end) {
  const Index first = l - c;
  if (first >= end) return;
  if (c == l) {
    add_run(row, 0, end);
  } else if ((end - first + l - 1) / l <= c) {
    for (Index block = first; block < end; block += l)
      add_run(row, block, std::min(end, block + c));
  } else {
    for (Index key = first; key < std::min(l, end); ++key) add_run(row, key, end, l);
  }
}

}  // namespace

SparseMask strided_a1(Index n, Index l) {
  require_block(l);
  return local(n, l, Causal::yes);
}

SparseMask strided_a2(Index n, Index l) {
  require_block(l);
  return atrous(n, l, Causal::yes);
}

SparseMask strided_merged(Index n, Index l) {
  require_block(l);
  return local_and_atrous(n, l, Causal::yes);
}

SparseMask fixed_a1(Index n, Index l) {
  require_block(l);
  return mask_by_rows(n, n, [&](Index i, auto& row) { add_run(row, i - i % l, i + 1); });
}

SparseMask fixed_a2(Index n, Index l, Index c) {
  require_summary(l, c);
  return mask_by_rows(n, n, [&](Index i, auto& row) { add_summaries(row, l, c, i + 1); });
}

SparseMask fixed_merged(Index n, Index l, Index c) {
  require_summary(l, c);
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    add_summaries(row, l, c, i - i % l);
    add_run(row, i - i % l, i + 1);
  });
}

}  // namespace core::pattern
