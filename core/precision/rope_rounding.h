// Rotary embedding (core/position/rotary.h) when some of its steps are rounded to a low format.
//
// In the order of the computation: the position id p, the frequency theta_i, the angle p theta_i,
// the finished cosine and sine, the vectors and the rotated vectors. Rounding the ids lets
// neighbours share a row; rounding the angle moves the phase by up to half its spacing, which at a
// large angle is more than a turn; rounding the finished table costs half a unit in the last place.
#pragma once

#include <optional>
#include <vector>

#include "core/position/rotary.h"
#include "core/precision/carried.h"
#include "core/types.h"

namespace core {

struct RotaryRounding {
  Format low = kBFloat16;
  RoundingRule rule = {};
  // What everything else is computed in (core/precision/carried.h): float32 as frameworks do, or
  // kFloat64 to see the low roundings alone.
  Format carrier = kFloat32;
  bool ids = false, frequencies = false, angles = false, table = false;
  // Vectors before and after the rotation; otherwise they stay in double.
  bool vectors = false, rotated = false;
  // Whether a cosine or sine that is not rounded low is still rounded to the carrier.
  bool table_in_carrier = true;
};

class RotaryRounder {
 public:
  // theta: the exact frequencies, in radians per position (core/position/frequency.h). InputError
  // for a format that require_format refuses and for stochastic rounding.
  RotaryRounder(VectorD theta, const RotaryRounding& rounding);

  Index pairs() const { return exact_theta_.size(); }
  const RotaryRounding& rounding() const { return rounding_; }

  double id(double position) const { return step_(position, rounding_.ids); }
  const VectorD& theta() const { return theta_; }
  // 0 <= i < pairs() in all that follows; not checked. Radians.
  double exact_angle(double position, Index i) const { return position * exact_theta_(i); }
  double angle(double position, Index i) const;
  // angle - exact_angle, as a number on the line: more than pi is possible.
  double angle_error(double position, Index i) const {
    return angle(position, i) - exact_angle(position, i);
  }
  // An id beyond the format is infinite; its cosine and sine are then NaN.
  double cos(double position, Index i) const;
  double sin(double position, Index i) const;

  // The table of positions first .. first + n - 1, (n, pairs). n, first >= 0, else InputError.
  // `table` keeps its memory where the shape allows. threads: 0 = all cores.
  void fill(RotaryTableD& table, Index first, Index n, int threads = 0,
            const Cancel& cancel = {}) const;

  // x (2 pairs) turned as a token at `position`.
  VectorD turned(const VectorD& x, double position,
                 RotaryPairing pairing = RotaryPairing::neighbours) const;
  // The product of the turned query and key, added up in double. q, k (2 pairs), else InputError.
  double score(const VectorD& q, const VectorD& k, double query_position, double key_position,
               RotaryPairing pairing = RotaryPairing::neighbours) const;

 private:
  double table_entry(double exact) const;

  RotaryRounding rounding_;
  Carried step_;
  VectorD exact_theta_, theta_;
};

struct RotaryRoundingFacts {
  Index n = 0;
  Index distinct_rows = 0;            // different rows of cosines and sines
  std::vector<Index> distinct_pairs;  // different (cos, sin), for each frequency
  // |entry - exact entry| over all cosines and sines that are numbers.
  double max_error = 0, mean_error = 0;
  double max_angle_error = 0;  // radians; of finite angles
  Index not_finite = 0;        // entries that are NaN
};

// Of the table of positions 0 .. n-1. Costs n pairs sines and a sort of as many: 0.1 s for 8192 x
// 64. Zeros of either sign are one value, NaNs are one. n >= 0, else InputError; Cancelled when
// `cancel` fires. threads: 0 = all cores; the result does not depend on it.
RotaryRoundingFacts rotary_rounding_facts(const RotaryRounder& rounder, Index n, int threads = 0,
                                          const Cancel& cancel = {});

}  // namespace core
