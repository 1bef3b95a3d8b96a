#include "core/attention/sparse_plan.h"

#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/attention/kernels/kernels.h"

namespace core::detail {
namespace {

// Packing a key costs about as much as this many pairs gain by being in a group.
constexpr Index kWorthALattice = 16;
// Each lattice is another copy of the keys and values.
constexpr std::size_t kMostLattices = 4;
// Rows of a block: whole groups, enough to share out. Those of a lattice need whole groups of each
// residue: so many times the step.
constexpr Index kBlockRows = 48;
constexpr Index kRowsEachResidue = 2 * kernels::kGroupRows;
// Scores of a block, in floats, at most, unless one row alone has more.
constexpr Index kBlockRoom = Index{1} << 20;
// Products of one query with one key, counted as a group's part of a product: what one scattered
// key costs, and what a group costs besides its rows.
constexpr Index kScatteredCost = 4;
constexpr Index kGroupCost = 2;

Index round_up(Index i, Index step) { return (i + step - 1) / step * step; }

}  // namespace

Index Lattice::key(Index position) const {
  const Index each = m / step, longer = m % step;  // residues below `longer` have one key more
  if (position < longer * (each + 1)) {
    return position / (each + 1) + position % (each + 1) * step;
  }
  const Index past = position - longer * (each + 1);
  return longer + past / each + past % each * step;
}

SparsePlan::SparsePlan(const SparseMask& mask, Index lanes) : mask_(&mask), lanes_(lanes) {
  std::unordered_map<Index, Index> kept;  // by step
  Index step = 0, *count = nullptr;
  for (Index i = 0; i < mask.rows(); ++i) {
    for (const KeyRun& run : mask.row(i)) {
      if (run.step != step) count = &kept[step = run.step];
      *count += run.count;
    }
  }
  std::vector<std::pair<Index, Index>> worth;
  for (const auto& [each, pairs] : kept) {
    if (pairs >= kWorthALattice * mask.cols()) worth.emplace_back(pairs, each);
  }
  std::sort(worth.rbegin(), worth.rend());
  if (worth.size() > kMostLattices) worth.resize(kMostLattices);
  Index largest = 1;
  for (const auto& [pairs, each] : worth) {
    lattices_.push_back({mask.cols(), each});
    largest = std::max(largest, each);
  }
  rows_each_ = largest == 1 ? kBlockRows : std::max(kBlockRows, largest * kRowsEachResidue);
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
  gather_items(block);
  form_groups(block);
  lay_out(block);
}

// Every run on a lattice becomes an item, sorted so that rows which may share a group are
// neighbours; the others are scattered.
void SparsePlan::gather_items(SparseBlock& block) const {
  block.items.clear();
  block.groups.clear();
  block.places.clear();
  for (Index i = block.first; i < block.end; ++i) {
    for (const KeyRun& run : mask_->row(i)) {
      const Index which = lattice_of(run.step), number = static_cast<Index>(block.places.size());
      block.places.push_back({0, which < 0});
      if (which < 0) continue;
      const Index begin = lattices_[static_cast<std::size_t>(which)].position(run.begin);
      block.items.push_back({which, i - block.first, number, begin, begin + run.count});
    }
  }
  const auto before = [](const PlannedItem& a, const PlannedItem& b) {
    return std::tie(a.lattice, a.begin, a.end, a.row) < std::tie(b.lattice, b.begin, b.end, b.row);
  };
  if (!std::is_sorted(block.items.begin(), block.items.end(), before)) {
    std::sort(block.items.begin(), block.items.end(), before);
  }
}

// Columns that a product over those positions computes: whole vectors.
Index SparsePlan::vectors(Index begin, Index end) const {
  return round_up(end, lanes_) - begin / lanes_ * lanes_;
}

// Neighbours join a group while that is cheaper than another group. A group that wastes more than
// visiting its keys one by one would cost is dissolved.
void SparsePlan::form_groups(SparseBlock& block) const {
  const Index count = static_cast<Index>(block.items.size());
  for (Index at = 0; at < count;) {
    const PlannedItem& head = block.items[static_cast<std::size_t>(at)];
    Index begin = head.begin, end = head.end, kept = end - begin, rows = 1;
    Index cost = (1 + kGroupCost) * vectors(begin, end);
    for (; rows < kernels::kGroupRows && at + rows < count; ++rows) {
      const PlannedItem& next = block.items[static_cast<std::size_t>(at + rows)];
      if (next.lattice != head.lattice) break;
      const Index joined_end = std::max(end, next.end);
      const Index joined = (rows + 1 + kGroupCost) * vectors(begin, joined_end);
      const Index alone = std::min((1 + kGroupCost) * vectors(next.begin, next.end),
                                   kScatteredCost * (next.end - next.begin));
      if (joined > cost + alone) break;
      cost = joined;
      end = joined_end;
      kept += next.end - next.begin;
    }
    if (cost > kScatteredCost * kept) {
      for (Index t = at; t < at + rows; ++t) {
        const Index run = block.items[static_cast<std::size_t>(t)].run;
        block.places[static_cast<std::size_t>(run)].scattered = true;
      }
    } else {
      block.groups.push_back(
          {head.lattice, begin / lanes_ * lanes_, round_up(end, lanes_), at, rows, 0, 0});
      block.cost += static_cast<double>(cost);
    }
    at += rows;
  }
}

void SparsePlan::lay_out(SparseBlock& block) const {
  const auto rows = static_cast<std::size_t>(block.end - block.first);
  block.scattered.assign(rows, 0);
  block.scattered_at.assign(rows, 0);
  block.room = 0;
  std::size_t number = 0;
  for (Index i = block.first; i < block.end; ++i) {
    const auto row = static_cast<std::size_t>(i - block.first);
    block.scattered_at[row] = block.room;
    for (const KeyRun& run : mask_->row(i)) {
      RunPlace& place = block.places[number++];
      if (!place.scattered) continue;
      place.offset = block.room + block.scattered[row];
      block.scattered[row] += run.count;
    }
    block.cost += static_cast<double>(kScatteredCost * block.scattered[row]);
    block.room = round_up(block.room + block.scattered[row], lanes_);
  }
  for (PlannedGroup& group : block.groups) {
    const Index width = group.end - group.begin;
    // An odd number of vectors: rows do not share the cache's sets.
    group.stride = width + (width / lanes_ % 2 == 0 ? lanes_ : 0);
    group.offset = block.room;
    for (Index r = 0; r < group.rows; ++r) {
      const PlannedItem& item = block.items[static_cast<std::size_t>(group.item + r)];
      block.places[static_cast<std::size_t>(item.run)].offset =
          group.offset + r * group.stride + item.begin - group.begin;
    }
    block.room += group.rows * group.stride;
  }
}

}  // namespace core::detail
