// How far rotary angles are off under rounding (core/precision/rope_rounding.h): of one pair over a
// run of positions, and as any part of the table of positions by pairs, pooled; nothing is kept.
#pragma once

#include "core/precision/rope_rounding.h"
#include "core/tile.h"
#include "core/types.h"

namespace core {

// Statistics of |hand - exact angle| in radians, as numbers on the line: more than pi is possible.
// The hand is where the finished cosine and sine point (RotaryRounder::hand).
struct AngleErrors {
  Index count = 0;
  double largest = 0, sum = 0;  // of the finite ones
  Index infinite = 0, nan = 0;  // the others
  // How many had a finite angle but no hand: cosine and sine rounded to 0.
  Index without_hand = 0;
  Index lost() const { return infinite + nan; }
  // The largest, with NaN above infinity above all else; the mean likewise.
  double max() const;
  double mean() const;
  void merge(const AngleErrors& more);
};

// Errors of pair i at positions first .. first + n - 1. first, n >= 0 and 0 <= i < pairs, else
// InputError.
AngleErrors angle_errors(const RotaryRounder& rounder, Index i, Index first, Index n);
// Errors of all pairs at positions 0 .. n - 1. threads: 0 = all cores; the result does not depend
// on it.
AngleErrors angle_errors(const RotaryRounder& rounder, Index n, int threads = 0,
                         const Cancel& cancel = {});

struct RotaryErrorTile {
  Index n = 0;        // positions in all
  int row_level = 0;  // 2^row_level positions are one cell,
  int col_level = 0;  // 2^col_level pairs
  Region region;      // in pooled cells
  Pool pool = Pool::max;
};

// region.rows x region.cols, of |hand - exact angle|. Looks at every cell. n >= 0, levels from 0
// to 30, the region inside of the table, else InputError; Cancelled when `cancel` fires.
Matrix rotary_error_tile(const RotaryRounder& rounder, const RotaryErrorTile& tile, int threads = 0,
                         const Cancel& cancel = {});

}  // namespace core
