// Fixed-step integrators of dy/dt = f(t, y), for position encodings that solve such an equation.
#pragma once

#include <functional>
#include <vector>

#include "core/types.h"

namespace core {

using Dynamics = std::function<VectorD(double t, const VectorD& y)>;

// The error at a fixed time falls with the first, second and fourth power of the step size.
enum class Integrator {
  euler,     // y + h f(t, y)
  midpoint,  // y + h f(t + h/2, y + h/2 f(t, y))
  rk4,       // the classical method of Runge and Kutta
};

// The stages of a step from (t, y) to t + h: k1, and k2 to k4 where the method has them. The step
// is
//   y + h k1 | y + h k2 | y + h (k1 + 2 k2 + 2 k3 + k4) / 6.
// InputError as for integrate_step.
std::vector<VectorD> step_stages(const Dynamics& f, Integrator method, double t, const VectorD& y,
                                 double h);

// One step from (t, y) to t + h; h may be negative. InputError when f changes the size of y.
VectorD integrate_step(const Dynamics& f, Integrator method, double t, const VectorD& y, double h);

struct TimeGrid {
  Index intervals = 1;  // results are kept at 0, delta_t, ..., intervals * delta_t
  double delta_t = 1;   // > 0
  Index substeps = 1;   // steps of the integrator in each interval
};

// The solution from y(0) = y0 at the grid's times, (intervals + 1, d), row 0 = y0. intervals >= 0,
// delta_t > 0, substeps >= 1, and a solution that stays finite, else InputError.
MatrixD integrate(const Dynamics& f, Integrator method, const VectorD& y0, const TimeGrid& grid,
                  const Cancel& cancel = {});

// The same to a given accuracy: RK4, with the substeps doubled from grid.substeps on until halving
// the step changes no value by more than 15 * tolerance * max(1, |value|). The finer solution then
// has an error of about the tolerance. tolerance > 0; InputError when 2^16 substeps are not enough.
MatrixD integrate_accurately(const Dynamics& f, const VectorD& y0, const TimeGrid& grid,
                             double tolerance = 1e-12, const Cancel& cancel = {});

}  // namespace core
