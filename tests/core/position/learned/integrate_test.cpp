#include "core/position/learned/integrate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stop_token>

namespace integrate_test {

using core::Dynamics;
using core::Index;
using core::Integrator;
using core::MatrixD;
using core::VectorD;

namespace {

const Dynamics kGrowth = [](double, const VectorD& y) { return y; };

double error_at_one(Integrator method, Index substeps) {
  const MatrixD rows = core::integrate(kGrowth, method, VectorD::Ones(1),
                                       {.intervals = 2, .delta_t = 0.5, .substeps = substeps});
  return std::abs(rows(2, 0) - std::exp(1.0));
}

}  // namespace

TEST_CASE("One step of y' = y from 1, by hand: 1 + h, + h^2/2, ... + h^4/24") {
  const VectorD one = VectorD::Ones(1);
  const auto step = [&](Integrator method) {
    return core::integrate_step(kGrowth, method, 0, one, 0.5)(0);
  };
  CHECK(step(Integrator::euler) == 1.5);
  CHECK(step(Integrator::midpoint) == 1.625);
  CHECK(step(Integrator::rk4) ==
        doctest::Approx(1 + 0.5 + 0.125 + 0.125 / 6 + 0.0625 / 24).epsilon(1e-15));
}

TEST_CASE("Halving the step divides the error by 2, 4 and 16") {
  CHECK(error_at_one(Integrator::euler, 32) / error_at_one(Integrator::euler, 64) ==
        doctest::Approx(2).epsilon(0.02));
  CHECK(error_at_one(Integrator::midpoint, 32) / error_at_one(Integrator::midpoint, 64) ==
        doctest::Approx(4).epsilon(0.02));
  CHECK(error_at_one(Integrator::rk4, 32) / error_at_one(Integrator::rk4, 64) ==
        doctest::Approx(16).epsilon(0.02));
}

TEST_CASE("Running back undoes running forward, up to the method's error") {
  const Dynamics f = [](double t, const VectorD& y) { return VectorD(-t * y); };
  VectorD y = VectorD::Ones(1);
  for (int s = 0; s < 100; ++s) y = core::integrate_step(f, Integrator::rk4, s * 0.01, y, 0.01);
  CHECK(y(0) == doctest::Approx(std::exp(-0.5)).epsilon(1e-9));
  for (int s = 100; s > 0; --s) y = core::integrate_step(f, Integrator::rk4, s * 0.01, y, -0.01);
  CHECK(y(0) == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("Integration to a tolerance meets it") {
  const MatrixD rows =
      core::integrate_accurately(kGrowth, VectorD::Ones(1), {.intervals = 3, .delta_t = 1}, 1e-11);
  for (Index i = 0; i <= 3; ++i) {
    CHECK(rows(i, 0) == doctest::Approx(std::exp(static_cast<double>(i))).epsilon(1e-10));
  }
}

TEST_CASE("Integration refuses nonsense in a sentence, and can be cancelled") {
  const VectorD one = VectorD::Ones(1);
  const auto run = [&](const core::TimeGrid& grid) {
    return core::integrate(kGrowth, Integrator::rk4, one, grid);
  };
  CHECK_THROWS_AS(run({.intervals = -1}), core::InputError);
  CHECK_THROWS_AS(run({.intervals = 1, .delta_t = 0}), core::InputError);
  CHECK_THROWS_AS(run({.intervals = 1, .delta_t = -1}), core::InputError);
  CHECK_THROWS_AS(run({.intervals = 1, .delta_t = 1, .substeps = 0}), core::InputError);
  CHECK_THROWS_WITH_AS(
      core::integrate([](double, const VectorD& y) { return VectorD(y.cwiseProduct(y)); },
                      Integrator::rk4, one * 1e3, {.intervals = 9, .delta_t = 1}),
      "integrate: expected a solution that stays finite, got one that leaves the numbers before t "
      "= 2",
      core::InputError);
  CHECK_THROWS_AS(core::integrate([](double, const VectorD&) { return VectorD(2); },
                                  Integrator::euler, one, {}),
                  core::InputError);
  CHECK_THROWS_AS(core::integrate_accurately(kGrowth, one, {}, 0), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(
      core::integrate(kGrowth, Integrator::rk4, one, {}, core::Cancel(stop.get_token())),
      core::Cancelled);
}

TEST_CASE("The stages of a step, by hand: y' = y") {
  const Dynamics f = [](double, const VectorD& y) { return y; };
  const VectorD one = VectorD::Ones(1);
  const auto euler = core::step_stages(f, Integrator::euler, 0, one, 0.5);
  REQUIRE(euler.size() == 1);
  CHECK(euler[0](0) == 1);
  CHECK(core::step_stages(f, Integrator::midpoint, 0, one, 0.5).at(1)(0) == 1.25);
  const auto k = core::step_stages(f, Integrator::rk4, 0, one, 0.5);
  REQUIRE(k.size() == 4);
  CHECK(k[1](0) == 1.25);
  CHECK(k[2](0) == 1 + 0.25 * 1.25);
  CHECK(k[3](0) == 1 + 0.5 * k[2](0));
  CHECK(core::integrate_step(f, Integrator::rk4, 0, one, 0.5)(0) ==
        doctest::Approx(1 + 0.5 / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])(0)));
}

}  // namespace integrate_test
