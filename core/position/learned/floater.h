// FLOATER: position encodings as the course of a dynamical system, p(t) = p(s) + int_s^t h(tau,
// p(tau)) dtau, read at t = 0, delta, 2 delta, ... (Liu et al. 2020, arXiv:2003.09229, section 3).
// Since the system can be run on, positions beyond those of training are defined.
#pragma once

#include "core/position/learned/integrate.h"
#include "core/types.h"

namespace core {

class Random;

// The factor in front of the derivative's cosine and sine. `frequency` is the derivative; some
// texts print its inverse, which makes column j's increments wrong by w_j^-2.
enum class DerivativeFactor { frequency, inverse_frequency };

// The system whose course from (0, 1, 0, 1, ...) is the sinusoidal table, with w_j = c^(j/d) for
// even j and that of j - 1 for odd j; c = 1/base:
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

// Drawn weights whose course neither dies nor runs away: h = J D grad H with H the sum of log cosh
// of d hidden units of N(0, 1/d) weights, J turning each pair of columns and D the pairs'
// frequencies (frequency.h), so that H is kept. It does not depend on tau. d even, base > 0, else
// InputError.
FloaterMlp conserving_mlp(Index d, double base, Random& random);

// A course from (0, 1, 0, 1, ...), the sinusoidal table's first row, and the same in finer steps.
struct FloaterCourse {
  static constexpr Index kFine = 4;  // rows of `fine` a position
  Dynamics h;
  MatrixD rows;              // (n, d)
  MatrixD fine;              // ((n - 1) kFine + 1, d), by at least 32 steps of RK4 a position
  double largest_error = 0;  // of `rows` against `fine`
};
// n positions, `substeps` steps of the integrator from each to the next. n, substeps >= 1, d even,
// else InputError.
FloaterCourse floater_course(Dynamics h, Index n, Index d, Integrator integrator, Index substeps,
                             const Cancel& cancel = {});

// Gradients of a loss with respect to everything the course depends on.
struct FloaterGradients {
  VectorD p0;
  FloaterMlp parameters;  // of the shapes of W1, b1, W2, b2
};

// One term of the chain rule: a^T dh/d(p, W1, b1, W2, b2) at (tau, p). a: (d).
FloaterGradients floater_pullback(const FloaterMlp& mlp, double tau, const VectorD& p,
                                  const VectorD& a);

// The gradients by the adjoint method (Chen et al. 2018, arXiv:1806.07366, section 2, eqs. 4 and 5,
// algorithm 1): the state p, the adjoint a = dL/dp with da/dtau = -a^T dh/dp, and the integral of
// a^T dh/dtheta run backward from T to 0 together, `steps` steps of RK4, so nothing of the forward
// run is kept. p_end = p(T), a_end = dL/dp(T). T > 0, steps >= 1, else InputError.
FloaterGradients floater_adjoint(const FloaterMlp& mlp, const VectorD& p_end, const VectorD& a_end,
                                 double T, Index steps);

}  // namespace core
