#include "core/mask/patterns/block_patterns.h"

#include <unordered_map>

#include "core/mask/patterns/pattern_rows.h"

namespace core::pattern {
namespace {

using detail::add_run;
using detail::mask_by_rows;
using detail::require_pattern;

// The keys of `runs` up to and with `last`.
void add_until(std::vector<KeyRun>& row, std::span<const KeyRun> runs, std::int32_t last) {
  for (const KeyRun& run : runs) {
    add_run(row, run.begin, std::min(run.last(), last) + 1, run.step);
  }
}

}  // namespace

SparseMask documents(std::span<const Index> ids, Causal causal) {
  std::unordered_map<Index, std::vector<std::int32_t>> keys;
  for (std::size_t i = 0; i < ids.size(); ++i) keys[ids[i]].push_back(static_cast<std::int32_t>(i));
  std::unordered_map<Index, std::vector<KeyRun>> runs;
  for (const auto& [id, of] : keys) append_runs(of, runs[id]);
  const auto n = static_cast<Index>(ids.size());
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    const Index last = causal == Causal::yes ? i : n - 1;
    add_until(row, runs[ids[static_cast<std::size_t>(i)]], static_cast<std::int32_t>(last));
  });
}

SparseMask documents_of(std::span<const Index> lengths, Causal causal) {
  std::vector<Index> ids;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    require_pattern(lengths[k] >= 0, "a document of length 0 or more", lengths[k]);
    const Index left = SparseMask::kMost - static_cast<Index>(ids.size());
    require_pattern(lengths[k] <= left, "documents of at most 2^30 tokens in all", lengths[k]);
    ids.insert(ids.end(), static_cast<std::size_t>(lengths[k]), static_cast<Index>(k));
  }
  return documents(ids, causal);
}

SparseMask block_sparse(const SparseMask& layout, Index block) {
  require_pattern(block >= 1 && block <= SparseMask::kMost, "a block of 1 to 2^30", block);
  return block_sparse(layout, block, layout.rows() * block, layout.cols() * block);
}

SparseMask block_sparse(const SparseMask& layout, Index block, Index n, Index m) {
  require_pattern(block >= 1 && block <= SparseMask::kMost, "a block of 1 to 2^30", block);
  const auto fits = [block](Index size, Index blocks) {
    return size <= blocks * block && size > (blocks - 1) * block;
  };
  require_pattern(fits(n, layout.rows()), "queries that end in the layout's last row", n);
  require_pattern(fits(m, layout.cols()), "keys that end in the layout's last column", m);
  RunAlgebra algebra;
  return mask_by_rows(n, m, [&](Index i, auto& row) {
    for (const KeyRun& run : layout.row(i / block)) {
      const Index solid = run.step == 1 ? run.count : 1;
      for (Index k = 0; k < run.count; k += solid) {
        const Index begin = (run.begin + k * run.step) * block;
        add_run(row, begin, std::min(m, begin + solid * block));
      }
    }
    row = algebra.unite(row, {});
  });
}

SparseMask local_2d(const Grid& grid, Index reach_y, Index reach_x) {
  require_pattern(grid.height >= 0, "a height of at least 0", grid.height);
  require_pattern(grid.width >= 0, "a width of at least 0", grid.width);
  require_pattern(reach_y >= 0, "a reach of at least 0", reach_y);
  require_pattern(reach_x >= 0, "a reach of at least 0", reach_x);
  require_pattern(grid.width == 0 || grid.height <= SparseMask::kMost / grid.width,
                  "a height that makes at most 2^30 tokens", grid.height);
  const Index n = grid.height * grid.width;
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    const Index y = i / grid.width, x = i % grid.width;
    const Index left = x - std::min(x, reach_x);
    const Index right = x + std::min(grid.width - 1 - x, reach_x) + 1;
    const Index top = y - std::min(y, reach_y);
    const Index bottom = y + std::min(grid.height - 1 - y, reach_y) + 1;
    if (right - left == grid.width) {
      add_run(row, top * grid.width, bottom * grid.width);
      return;
    }
    for (Index line = top; line < bottom; ++line) {
      add_run(row, line * grid.width + left, line * grid.width + right);
    }
  });
}

}  // namespace core::pattern
