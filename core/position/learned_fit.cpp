#include "core/position/learned_fit.h"

#include "core/position/checks.h"

namespace core {
namespace {

// P P^T / d - target, of the rows that are seen.
MatrixD residual(const MatrixD& seen_rows, const MatrixD& target) {
  return seen_rows * seen_rows.transpose() / static_cast<double>(seen_rows.cols()) - target;
}

double mean_square(const MatrixD& m) { return m.squaredNorm() / static_cast<double>(m.size()); }

void check(const char* where, const MatrixD& table, const MatrixD& target) {
  position::require_at_least(where, "a number of columns", 1, table.cols());
  position::require_at_least(where, "a number of rows seen", 1, target.rows());
  position::require_at_least(where, "a number of rows", target.rows(), table.rows());
  position::require_shape(where, "a target", target, target.rows(), target.rows());
}

}  // namespace

double position_product_loss(const MatrixD& table, const MatrixD& target) {
  check("position_product_loss", table, target);
  return mean_square(residual(table.topRows(target.rows()), target));
}

LearnedFit fit_positions(const MatrixD& initial, const MatrixD& target, Index steps, double rate,
                         const Cancel& cancel) {
  const char* where = "fit_positions";
  check(where, initial, target);
  position::require_at_least(where, "a number of steps", 0, steps);
  position::require_positive(where, "rate", rate);
  const Index seen = target.rows();
  MatrixD rows = initial.topRows(seen);
  MatrixD error = residual(rows, target);
  LearnedFit fit;
  fit.loss.push_back(mean_square(error));
  // rate d seen dL/dP
  const double step = 4 * rate / static_cast<double>(seen);
  for (Index k = 0; k < steps; ++k) {
    cancel.poll();
    rows -= step * (error * rows);
    error = residual(rows, target);
    fit.loss.push_back(mean_square(error));
    if (!rows.allFinite()) refuse(where, "a rate small enough", position::number_text(rate));
  }
  fit.table = initial;
  fit.table.topRows(seen) = rows;
  return fit;
}

}  // namespace core
