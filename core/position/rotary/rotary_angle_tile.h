// Any part of the table of rotary angles, positions by pairs, pooled. Cells come straight from the
// formula, so a table of a million positions is shown without being stored. For any frequencies,
// those of rotary_scaling.h too.
#pragma once

#include "core/tile.h"
#include "core/types.h"

namespace core {

enum class AngleQuantity {
  cosine,  // cos(p theta'_i)
  turns,   // p theta'_i / 2 pi modulo 1, in [0, 1)
  unseen,  // 1 where training never reached that fraction of a turn, else 0
};

struct RotaryAngles {
  VectorD theta;          // (pairs), radians per position: theta'_i, those in use
  VectorD trained_turns;  // (pairs): L theta_i / 2 pi, how far each pair turned in training
};

// L theta_i / 2 pi: the turns of each pair within a window of L positions. length >= 0, else
// InputError.
VectorD turns_within(const VectorD& theta, double length);

// Whether an angle of `turns` turns lies outside what training covered: from 0 to trained_turns, or
// every angle once that is a whole turn.
bool angle_unseen(double turns, double trained_turns);

// One cell, in double. p >= 0, pair within theta, else InputError.
double rotary_angle_value(const RotaryAngles& angles, AngleQuantity quantity, Index p, Index pair);

struct RotaryAngleTile {
  Index n = 0;        // number of positions
  int row_level = 0;  // a cell pools 2^row_level positions
  int col_level = 0;  // by 2^col_level pairs
  Region region;      // in pooled cells
  Pool pool = Pool::max;
  AngleQuantity quantity = AngleQuantity::cosine;
};

// (region.rows, region.cols). The mean of cosines costs the pooled rows times the pairs only, by
//   sum_{k<N} cos((a + k) theta) = cos((a + (N-1)/2) theta) sin(N theta / 2) / sin(theta / 2);
// everything else visits each cell. As many trained turns as thetas, n >= 0, levels from 0 to 30,
// the region inside the table, else InputError; Cancelled when `cancel` fires. threads: 0 = all
// cores.
Matrix rotary_angle_tile(const RotaryAngles& angles, const RotaryAngleTile& tile, int threads = 0,
                         const Cancel& cancel = {});

}  // namespace core
