// Sums of Gaussians over very many points of a line, in time that grows with the points and not
// with their pairs.
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

// The fast Gauss transform (Greengard and Strain 1991, "The fast Gauss transform", SIAM J. Sci.
// Stat. Comput. 12, section 3) in one dimension: sources in boxes, a Hermite series about each box
// of sources, and a Taylor series about each box of targets.
//
// Of sources s_j with weights 1 and y_j, with d = (t - s_j) scale, at a target t:
//   ones    = sum exp(-d^2)          weighted         = sum exp(-d^2) y_j
//   squares = sum exp(-d^2) d^2      weighted_squares = sum exp(-d^2) d^2 y_j
// The series end after 26 terms: in boxes of half width 1/4 that leaves less than 1e-16 of the sum
// of |weights| within reach of the target (Cramer's bound of the Hermite functions, |h_n(z)|
// <= 1.09 2^(n/2) sqrt(n!)). Farther sources than kReach would have less than 1e-18 each. The rest
// of the error is rounding, as in a plain sum of as many terms.
class GaussTransform {
 public:
  // `sources` in rising order, finite; as many weights; scale >= 0 and finite, and no source
  // farther than 1e12 / scale from the middle between the first and the last; else InputError.
  GaussTransform(const VectorD& sources, const VectorD& weights, double scale);

  struct Sums {
    double ones = 0, weighted = 0, squares = 0, weighted_squares = 0;
    double within_reach = 0;  // how many sources the error is measured by
  };
  // At each target; targets in rising order and bounded as the sources are. The same for any number
  // of threads.
  std::vector<Sums> at(const VectorD& targets, int threads = 0, const Cancel& cancel = {}) const;

  static constexpr double kReach = 6.75;
  static constexpr int kTerms = 26;

 private:
  struct Box {
    Index number = 0;
    Index count = 0;
    // Sum of v^a / a! with v = (s - middle) scale, and of that times y.
    double ones[kTerms] = {}, weighted[kTerms] = {};
  };
  // The Taylor series about a box of targets: at t = middle + u / scale the sum of local_k (-u)^k /
  // k!.
  struct Local {
    double ones[kTerms] = {}, weighted[kTerms] = {};
    double squares[kTerms] = {}, weighted_squares[kTerms] = {};
    Index within_reach = 0;
  };

  Index box_of(double position) const;
  double middle(Index number) const;
  Local local(Index number) const;
  void add(const Box& box, Index number, Local& to) const;
  Sums value(const Local& local, double u) const;
  void require_positions(const VectorD& positions, const char* what) const;

  double scale_, origin_ = 0;
  std::vector<Box> boxes_;  // those with a source in them, rising
};

}  // namespace core
