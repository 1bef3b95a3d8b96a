#include "core/position/learned/floater.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/position/sinusoidal/sinusoidal.h"
#include "core/random.h"
#include "position/draw.h"

namespace floater_test {

using core::FloaterMlp;
using core::Index;
using core::MatrixD;
using core::VectorD;

namespace {

FloaterMlp small_mlp() {
  return {draw::matrix(4, 5, 1), draw::vector(5, 2), draw::matrix(5, 3, 3), draw::vector(3, 4)};
}

// g . p(T), by a way of its own.
double loss(const FloaterMlp& mlp, const VectorD& p0, const VectorD& g, double T) {
  const MatrixD rows = core::integrate(mlp, core::Integrator::rk4, p0,
                                       {.intervals = 1, .delta_t = T, .substeps = 400});
  return g.dot(rows.row(1));
}

}  // namespace

TEST_CASE("The sinusoidal table is a course of the system") {
  const MatrixD table = core::sinusoidal_table(12, 8);
  const MatrixD course = core::integrate_accurately(core::sinusoidal_dynamics(8), table.row(0),
                                                    {.intervals = 11, .substeps = 8});
  CHECK((course - table).cwiseAbs().maxCoeff() < 1e-11);
  const VectorD wrong =
      core::sinusoidal_dynamics(8, 1e-4, core::DerivativeFactor::inverse_frequency)(0.3, {});
  const VectorD right = core::sinusoidal_dynamics(8)(0.3, {});
  CHECK(wrong(2) / right(2) == doctest::Approx(100).epsilon(1e-12));  // w_2 = 0.1
}

TEST_CASE("The network: by hand") {
  FloaterMlp mlp{MatrixD::Zero(2, 1), VectorD::Constant(1, 0.25), MatrixD::Constant(1, 1, 3),
                 VectorD::Constant(1, 0.5)};
  mlp.W1 << 2, -1;  // of p and of tau
  const double got = mlp(0.5, VectorD::Constant(1, 0.75))(0);
  CHECK(got == doctest::Approx(3 * std::tanh(2 * 0.75 - 0.5 + 0.25) + 0.5).epsilon(1e-15));
}

TEST_CASE("The adjoint gradient is that of finite differences, of every parameter" *
          doctest::test_suite("long")) {
  const FloaterMlp mlp = small_mlp();
  const VectorD p0 = draw::vector(3, 5), g = draw::vector(3, 6);
  const double T = 0.7, eps = 1e-5;
  const MatrixD course =
      core::integrate_accurately(mlp, p0, {.intervals = 1, .delta_t = T, .substeps = 32}, 1e-11);
  const auto grad = core::floater_adjoint(mlp, course.row(1), g, T, 500);
  // A central difference is off by eps^2 times a third derivative, and by 1e-15 / eps.
  const auto check = [&](auto member, const auto& gradient) {
    for (Index k = 0; k < gradient.size(); ++k) {
      FloaterMlp up = mlp, down = mlp;
      (up.*member).data()[k] += eps;
      (down.*member).data()[k] -= eps;
      const double slope = (loss(up, p0, g, T) - loss(down, p0, g, T)) / (2 * eps);
      CHECK(std::abs(gradient.data()[k] - slope) < 1e-7 * (1 + std::abs(slope)));
    }
  };
  check(&FloaterMlp::W1, grad.parameters.W1);
  check(&FloaterMlp::b1, grad.parameters.b1);
  check(&FloaterMlp::W2, grad.parameters.W2);
  check(&FloaterMlp::b2, grad.parameters.b2);
  for (Index k = 0; k < 3; ++k) {
    VectorD step = VectorD::Zero(3);
    step(k) = eps;
    const double slope = (loss(mlp, p0 + step, g, T) - loss(mlp, p0 - step, g, T)) / (2 * eps);
    CHECK(std::abs(grad.p0(k) - slope) < 1e-7 * (1 + std::abs(slope)));
  }
}

TEST_CASE("FLOATER refuses nonsense in a sentence") {
  CHECK_THROWS_AS(core::sinusoidal_dynamics(5), core::InputError);
  CHECK_THROWS_AS(core::sinusoidal_dynamics(4, 0), core::InputError);
  FloaterMlp mlp = small_mlp();
  const VectorD p = VectorD::Zero(3);
  CHECK_THROWS_AS(core::floater_adjoint(mlp, VectorD::Zero(2), p, 1, 10), core::InputError);
  CHECK_THROWS_AS(core::floater_adjoint(mlp, p, VectorD::Zero(2), 1, 10), core::InputError);
  CHECK_THROWS_AS(core::floater_adjoint(mlp, p, p, 0, 10), core::InputError);
  CHECK_THROWS_AS(core::floater_adjoint(mlp, p, p, 1, 0), core::InputError);
  mlp.W1 = MatrixD::Zero(3, 5);
  CHECK_THROWS_WITH_AS(mlp.check(), "FloaterMlp: expected W1 of 4 by 5, got 3 by 5",
                       core::InputError);
}

TEST_CASE("The conserving network keeps the sum of log cosh along its course") {
  core::Random random(3);
  const FloaterMlp mlp = core::conserving_mlp(6, 100, random);
  const auto energy = [&](const VectorD& p) {
    const VectorD inside = mlp.W1.topRows(6).transpose() * p + mlp.b1;
    return inside.array().cosh().log().sum();
  };
  const core::FloaterCourse course = core::floater_course(mlp, 40, 6, core::Integrator::rk4, 8);
  REQUIRE(course.rows.rows() == 40);
  const double first = energy(course.rows.row(0).transpose());
  for (Index k = 1; k < 40; ++k) {
    CHECK(energy(course.rows.row(k).transpose()) == doctest::Approx(first).epsilon(1e-6));
  }
  CHECK((course.rows.row(39) - course.rows.row(0)).norm() > 0.1);  // and yet it moves
}

TEST_CASE("A course beside a finer one: of the sinusoidal system the table itself") {
  const auto exact = core::sinusoidal_table(20, 4, {.base = 100});
  const core::FloaterCourse course =
      core::floater_course(core::sinusoidal_dynamics(4, 0.01), 20, 4, core::Integrator::euler, 1);
  CHECK(course.fine.rows() == 19 * core::FloaterCourse::kFine + 1);
  for (Index k = 0; k < 20; ++k) {
    const Index fine = core::FloaterCourse::kFine * k;
    CHECK((course.fine.row(fine) - exact.row(k)).cwiseAbs().maxCoeff() < 1e-6);
  }
  CHECK(course.largest_error ==
        doctest::Approx((course.rows - exact).cwiseAbs().maxCoeff()).epsilon(1e-4));
  CHECK(course.largest_error > 0.1);  // Euler's steps of a whole position
  CHECK_THROWS_AS(
      core::floater_course(core::sinusoidal_dynamics(4), 3, 5, core::Integrator::euler, 1),
      core::InputError);
}

}  // namespace floater_test
