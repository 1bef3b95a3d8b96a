#include "core/position/learned/integrate.h"

#include "core/position/checks.h"

namespace core {
namespace {

constexpr Index kMostSubsteps = Index{1} << 16;

VectorD derivative(const Dynamics& f, double t, const VectorD& y) {
  VectorD dy = f(t, y);
  position::require_shape("integrate_step", "a derivative", dy, y.size(), 1);
  return dy;
}

}  // namespace

std::vector<VectorD> step_stages(const Dynamics& f, Integrator method, double t, const VectorD& y,
                                 double h) {
  std::vector<VectorD> k{derivative(f, t, y)};
  if (method == Integrator::euler) return k;
  k.push_back(derivative(f, t + h / 2, y + h / 2 * k[0]));
  if (method == Integrator::midpoint) return k;
  k.push_back(derivative(f, t + h / 2, y + h / 2 * k[1]));
  k.push_back(derivative(f, t + h, y + h * k[2]));
  return k;
}

VectorD integrate_step(const Dynamics& f, Integrator method, double t, const VectorD& y, double h) {
  const std::vector<VectorD> k = step_stages(f, method, t, y, h);
  if (method != Integrator::rk4) return y + h * k.back();
  return y + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
}

MatrixD integrate(const Dynamics& f, Integrator method, const VectorD& y0, const TimeGrid& grid,
                  const Cancel& cancel) {
  position::require_at_least("integrate", "a number of intervals", 0, grid.intervals);
  position::require_at_least("integrate", "a number of substeps", 1, grid.substeps);
  position::require_positive("integrate", "time step", grid.delta_t);
  const double h = grid.delta_t / static_cast<double>(grid.substeps);
  MatrixD rows(grid.intervals + 1, y0.size());
  rows.row(0) = y0.transpose();
  VectorD y = y0;
  for (Index i = 0; i < grid.intervals; ++i) {
    cancel.poll();
    const double start = static_cast<double>(i) * grid.delta_t;
    for (Index s = 0; s < grid.substeps; ++s) {
      y = integrate_step(f, method, start + static_cast<double>(s) * h, y, h);
    }
    if (!y.allFinite()) {
      refuse(
          "integrate", "a solution that stays finite",
          "one that leaves the numbers before t = " + position::number_text(start + grid.delta_t));
    }
    rows.row(i + 1) = y.transpose();
  }
  return rows;
}

MatrixD integrate_accurately(const Dynamics& f, const VectorD& y0, const TimeGrid& grid,
                             double tolerance, const Cancel& cancel) {
  position::require_positive("integrate_accurately", "tolerance", tolerance);
  TimeGrid finer = grid;
  MatrixD coarse = integrate(f, Integrator::rk4, y0, finer, cancel);
  while (finer.substeps <= kMostSubsteps / 2) {
    finer.substeps *= 2;
    const MatrixD fine = integrate(f, Integrator::rk4, y0, finer, cancel);
    const auto change = (fine - coarse).array().abs() / fine.array().abs().max(1.0);
    if (fine.size() == 0 || change.maxCoeff() <= 15 * tolerance) return fine;
    coarse = fine;
  }
  refuse("integrate_accurately", "a solution that settles within 2^16 steps an interval",
         "one that still changes by more than " + position::number_text(15 * tolerance));
}

}  // namespace core
