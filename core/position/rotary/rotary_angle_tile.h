// Any part of the table of rotary angles, positions by pairs, pooled, straight from the formula: a
// table of a million positions is looked at without ever being kept. Works for any frequencies, of
// rotary_scaling.h too.
#pragma once

#include "core/tile.h"
#include "core/types.h"

namespace core {

enum class AngleQuantity {
  cosine,  // cos(p theta'_i)
  turns,   // p theta'_i / 2 pi without its whole turns, in [0, 1)
  unseen,  // 1 where that part of a turn was never reached in training, else 0
};

struct RotaryAngles {
  VectorD theta;          // (pairs), radians per position: theta'_i, those in use
  VectorD trained_turns;  // (pairs): L theta_i / 2 pi, how far each pair turned in training
};

// L theta_i / 2 pi: the turns of each pair within a window of L positions. length >= 0, else
// InputError.
VectorD turns_within(const VectorD& theta, double length);

// Training covered a pair's angles from 0 to its trained turns, all of them once it was a whole
// turn. Whether an angle of so many turns lies outside of what it covered.
bool angle_unseen(double turns, double trained_turns);

// One cell, in double. p >= 0, pair inside of theta, else InputError.
double rotary_angle_value(const RotaryAngles& angles, AngleQuantity quantity, Index p, Index pair);

struct RotaryAngleTile {
  Index n = 0;        // positions in all
  int row_level = 0;  // 2^row_level positions are one cell,
  int col_level = 0;  // 2^col_level pairs
  Region region;      // in pooled cells
  Pool pool = Pool::max;
  AngleQuantity quantity = AngleQuantity::cosine;
};

// region.rows x region.cols. The mean of cosines costs the pooled rows times the pairs only,
//   sum_{k<N} cos((a + k) theta) = cos((a + (N-1)/2) theta) sin(N theta / 2) / sin(theta / 2);
// all else looks at every cell. One theta and one number of trained turns a pair, n >= 0, levels
// from 0 to 30, the region inside of the table, else InputError; Cancelled when `cancel` fires.
// threads: 0 = all cores.
Matrix rotary_angle_tile(const RotaryAngles& angles, const RotaryAngleTile& tile, int threads = 0,
                         const Cancel& cancel = {});

}  // namespace core
