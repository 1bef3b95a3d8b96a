#include "core/position/learned/fitted_shift.h"

#include <Eigen/QR>
#include <cmath>

#include "core/position/checks.h"

namespace core {

FittedShift fit_shift(const MatrixD& P, Index k) {
  const Index n = P.rows();
  if (std::abs(k) >= n) {
    refuse("fit_shift", "a shift shorter than " + std::to_string(n) + " rows", std::to_string(k));
  }
  FittedShift fit;
  fit.pairs = n - std::abs(k);
  const Index from = k < 0 ? -k : 0;
  const Eigen::MatrixXd before = P.middleRows(from, fit.pairs);
  const Eigen::MatrixXd after = P.middleRows(from + k, fit.pairs);
  // before * map^T = after, column by column.
  fit.map = before.completeOrthogonalDecomposition().solve(after).transpose();
  const MatrixD missed = before * fit.map.transpose() - after;
  fit.rms =
      missed.size() == 0 ? 0 : std::sqrt(missed.squaredNorm() / static_cast<double>(missed.size()));
  fit.exact = fit.pairs <= P.cols();
  return fit;
}

}  // namespace core
