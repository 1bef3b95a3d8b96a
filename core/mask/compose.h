// And, or and minus of masks in index form. Time and memory follow the runs (a window and a stride
// stay a few runs a row), never n x m.
#pragma once

#include <span>

#include "core/mask/sparse_mask.h"

namespace core {

// The pairs that both keep; that one of them keeps; that `a` keeps and `b` does not. The shapes
// must be equal, else InputError.
SparseMask intersect(const SparseMask& a, const SparseMask& b);
SparseMask unite(const SparseMask& a, const SparseMask& b);
SparseMask subtract(const SparseMask& a, const SparseMask& b);

// Rows `rows` and keys `keys`, allowed or forbidden together: what a stroke of the mouse paints.
struct PaintedBlock {
  KeyRange rows, keys;
  bool allow = true;
};

// `base` with the blocks painted over it, one after the other: where two overlap, the later one
// holds. Blocks reach outside at will; what lies outside is left out. The time follows the runs of
// `base` and the rows of the blocks.
SparseMask painted(const SparseMask& base, std::span<const PaintedBlock> blocks);

// A mask of m columns from the ranges of each row, which may touch, overlap and be empty; one entry
// a row. InputError when a range that is not empty does not lie within 0 to m.
SparseMask from_ranges(Index m, std::span<const std::vector<KeyRange>> rows);

}  // namespace core
