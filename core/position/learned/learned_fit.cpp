#include "core/position/learned/learned_fit.h"

#include <algorithm>
#include <cmath>

#include "core/position/checks.h"

namespace core {
namespace {

// P P^T / d - target over the rows seen.
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

MatrixD falling_likeness(Index seen, double reach) {
  position::require_at_least("falling_likeness", "a number of rows", 1, seen);
  position::require_positive("falling_likeness", "reach", reach);
  return MatrixD::NullaryExpr(seen, seen, [&](Index i, Index j) {
    return std::exp(-std::abs(static_cast<double>(i - j)) / reach);
  });
}

double falling_likeness_rate(Index seen, Index d, double reach) {
  const auto rows = static_cast<double>(seen);
  const double random_edge = 1 + std::sqrt(rows / static_cast<double>(d));
  const double steepest = std::max(random_edge * random_edge, std::min(rows, 2 * reach + 1));
  return rows / (8 * steepest);
}

PositionDescent::PositionDescent(const MatrixD& initial, const MatrixD& target, double rate)
    : table_(initial), target_(target), rate_(rate) {
  const char* where = "fit_positions";
  check(where, initial, target);
  position::require_positive(where, "rate", rate);
  error_ = residual(table_.topRows(target_.rows()), target_);
}

void PositionDescent::step() {
  const Index seen = target_.rows();
  MatrixD rows = table_.topRows(seen);
  // rate d seen dL/dP
  rows -= 4 * rate_ / static_cast<double>(seen) * (error_ * rows);
  error_ = residual(rows, target_);
  table_.topRows(seen) = rows;
}

double PositionDescent::loss() const { return mean_square(error_); }

std::size_t PositionDescent::bytes() const {
  return sizeof(double) * static_cast<std::size_t>(table_.size() + target_.size() + error_.size());
}

LearnedFit fit_positions(const MatrixD& initial, const MatrixD& target, Index steps, double rate,
                         const Cancel& cancel) {
  const char* where = "fit_positions";
  position::require_at_least(where, "a number of steps", 0, steps);
  PositionDescent descent(initial, target, rate);
  LearnedFit fit;
  fit.loss.push_back(descent.loss());
  for (Index k = 0; k < steps; ++k) {
    cancel.poll();
    descent.step();
    fit.loss.push_back(descent.loss());
    if (!descent.finite()) refuse(where, "a rate small enough", position::number_text(rate));
  }
  fit.table = descent.table();
  return fit;
}

}  // namespace core
