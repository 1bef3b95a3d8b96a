#include "core/attention/sparse/sparse_plan.h"

#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/attention/kernels/kernels.h"

namespace core::detail {
namespace {

// Packing a key costs about as much as this many pairs gain by being in a group.
constexpr Index kWorthALattice = 16;
// Runs with a step that are shorter than this, on average, are chance progressions.
constexpr Index kLongRun = 6;
// Each lattice is another copy of the keys and values: so many besides the keys in order.
constexpr std::size_t kMostLattices = 3;
// Rows of a block: whole groups, enough to share out. Those of a lattice need whole groups of each
// residue: so many times the step.
constexpr Index kBlockRows = 48;
constexpr Index kRowsEachResidue = 2 * kernels::kGroupRows;
// Scores of a block, in floats, at most, unless one row alone has more.
constexpr Index kBlockRoom = Index{1} << 20;
// Costs are counted in products of one query with one key within a group: what a scattered key
// costs, and what a group costs besides its rows.
constexpr Index kScatteredCost = 6;
constexpr Index kGroupCost = 2;

// At least one of so many neighbouring keys must be kept for a product over all of them.
constexpr Index kSparsest = 4;

constexpr Index kNone = std::numeric_limits<Index>::min();

template <class T>
std::span<const T> part(const std::vector<T>& all, const std::vector<Index>& first, Index row) {
  const auto at = static_cast<std::size_t>(row);
  return std::span(all).subspan(static_cast<std::size_t>(first[at]),
                                static_cast<std::size_t>(first[at + 1] - first[at]));
}

}  // namespace

Index Lattice::key(Index position) const {
  const Index each = m / step, longer = m % step;  // residues below `longer` have one key more
  if (position < longer * (each + 1)) {
    return position / (each + 1) + position % (each + 1) * step;
  }
  const Index past = position - longer * (each + 1);
  return longer + past / each + past % each * step;
}

std::span<const RowSegment> SparseBlock::row_segments(Index row) const {
  return part(segments, first_segment, row);
}

std::span<const std::int32_t> SparseBlock::row_keys(Index row) const {
  return part(keys, first_key, row);
}

std::span<const RunLayout> SparseBlock::row_layouts(Index row) const {
  return part(layouts, first_run, row);
}

SparsePlan::SparsePlan(const SparseMask& mask, Index lanes) : mask_(&mask), lanes_(lanes) {
  struct Use {
    Index pairs = 0, runs = 0;
  };
  std::unordered_map<Index, Use> used;  // by step
  Index step = 0;
  Use* use = nullptr;
  for (Index i = 0; i < mask.rows(); ++i) {
    for (const KeyRun& run : mask.row(i)) {
      if (run.step != step) use = &used[step = run.step];
      use->pairs += run.count;
      ++use->runs;
    }
  }
  const Index worth = kWorthALattice * mask.cols();
  std::vector<std::pair<Index, Index>> wide;
  for (const auto& [each, by] : used) {
    if (each == 1 || by.pairs < worth || by.pairs < kLongRun * by.runs) continue;
    wide.emplace_back(by.pairs, each);
  }
  std::sort(wide.rbegin(), wide.rend());
  if (wide.size() > kMostLattices) wide.resize(kMostLattices);
  Index rest = mask.kept(), largest = 0;
  for (const auto& [pairs, each] : wide) {
    lattices_.push_back({mask.cols(), each});
    largest = std::max(largest, each);
    rest -= pairs;
  }
  if (rest > 0 && rest >= worth) lattices_.push_back({mask.cols(), 1});
  rows_each_ = std::max(kBlockRows, largest * kRowsEachResidue);
}

Index SparsePlan::lattice_of(Index step) const {
  for (std::size_t i = 0; i < lattices_.size(); ++i) {
    if (lattices_[i].step == step) return static_cast<Index>(i);
  }
  return -1;
}

Index SparsePlan::block_end(Index first, Index limit) const {
  Index room = 0, i = first;
  for (; i < std::min(limit, first + rows_each_); ++i) {
    for (const KeyRun& run : mask_->row(i)) room += run.count + lanes_;
    if (room > kBlockRoom && i > first) break;
  }
  return i;
}

void SparsePlan::plan(Index first, Index end, SparseBlock& block) const {
  block.first = first;
  block.end = end;
  block.cost = 0;
  std::vector<Index> item_of_run;  // -1: scattered
  gather_items(block, item_of_run);
  const std::size_t items = block.items.size();
  form_groups(block);
  place_runs(block, item_of_run, place_groups(block, items));
  mark_kept(block);
}

// The gaps that an item of row i bridges. One of a vector's width is computed anyway, for ranges
// are rounded to vectors; a row of many short runs is better done as a whole than in odd pieces.
Index SparsePlan::bridged_gap(Index i) const {
  Index runs = 0, kept = 0, begin = mask_->cols(), end = 0;
  for (const KeyRun& run : mask_->row(i)) {
    if (run.step > 1 && lattice_of(run.step) >= 0) continue;
    ++runs;
    kept += run.count;
    begin = std::min<Index>(begin, run.begin);
    end = std::max<Index>(end, run.last() + 1);
  }
  const Index span = end - begin;
  return kSparsest * kept >= span && span <= 2 * lanes_ * runs ? mask_->cols() : lanes_;
}

// Runs become items where there is a lattice for them; the keys in order take small steps, too.
void SparsePlan::gather_items(SparseBlock& block, std::vector<Index>& item_of_run) const {
  block.items.clear();
  block.first_run.assign(1, 0);
  const Index in_order = lattice_of(1);
  for (Index i = block.first; i < block.end; ++i) {
    const Index gap = bridged_gap(i);
    Index open = -1;  // the item that the next run of keys in order may join
    for (const KeyRun& run : mask_->row(i)) {
      Index which = lattice_of(run.step);
      const bool own = which >= 0 && run.step > 1;
      if (which < 0 && (run.step <= kSparsest || gap > lanes_)) which = in_order;
      item_of_run.push_back(-1);
      if (which < 0) continue;
      const Index begin =
          own ? lattices_[static_cast<std::size_t>(which)].position(run.begin) : Index{run.begin};
      const Index end = own ? begin + run.count : Index{run.last()} + 1;
      const auto number = static_cast<Index>(block.items.size());
      if (!own && open >= 0 && begin <= block.items[static_cast<std::size_t>(open)].end + gap) {
        PlannedItem& item = block.items[static_cast<std::size_t>(open)];
        item.end = std::max(item.end, end);
        item.kept += run.count;
        item_of_run.back() = open;
        continue;
      }
      block.items.push_back({which, begin, end, i - block.first, run.count, number});
      item_of_run.back() = number;
      if (!own) open = number;
    }
    block.first_run.push_back(static_cast<Index>(item_of_run.size()));
  }
}

// Columns that a product over those positions computes: whole vectors.
Index SparsePlan::vectors(Index begin, Index end) const {
  return round_up(end, lanes_) - begin / lanes_ * lanes_;
}

// Sorted, rows that may share a group are neighbours. They join while that is cheaper than another
// group. A group that wastes more than its keys would cost one by one is left out.
void SparsePlan::form_groups(SparseBlock& block) const {
  block.groups.clear();
  // Even a whole group of the same so few keys would be left out.
  const Index least = (kernels::kGroupRows + kGroupCost) * lanes_;
  std::erase_if(block.items, [least](const PlannedItem& item) {
    return kernels::kGroupRows * kScatteredCost * item.kept < least;
  });
  const auto before = [](const PlannedItem& a, const PlannedItem& b) {
    return std::tie(a.lattice, a.begin, a.end, a.row) < std::tie(b.lattice, b.begin, b.end, b.row);
  };
  if (!std::is_sorted(block.items.begin(), block.items.end(), before)) {
    std::sort(block.items.begin(), block.items.end(), before);
  }
  const auto count = static_cast<Index>(block.items.size());
  for (Index at = 0, rows; at < count; at += rows) {
    const PlannedItem& head = block.items[static_cast<std::size_t>(at)];
    Index end = head.end, kept = head.kept;
    Index cost = (1 + kGroupCost) * vectors(head.begin, end);
    for (rows = 1; rows < kernels::kGroupRows && at + rows < count; ++rows) {
      const PlannedItem& next = block.items[static_cast<std::size_t>(at + rows)];
      if (next.lattice != head.lattice) break;
      const Index joined_end = std::max(end, next.end);
      const Index joined = (rows + 1 + kGroupCost) * vectors(head.begin, joined_end);
      const Index alone =
          std::min((1 + kGroupCost) * vectors(next.begin, next.end), kScatteredCost * next.kept);
      if (joined > cost + alone) break;
      cost = joined;
      end = joined_end;
      kept += next.kept;
    }
    if (cost > kScatteredCost * kept) continue;
    block.groups.push_back(
        {head.lattice, head.begin / lanes_ * lanes_, round_up(end, lanes_), at, rows, 0, 0});
    block.cost += static_cast<double>(cost);
  }
}

// The groups' scores, one group after the other, and the rows' segments of them. Position p of an
// item has its score at its shift + p; kNone where it is in no group.
std::vector<Index> SparsePlan::place_groups(SparseBlock& block, std::size_t items) const {
  std::vector<Index> shifts(items, kNone);  // by the items' numbers
  block.first_segment.assign(static_cast<std::size_t>(block.rows()) + 1, 0);
  block.room = 0;
  for (PlannedGroup& group : block.groups) {
    const Index width = group.end - group.begin;
    // An odd number of vectors: rows do not share the cache's sets.
    group.stride = width + (width / lanes_ % 2 == 0 ? lanes_ : 0);
    group.offset = block.room;
    block.room += group.rows * group.stride;
    for (Index r = 0; r < group.rows; ++r) {
      const PlannedItem& item = block.items[static_cast<std::size_t>(group.item + r)];
      shifts[static_cast<std::size_t>(item.number)] = group.offset + r * group.stride - group.begin;
      ++block.first_segment[static_cast<std::size_t>(item.row) + 1];
    }
  }
  std::partial_sum(block.first_segment.begin(), block.first_segment.end(),
                   block.first_segment.begin());
  block.segments.resize(static_cast<std::size_t>(block.first_segment.back()));
  std::vector<Index> next = block.first_segment;
  for (const PlannedItem& item : block.items) {
    const Index shift = shifts[static_cast<std::size_t>(item.number)];
    if (shift == kNone) continue;
    const Index begin = item.begin / lanes_ * lanes_;
    block.segments[static_cast<std::size_t>(next[static_cast<std::size_t>(item.row)]++)] = {
        shift + begin, vectors(item.begin, item.end), item.kept < item.end - item.begin, 0};
  }
  return shifts;
}

// Every run's place: in its group, or behind the groups where it is scattered.
void SparsePlan::place_runs(SparseBlock& block, const std::vector<Index>& item_of_run,
                            const std::vector<Index>& shifts) const {
  block.layouts.assign(item_of_run.size(), {});
  block.keys.clear();
  block.first_key.assign(1, 0);
  block.scattered_at.assign(static_cast<std::size_t>(block.rows()), 0);
  std::size_t number = 0;
  for (Index i = block.first; i < block.end; ++i) {
    Index scattered = 0;
    block.scattered_at[static_cast<std::size_t>(i - block.first)] = block.room;
    for (const KeyRun& run : mask_->row(i)) {
      const Index item = item_of_run[number];
      const Index shift = item < 0 ? kNone : shifts[static_cast<std::size_t>(item)];
      RunLayout& layout = block.layouts[number++];
      if (shift == kNone) {
        layout = {block.room + scattered, 1, true};
        scattered += run.count;
        for (std::int32_t t = 0; t < run.count; ++t) {
          block.keys.push_back(run.begin + t * run.step);
        }
        continue;
      }
      const Index which = lattice_of(run.step);
      const bool own = which >= 0 && run.step > 1;
      layout =
          own ? RunLayout{shift + lattices_[static_cast<std::size_t>(which)].position(run.begin)}
              : RunLayout{shift + run.begin, run.step};
    }
    block.cost += static_cast<double>(kScatteredCost * scattered);
    block.room = round_up(block.room + scattered, lanes_);
    block.first_key.push_back(block.first_key.back() + scattered);
  }
}

// One bit for each column of the segments with holes.
void SparsePlan::mark_kept(SparseBlock& block) const {
  block.bits.clear();
  for (Index row = 0; row < block.rows(); ++row) {
    const auto first = static_cast<std::size_t>(block.first_segment[static_cast<std::size_t>(row)]);
    for (std::size_t at = first; at < first + block.row_segments(row).size(); ++at) {
      RowSegment& segment = block.segments[at];
      if (!segment.holes) continue;
      segment.bits = static_cast<Index>(block.bits.size());
      block.bits.resize(block.bits.size() +
                        static_cast<std::size_t>(round_up(segment.count, 16) / 16));
      const RunLayout* layout = block.row_layouts(row).data();
      for (const KeyRun& run : mask_->row(block.first + row)) {
        const Index offset = layout->offset - segment.offset, stride = (layout++)->stride;
        if (offset < 0 || offset >= segment.count) continue;
        for (Index t = 0; t < run.count; ++t) {
          const Index column = offset + t * stride;
          block.bits[static_cast<std::size_t>(segment.bits + column / 16)] |=
              static_cast<std::uint16_t>(1 << column % 16);
        }
      }
    }
  }
}

}  // namespace core::detail
