#include "core/mask/compose.h"

#include <algorithm>

#include "core/mask/run_algebra.h"
#include "core/refuse.h"

namespace core {
namespace {

using Combine = const std::vector<KeyRun>& (RunAlgebra::*)(RunAlgebra::Runs, RunAlgebra::Runs);

SparseMask combine(const SparseMask& a, const SparseMask& b, Combine operation) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    refuse("masks", "two of one shape",
           shape_text(a.rows(), a.cols()) + " and " + shape_text(b.rows(), b.cols()));
  }
  RunAlgebra algebra;
  SparseMaskBuilder builder(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i) builder.add_row((algebra.*operation)(a.row(i), b.row(i)));
  return builder.finish();
}

KeyRange within(KeyRange range, Index size) {
  return {std::clamp<Index>(range.begin, 0, size), std::clamp<Index>(range.end, 0, size)};
}

KeyRun run_of(KeyRange range) {
  return {static_cast<std::int32_t>(range.begin), static_cast<std::int32_t>(range.size()), 1};
}

}  // namespace

SparseMask intersect(const SparseMask& a, const SparseMask& b) {
  return combine(a, b, &RunAlgebra::intersect);
}
SparseMask unite(const SparseMask& a, const SparseMask& b) {
  return combine(a, b, &RunAlgebra::unite);
}
SparseMask subtract(const SparseMask& a, const SparseMask& b) {
  return combine(a, b, &RunAlgebra::subtract);
}

SparseMask painted(const SparseMask& base, std::span<const PaintedBlock> blocks) {
  // The blocks that begin at each row, and those that reach the row at hand, both in order.
  std::vector<std::vector<std::size_t>> begin(static_cast<std::size_t>(base.rows()) + 1);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const KeyRange rows = within(blocks[k].rows, base.rows());
    if (rows.size() > 0 && within(blocks[k].keys, base.cols()).size() > 0) {
      begin[static_cast<std::size_t>(rows.begin)].push_back(k);
    }
  }
  std::vector<std::size_t> here;
  std::vector<KeyRun> row;
  RunAlgebra algebra;
  SparseMaskBuilder builder(base.rows(), base.cols());
  for (Index i = 0; i < base.rows(); ++i) {
    std::erase_if(here, [&](std::size_t k) { return blocks[k].rows.end <= i; });
    const auto& fresh = begin[static_cast<std::size_t>(i)];
    here.insert(here.end(), fresh.begin(), fresh.end());
    std::sort(here.begin(), here.end());
    row.assign(base.row(i).begin(), base.row(i).end());
    for (const std::size_t k : here) {
      const KeyRun stroke = run_of(within(blocks[k].keys, base.cols()));
      row =
          blocks[k].allow ? algebra.unite(row, {&stroke, 1}) : algebra.subtract(row, {&stroke, 1});
    }
    builder.add_row(row);
  }
  return builder.finish();
}

SparseMask from_ranges(Index m, std::span<const std::vector<KeyRange>> rows) {
  SparseMaskBuilder builder(static_cast<Index>(rows.size()), m);
  RunAlgebra algebra;
  std::vector<KeyRun> row;
  for (const std::vector<KeyRange>& ranges : rows) {
    row.clear();
    for (const KeyRange& range : ranges) {
      if (range.size() == 0) continue;
      if (range.begin < 0 || range.end > m) {
        refuse("ranges", "keys from 0 to " + std::to_string(m),
               std::to_string(range.begin) + " to " + std::to_string(range.end));
      }
      const KeyRun run = run_of(range);
      row = algebra.unite(row, {&run, 1});
    }
    builder.add_row(row);
  }
  return builder.finish();
}

}  // namespace core
