// A table of positions learned by gradient descent on the smallest task that needs one: that
// products of rows follow a wanted matrix. Only rows that training sequences reach receive a
// gradient, so the others stay what they were drawn as; which is why a learned table does not
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

// What products of rows should be: likeness that falls with distance, (seen, seen),
// target(i, j) = exp(-|i - j| / reach). seen >= 1, reach > 0, else InputError.
MatrixD falling_likeness(Index seen, double reach);
// A rate that is safe for it and rows of N(0, 1), d of them: a quarter of that at which the
// steepest direction would begin to swing. Curvatures are about the eigenvalues of P P^T / d, at
// first those of a random matrix, at last the target's.
double falling_likeness_rate(Index seen, Index d, double reach);

// The same step by step; the letters are those of fit_positions.
class PositionDescent {
 public:
  // initial: (rows, d), rows >= seen >= 1; target: (seen, seen), symmetric; rate > 0. Else
  // InputError.
  PositionDescent(const MatrixD& initial, const MatrixD& target, double rate);

  void step();
  double loss() const;                             // of the table as it is
  const MatrixD& table() const { return table_; }  // (rows, d)
  bool finite() const { return table_.allFinite() && error_.allFinite(); }
  std::size_t bytes() const;  // that it holds

 private:
  MatrixD table_, target_, error_;
  double rate_;
};

// `steps` steps p <- p - rate dL/dp from `initial`, (rows, d), rows >= seen >= 1, where target is
// (seen, seen) and symmetric: dL/dP = 4 / (seen^2 d) (P P^T / d - target) P. The rate is a share of
// d * seen, which keeps a step alike for all sizes. steps >= 0, rate > 0, and a course that stays
// finite, else InputError.
LearnedFit fit_positions(const MatrixD& initial, const MatrixD& target, Index steps, double rate,
                         const Cancel& cancel = {});

}  // namespace core
