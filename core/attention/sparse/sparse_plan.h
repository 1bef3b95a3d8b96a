// How the kept pairs of a sparse mask are computed: what can be done as products of small dense
// matrices, and what key by key.
//
// Runs of step s become ranges once the keys are put in the order 0, s, 2 s, ..., 1, 1 + s, ...: a
// lattice. Rows whose ranges on a lattice nearly coincide form a group; queries times keys is then
// a product of dense matrices with ragged edges. Runs that would fill such a product poorly are
// scattered: their keys are visited one after the other. Short gaps between the runs of a row are
// bridged, so that a row of many short runs is one range with holes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mask/sparse_mask.h"
#include "core/types.h"

namespace core::detail {

// The m keys in the order that makes ranges of runs with this step.
struct Lattice {
  Index m = 0, step = 1;

  // Position of the first key that leaves this residue. 0 <= residue <= step.
  Index first(Index residue) const { return residue * (m / step) + std::min(residue, m % step); }
  Index position(Index key) const { return first(key % step) + key / step; }
  Index key(Index position) const;
};

// One row's keys in a group: a range of positions, all of which are kept unless it has holes.
struct PlannedItem {
  Index lattice = 0;         // its index in SparsePlan::lattices
  Index begin = 0, end = 0;  // positions
  Index row = 0;             // counted from the block's first
  Index kept = 0;
  Index number = 0;  // before they were sorted
};

// Rows of a block that share a range of positions: items [item, item + rows).
struct PlannedGroup {
  Index lattice = 0;
  Index begin = 0, end = 0;  // positions, in whole vectors; the last may lie past m
  Index item = 0, rows = 0;
  Index offset = 0, stride = 0;  // of its scores in the block's room, floats
};

// Where the scores of a run lie in the block's room: one every `stride` floats from `offset` on.
// The scattered runs of a row follow each other, in order, from a vector's boundary on.
struct RunLayout {
  Index offset = 0, stride = 1;
  bool scattered = false;
};

// Part of a row's scores in the block's room, in whole vectors. With holes, what no run of the row
// has its place in is to be hidden.
struct RowSegment {
  Index offset = 0, count = 0;
  bool holes = false;
  Index bits = 0;  // with holes: its first word in SparseBlock::bits
};

// Rows [first, end) of a mask and the room that their scores need together.
struct SparseBlock {
  Index first = 0, end = 0;
  std::vector<PlannedGroup> groups;
  std::vector<PlannedItem> items;
  std::vector<RunLayout> layouts;    // of each run, counted from the first row's first
  std::vector<RowSegment> segments;  // of the rows, one after the other
  std::vector<Index> first_segment;  // of each row, and the end
  // For segments with holes: whether column c is kept is bit c % 16 of the segment's word c / 16.
  std::vector<std::uint16_t> bits;
  std::vector<Index> first_run;     // of each row, and the end
  std::vector<std::int32_t> keys;   // the scattered ones, row by row, in the order of the runs
  std::vector<Index> first_key;     // of each row, and the end
  std::vector<Index> scattered_at;  // of each row: where their scores begin
  Index room = 0;                   // floats
  double cost = 0;                  // in products of one query with one key, roughly

  Index rows() const { return end - first; }
  std::span<const RowSegment> row_segments(Index row) const;
  std::span<const RunLayout> row_layouts(Index row) const;
  std::span<const std::int32_t> row_keys(Index row) const;
};

// The plan depends on the mask and on the width of vectors, on nothing else.
class SparsePlan {
 public:
  // `mask` must outlive this.
  SparsePlan(const SparseMask& mask, Index lanes);

  const SparseMask& mask() const { return *mask_; }
  Index lanes() const { return lanes_; }
  const std::vector<Lattice>& lattices() const { return lattices_; }

  // Rows that a block has at most.
  Index rows_each() const { return rows_each_; }
  // The row after the last of the block that begins at `first`, at most `limit`.
  Index block_end(Index first, Index limit) const;
  // Fills `block` for the rows [first, end); its memory is used again.
  void plan(Index first, Index end, SparseBlock& block) const;

 private:
  void gather_items(SparseBlock& block, std::vector<Index>& item_of_run) const;
  Index bridged_gap(Index i) const;
  void form_groups(SparseBlock& block) const;
  std::vector<Index> place_groups(SparseBlock& block, std::size_t items) const;
  void place_runs(SparseBlock& block, const std::vector<Index>& item_of_run,
                  const std::vector<Index>& shifts) const;
  void mark_kept(SparseBlock& block) const;
  // The lattice of runs with that step, or -1.
  Index lattice_of(Index step) const;
  Index vectors(Index begin, Index end) const;

  const SparseMask* mask_;
  Index lanes_;
  Index rows_each_;
  std::vector<Lattice> lattices_;
};

}  // namespace core::detail
