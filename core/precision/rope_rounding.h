// Rotary embedding (core/position/rotary/rotary.h) when some of its steps are rounded to a low
// format.
//
// In the order of the computation: the position id p, the frequency theta_i, the angle p theta_i,
// the finished cosine and sine, the vectors and the rotated vectors. Rounding the ids lets
// neighbours share a row; rounding the angle moves the phase by up to half its spacing, which at a
// large angle is more than a turn; rounding the finished table costs half a unit in the last place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "core/position/rotary/rotary.h"
#include "core/precision/rounding.h"
#include "core/types.h"

namespace core {

// The steps that may be rounded, in the order of the computation.
enum class RotaryStep : unsigned char {
  id,         // the position
  frequency,  // theta_i
  angle,      // the product of the two
  table,      // the finished cosine and sine
  vector,     // queries and keys before the rotation
  rotated,    // and after it
};

class RotarySteps {
 public:
  constexpr RotarySteps() = default;
  constexpr RotarySteps(std::initializer_list<RotaryStep> steps) {
    for (const RotaryStep step : steps) add(step);
  }

  constexpr void add(RotaryStep step) { bits_ |= bit(step); }
  constexpr bool has(RotaryStep step) const { return (bits_ & bit(step)) != 0; }
  bool operator==(const RotarySteps&) const = default;

 private:
  static constexpr unsigned bit(RotaryStep step) { return 1U << static_cast<unsigned>(step); }

  unsigned bits_ = 0;
};

// What a finished cosine or sine that is not rounded low is kept in.
enum class UnroundedTable { carrier, float64 };

struct RotaryRounding {
  Format low = kBFloat16;
  RoundingRule rule = {};  // of `low`; the carrier rounds to nearest, ties to even
  // What everything else is computed in (core/precision/carried.h): float32 as frameworks do, or
  // kFloat64 to see the low roundings alone.
  Format carrier = kFloat32;
  // For stochastic rounding: each step of each entry has random bits of its own, the same whenever
  // it is asked for.
  std::uint64_t seed = 0;
  // Rounded to `low`. The others are rounded to the carrier, but for vectors, which then stay in
  // double.
  RotarySteps steps = {};
  UnroundedTable unrounded_table = UnroundedTable::carrier;

  bool rounds(RotaryStep step) const { return steps.has(step); }
};

class RotaryRounder {
 public:
  // theta: the exact frequencies, in radians per position (core/position/frequency.h). InputError
  // for a format that require_format refuses.
  RotaryRounder(VectorD theta, const RotaryRounding& rounding);

  Index pairs() const { return exact_theta_.size(); }
  const RotaryRounding& rounding() const { return rounding_; }

  double id(double position) const {
    return step(position, RotaryStep::id, Stream::id, entry(position, 0));
  }
  const VectorD& theta() const { return theta_; }
  // 0 <= i < pairs() in all that follows; not checked. Radians.
  double exact_angle(double position, Index i) const { return position * exact_theta_(i); }
  double angle(double position, Index i) const { return angle_of_id(id(position), position, i); }
  // The angles of pair i at positions first .. first + n - 1, into `out`; the same numbers, by
  // vectors where the carrier is float32 and core/precision/convert.h is quick.
  void angles(Index i, Index first, Index n, double* out) const;
  // Where the hand (cos, sin) of the finished table points, for an angle that is known already: a
  // rounded table turns it once more, by less than half a turn. NaN where both are rounded to 0, or
  // one beyond the largest number.
  double hand(double angle, double position, Index i) const;
  // The same of all those that `angles` gives, in place.
  void hands(Index i, Index first, Index n, double* angles) const;
  // That of the hand, less exact_angle, as a number on the line: more than pi is possible.
  double hand_error(double position, Index i) const {
    return hand(angle(position, i), position, i) - exact_angle(position, i);
  }
  // An id beyond the format is infinite; its cosine and sine are then NaN.
  double cos(double position, Index i) const { return cosine(angle(position, i), position, i); }
  double sin(double position, Index i) const { return sine(angle(position, i), position, i); }
  // The table's entries for an angle that is known already.
  double cosine(double angle, double position, Index i) const;
  double sine(double angle, double position, Index i) const;

  // The table of positions first .. first + n - 1, (n, pairs). n, first >= 0, else InputError.
  // `table` keeps its memory where the shape allows. threads: 0 = all cores.
  void fill(RotaryTableD& table, Index first, Index n, int threads = 0,
            const Cancel& cancel = {}) const;

  // x (2 pairs) turned as a token at `position`.
  VectorD rotated(const VectorD& x, double position,
                  RotaryPairing pairing = RotaryPairing::neighbors) const;
  // The product of the turned query and key, added up in double. q, k (2 pairs), else InputError.
  double score(const VectorD& q, const VectorD& k, double query_position, double key_position,
               RotaryPairing pairing = RotaryPairing::neighbors) const;

 private:
  // Streams of random bits: one a step, but for the table, whose cosines and sines have one each.
  enum class Stream { id, frequency, angle, cosine, sine, vector, rotated };
  static constexpr std::size_t kStreams = 7;

  static std::uint64_t entry(double position, Index i);
  double carry(double x) const {
    if (carrier_.format() == kFloat32) return static_cast<double>(static_cast<float>(x));
    return carrier_.format() == kFloat64 ? x : carrier_(x);
  }
  // x carried, and then lowered where that step is rounded.
  double step(double x, RotaryStep step, Stream stream, std::uint64_t entry) const;
  double angle_of_id(double id, double position, Index i) const;
  double table_entry(double exact, Stream stream, double position, Index i) const;
  bool angles_by_vectors() const;
  bool table_by_vectors() const;

  RotaryRounding rounding_;
  Rounder low_, carrier_;
  std::array<std::uint64_t, kStreams> seeds_;
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

// Facts of the table of positions 0 .. n-1. Costs n pairs sines and a sort of as many: 0.1 s for
// 8192 x 64. Zeros of either sign are one value, NaNs are one. n >= 0, else InputError; Cancelled
// when `cancel` fires. threads: 0 = all cores; the result does not depend on it.
RotaryRoundingFacts rotary_rounding_facts(const RotaryRounder& rounder, Index n, int threads = 0,
                                          const Cancel& cancel = {});

}  // namespace core
