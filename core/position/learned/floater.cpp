#include "core/position/learned/floater.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/position/checks.h"
#include "core/position/frequency.h"
#include "core/random_matrix.h"

namespace core {
namespace {

// The state of the backward integration as one vector: p, a, and the gradients of W1, b1, W2, b2.
struct Packing {
  Index d, hidden;

  Index parameters() const { return (d + 1) * hidden + hidden + hidden * d + d; }
  Index size() const { return 2 * d + parameters(); }

  VectorD pack(const VectorD& p, const VectorD& a, const FloaterMlp& w) const {
    VectorD all(size());
    all << p, a, Eigen::Map<const VectorD>(w.W1.data(), w.W1.size()), w.b1,
        Eigen::Map<const VectorD>(w.W2.data(), w.W2.size()), w.b2;
    return all;
  }
  FloaterMlp unpack(const VectorD& all) const {
    FloaterMlp w;
    const double* at = all.data() + 2 * d;
    w.W1 = Eigen::Map<const MatrixD>(at, d + 1, hidden);
    w.b1 = Eigen::Map<const VectorD>(at += (d + 1) * hidden, hidden);
    w.W2 = Eigen::Map<const MatrixD>(at += hidden, hidden, d);
    w.b2 = Eigen::Map<const VectorD>(at + hidden * d, d);
    return w;
  }
};

VectorD with_time(const VectorD& p, double tau) {
  VectorD input(p.size() + 1);
  input << p, tau;
  return input;
}

}  // namespace

Dynamics sinusoidal_dynamics(Index d, double c, DerivativeFactor factor) {
  position::require_even_width("sinusoidal_dynamics", d);
  position::require_positive("sinusoidal_dynamics", "c", c);
  return [d, c, factor](double tau, const VectorD&) {
    VectorD h(d);
    for (Index j = 0; j < d; j += 2) {
      const double w = std::pow(c, static_cast<double>(j) / static_cast<double>(d));
      const double front = factor == DerivativeFactor::frequency ? w : 1 / w;
      h(j) = front * std::cos(w * tau);
      h(j + 1) = -front * std::sin(w * tau);
    }
    return h;
  };
}

void FloaterMlp::check() const {
  position::require_shape("FloaterMlp", "W1", W1, d() + 1, hidden());
  position::require_shape("FloaterMlp", "b1", b1, hidden(), 1);
  position::require_shape("FloaterMlp", "b2", b2, d(), 1);
}

VectorD FloaterMlp::operator()(double tau, const VectorD& p) const {
  const VectorD active = (W1.transpose() * with_time(p, tau) + b1).array().tanh();
  return W2.transpose() * active + b2;
}

FloaterGradients floater_pullback(const FloaterMlp& mlp, double tau, const VectorD& p,
                                  const VectorD& a) {
  const VectorD input = with_time(p, tau);
  const VectorD active = (mlp.W1.transpose() * input + mlp.b1).array().tanh();
  const VectorD before = (mlp.W2 * a).array() * (1 - active.array().square());
  FloaterGradients grad;
  grad.p0 = (mlp.W1 * before).head(p.size());
  grad.parameters = {input * before.transpose(), before, active * a.transpose(), a};
  return grad;
}

FloaterGradients floater_adjoint(const FloaterMlp& mlp, const VectorD& p_end, const VectorD& a_end,
                                 double T, Index steps) {
  mlp.check();
  position::require_shape("floater_adjoint", "p(T)", p_end, mlp.d(), 1);
  position::require_shape("floater_adjoint", "dL/dp(T)", a_end, mlp.d(), 1);
  position::require_positive("floater_adjoint", "time T", T);
  position::require_at_least("floater_adjoint", "a number of steps", 1, steps);
  const Packing packing{mlp.d(), mlp.hidden()};
  const Dynamics backward = [&](double tau, const VectorD& all) {
    const VectorD p = all.head(packing.d), a = all.segment(packing.d, packing.d);
    FloaterGradients term = floater_pullback(mlp, tau, p, a);
    VectorD change = packing.pack(VectorD::Zero(packing.d), term.p0, term.parameters);
    change *= -1;
    change.head(packing.d) = mlp(tau, p);
    return change;
  };
  VectorD all = VectorD::Zero(packing.size());
  all.head(packing.d) = p_end;
  all.segment(packing.d, packing.d) = a_end;
  const double h = T / static_cast<double>(steps);
  for (Index s = steps; s > 0; --s) {
    all = integrate_step(backward, Integrator::rk4, static_cast<double>(s) * h, all, -h);
  }
  return {all.segment(packing.d, packing.d), packing.unpack(all)};
}

FloaterMlp conserving_mlp(Index d, double base, Random& random) {
  const VectorD theta = frequencies(d, base);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  FloaterMlp mlp;
  mlp.W1 = gaussian_matrix(d + 1, d, scale, random);
  mlp.W1.row(d).setZero();  // the weights of tau: h does not depend on it
  mlp.b1 = gaussian_matrix(d, 1, scale, random);
  mlp.W2.resize(d, d);
  for (Index i = 0; i < d / 2; ++i) {
    mlp.W2.col(2 * i) = theta(i) * mlp.W1.row(2 * i + 1).transpose();
    mlp.W2.col(2 * i + 1) = -theta(i) * mlp.W1.row(2 * i).transpose();
  }
  mlp.b2 = VectorD::Zero(d);
  return mlp;
}

FloaterCourse floater_course(Dynamics h, Index n, Index d, Integrator integrator, Index substeps,
                             const Cancel& cancel) {
  position::require_even_width("floater_course", d);
  constexpr Index kFine = FloaterCourse::kFine;
  const VectorD start =
      VectorD::NullaryExpr(d, [](Index j) { return static_cast<double>(j % 2); });  // sin 0, cos 0
  FloaterCourse course{.h = std::move(h), .rows = {}, .fine = {}};
  course.rows =
      integrate(course.h, integrator, start, {.intervals = n - 1, .substeps = substeps}, cancel);
  const Index finer = integrator == Integrator::rk4 && substeps > 16 ? 16 : 8;
  course.fine =
      integrate(course.h, Integrator::rk4, start,
                {.intervals = kFine * (n - 1), .delta_t = 1.0 / kFine, .substeps = finer}, cancel);
  for (Index k = 0; k < n; ++k) {
    course.largest_error =
        std::max(course.largest_error,
                 (course.rows.row(k) - course.fine.row(kFine * k)).cwiseAbs().maxCoeff());
  }
  return course;
}

}  // namespace core
