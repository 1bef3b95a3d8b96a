// FLOATER: position encodings as the trajectory of a dynamical system, read at t = 0, delta, 2
// delta, ... (Liu et al. 2020, arXiv:2003.09229, section 3):
//   p(t) = p(s) + int_s^t h(tau, p(tau)) dtau.
// The trajectory can be continued, so positions beyond those of training are defined.
#pragma once

#include "core/position/learned/integrate.h"
#include "core/types.h"

namespace core {

class Random;

// The factor before the cosine and sine of the derivative. `frequency` is correct; some texts print
// its inverse, which makes the increments of column j wrong by a factor of w_j^-2.
enum class DerivativeFactor { frequency, inverse_frequency };

// The system whose trajectory from (0, 1, 0, 1, ...) is the sinusoidal table. With c = 1/base, w_j
// = c^(j/d) for even j, and w_j = w_(j-1) for odd j:
//   h_j(tau) = w_j cos(w_j tau) for even j, -w_j sin(w_j tau) for odd j.
// It depends on tau only. d even and at least 2, c > 0, else InputError.
Dynamics sinusoidal_dynamics(Index d, double c = 1e-4,
                             DerivativeFactor factor = DerivativeFactor::frequency);

// h(tau, p) = tanh([p; tau] W1 + b1) W2 + b2. W1: (d + 1, hidden), the last row for tau; b1:
// (hidden); W2: (hidden, d); b2: (d). Stored (in, out).
struct FloaterMlp {
  MatrixD W1;
  VectorD b1;
  MatrixD W2;
  VectorD b2;

  Index d() const { return W2.cols(); }
  Index hidden() const { return W2.rows(); }
  // InputError when the shapes do not fit each other.
  void check() const;
  VectorD operator()(double tau, const VectorD& p) const;
};

// Random weights whose trajectory neither decays nor diverges: h = J D grad H. H is the sum of log
// cosh of d hidden units with weights of N(0, 1/d), J rotates each pair of columns by a quarter
// turn, and D multiplies the pair by its frequency (frequency.h). H is then constant along the
// trajectory. h does not depend on tau. d even, base > 0, else InputError.
FloaterMlp conserving_mlp(Index d, double base, Random& random);

// A trajectory from (0, 1, 0, 1, ...), the first row of the sinusoidal table, and the same in finer
// steps.
struct FloaterCourse {
  static constexpr Index kFine = 4;  // rows of `fine` for each position
  Dynamics h;
  MatrixD rows;              // (n, d)
  MatrixD fine;              // ((n - 1) kFine + 1, d), by at least 32 steps of RK4 a position
  double largest_error = 0;  // of `rows`, measured against `fine`
};
// n positions, with `substeps` steps of the integrator from each to the next. n, substeps >= 1, d
// even, else InputError.
FloaterCourse floater_course(Dynamics h, Index n, Index d, Integrator integrator, Index substeps,
                             const Cancel& cancel = {});

// Gradients of a loss with respect to everything the course depends on.
struct FloaterGradients {
  VectorD p0;
  FloaterMlp parameters;  // gradients of W1, b1, W2, b2, in their shapes
};

// The vector-Jacobian product a^T dh/d(p, W1, b1, W2, b2) at (tau, p): one term of the chain rule.
// a: (d).
FloaterGradients floater_pullback(const FloaterMlp& mlp, double tau, const VectorD& p,
                                  const VectorD& a);

// The gradients by the adjoint method (Chen et al. 2018, arXiv:1806.07366, section 2, eqs. 4 and 5,
// algorithm 1). The state p, the adjoint a = dL/dp with da/dtau = -a^T dh/dp, and the integral of
// a^T dh/dtheta are integrated together from T back to 0 in `steps` steps of RK4, so that nothing
// of the forward pass is stored. p_end = p(T), a_end = dL/dp(T). T > 0, steps >= 1, else
// InputError.
FloaterGradients floater_adjoint(const FloaterMlp& mlp, const VectorD& p_end, const VectorD& a_end,
                                 double T, Index steps);

}  // namespace core
