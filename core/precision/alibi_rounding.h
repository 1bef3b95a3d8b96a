// ALiBi's biases (core/position/relative/alibi.h) when some of their steps are rounded to a low
// format.
//
// A slope that is a power of two only shifts exponents: biases collide exactly where the distances
// do as integers. Other slopes move the ties.
#pragma once

#include <optional>
#include <vector>

#include "core/precision/carried.h"
#include "core/types.h"

namespace core {

struct AlibiRounding {
  Format low = kBFloat16;
  RoundingRule rule = {};
  Format carrier = kFloat32;  // what everything else is computed in; core/precision/carried.h
  bool slope = false, distance = false, bias = true;
};

class AlibiRounder {
 public:
  // slope finite, formats valid, no stochastic rounding, else InputError.
  AlibiRounder(double slope, const AlibiRounding& rounding);

  double slope() const { return slope_; }  // rounded
  // -slope * distance, never positive for a slope and a distance that are not negative.
  double exact(Index distance) const { return -exact_slope_ * static_cast<double>(distance); }
  double bias(Index distance) const;
  double error(Index distance) const { return bias(distance) - exact(distance); }

 private:
  AlibiRounding rounding_;
  Carried step_;
  double exact_slope_, slope_;
};

struct AlibiRoundingFacts {
  Index n = 0;
  double slope = 0;         // exact
  Index distinct = 0;       // different biases
  Index alone = 0;          // distances whose bias no other has
  Index largest_group = 0;  // distances with one bias
  double max_error = 0;     // largest |bias - exact| among finite biases
  Index not_finite = 0;
  std::optional<Index> first_collision;  // least distance with the bias of the one before

  Index colliding() const { return n - alone; }
};

// Facts of distances 0 .. n-1, by listing them: n roundings. n >= 0, else InputError.
AlibiRoundingFacts alibi_rounding_facts(Index n, double slope, const AlibiRounding& rounding);
// One for each head's slope. threads: 0 = all cores.
std::vector<AlibiRoundingFacts> alibi_rounding_facts(Index n, const VectorD& slopes,
                                                     const AlibiRounding& rounding, int threads = 0,
                                                     const Cancel& cancel = {});

// The same of one head for each of these lengths, which rise, up to the last of them: by jumping
// from group to group, so that the cost grows with the number of different biases. Lengths that
// fall or are negative are an InputError.
std::vector<AlibiRoundingFacts> alibi_rounding_facts(const std::vector<Index>& lengths,
                                                     double slope, const AlibiRounding& rounding,
                                                     const Cancel& cancel = {});

// score + bias as a number of the format, added in the carrier: a large bias swallows the score's
// last digits. Scores (n), biases (m): (n, m).
MatrixD biased_scores(const VectorD& scores, const VectorD& biases, const Format& low,
                      const Format& carrier = kFloat32, RoundingRule rule = {});

}  // namespace core
