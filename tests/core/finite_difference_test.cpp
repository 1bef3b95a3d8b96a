#include "core/finite_difference.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/attention/softmax.h"

namespace finite_difference_test {

using core::VectorD;

TEST_CASE("differences of polynomials, by hand") {
  const VectorD x{{1.0, -2.0}};
  // f = x0^2 + 3 x1: central differences of a square are exact whatever the step.
  const auto square = [](const VectorD& v) { return v(0) * v(0) + 3 * v(1); };
  const VectorD central = core::central_difference(square, x, 0.5);
  CHECK(central(0) == 2.0);
  CHECK(central(1) == 3.0);
  // ((1 + 1/2)^2 - 1) / (1/2) = 2.5: a forward difference is off by h.
  CHECK(core::forward_difference(square, x, 0.5)(0) == 2.5);
  // A cube: ((1 + h)^3 - (1 - h)^3) / 2h = 3 + h^2.
  const auto cube = [](const VectorD& v) { return v(0) * v(0) * v(0); };
  CHECK(core::central_difference(cube, x, 0.5)(0) == 3.25);
}

TEST_CASE("the error falls with h and h^2, and rises again by rounding") {
  const VectorD x{{0.3, -0.7, 1.1}};
  const auto f = [](const VectorD& v) { return core::logsumexp(v); };
  const VectorD exact = core::softmax(x);
  const auto central = [&](double h) { return (core::central_difference(f, x, h) - exact).norm(); };
  const auto forward = [&](double h) { return (core::forward_difference(f, x, h) - exact).norm(); };
  CHECK(central(1e-2) / central(1e-3) == doctest::Approx(100).epsilon(0.01));
  CHECK(forward(1e-2) / forward(1e-3) == doctest::Approx(10).epsilon(0.02));
  CHECK(central(1e-5) < 1e-10);
  CHECK(central(1e-13) > 1e-6);
}

TEST_CASE("a step that is swallowed gives NaN, and steps that are none are refused") {
  const auto f = [](const VectorD& v) { return v(0); };
  CHECK(std::isnan(core::central_difference(f, VectorD{{1e20}}, 1e-3)(0)));
  CHECK(core::central_difference(f, VectorD(), 1e-3).size() == 0);
  for (const double h : {0.0, -1.0, double{INFINITY}, double{NAN}}) {
    CHECK_THROWS_AS(core::central_difference(f, VectorD{{1.0}}, h), core::InputError);
    CHECK_THROWS_AS(core::forward_difference(f, VectorD{{1.0}}, h), core::InputError);
  }
}

}  // namespace finite_difference_test
