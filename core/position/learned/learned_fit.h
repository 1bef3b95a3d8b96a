// A table of positions learned by gradient descent on the smallest task that needs one: the
// products of its rows should equal a target matrix. Only rows that occur in training get a
// gradient; the others keep their initial values, which is why a learned table does not
// extrapolate.
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

struct LearnedFit {
  MatrixD table;             // (rows, d)
  std::vector<double> loss;  // before each step, and after the last: steps + 1
};

// L(P) = mean over i, j < seen of (p_i . p_j / d - target(i, j))^2.
double position_product_loss(const MatrixD& table, const MatrixD& target);

// Target products: similarity that falls with distance, (seen, seen),
//   target(i, j) = exp(-|i - j| / reach).
// seen >= 1, reach > 0, else InputError.
MatrixD falling_likeness(Index seen, double reach);
// A rate that is safe for this target and for initial rows of N(0, 1), d numbers each: a quarter of
// the rate at which the steepest direction starts to oscillate. The curvatures are about the
// eigenvalues of P P^T / d: those of a random matrix at first, those of the target in the end.
double falling_likeness_rate(Index seen, Index d, double reach);

// Gradient descent one step at a time; symbols as at fit_positions below.
class PositionDescent {
 public:
  // initial: (rows, d), rows >= seen >= 1; target: (seen, seen), symmetric; rate > 0. Else
  // InputError.
  PositionDescent(const MatrixD& initial, const MatrixD& target, double rate);

  void step();
  double loss() const;                             // of the current table
  const MatrixD& table() const { return table_; }  // (rows, d)
  bool finite() const { return table_.allFinite() && error_.allFinite(); }
  std::size_t bytes() const;  // of memory held

 private:
  MatrixD table_, target_, error_;
  double rate_;
};

// `steps` steps P <- P - rate d seen dL/dP from `initial`, (rows, d), rows >= seen >= 1. target:
// (seen, seen), symmetric. For the rows seen
//   dL/dP = 4 / (seen^2 d) (P P^T / d - target) P;
// the factor d seen makes one rate suit all sizes. steps >= 0, rate > 0, and values that stay
// finite, else InputError.
LearnedFit fit_positions(const MatrixD& initial, const MatrixD& target, Index steps, double rate,
                         const Cancel& cancel = {});

}  // namespace core
