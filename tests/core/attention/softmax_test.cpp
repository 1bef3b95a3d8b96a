#include "core/attention/softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace softmax_test {

namespace {

using core::Index;
using core::MatrixD;
using core::VectorD;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

VectorD vector(std::initializer_list<double> values) {
  VectorD x(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

// A few ulp of a number of size 1: sums of under ten terms.
constexpr double kUlps = 1e-15;

void check_close(const VectorD& got, const VectorD& want, double tolerance = kUlps) {
  REQUIRE(got.size() == want.size());
  for (Index i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(got(i) - want(i)) <= tolerance);
  }
}

}  // namespace

TEST_CASE("softmax by hand") {
  check_close(core::softmax(vector({0, std::log(2), std::log(5)})), vector({0.125, 0.25, 0.625}));
  // At T = 1/2 the odds are squared.
  check_close(core::softmax(vector({0, std::log(2)}), 0.5), vector({0.2, 0.8}));
  check_close(core::softmax(vector({7})), vector({1}));
  CHECK(core::softmax(VectorD()).size() == 0);
  CHECK(core::softmax(vector({5, -kInf, 5}))(1) == 0.0);
  CHECK(core::logsumexp(vector({0, 0, 0, 0})) == doctest::Approx(std::log(4)).epsilon(1e-15));
  CHECK(core::entropy(vector({0.5, 0.5, 0})) == doctest::Approx(std::log(2)).epsilon(1e-15));
  check_close(core::log_softmax(vector({0, 0})), vector({-std::log(2), -std::log(2)}));
}

TEST_CASE("softmax sums to one and does not see a shift") {
  const VectorD x = vector({0.25, -2.5, 4.0, 1.25, -0.5});
  for (const double T : {0.01, 0.3, 1.0, 7.0, 1e6}) {
    CAPTURE(T);
    CHECK(std::fabs(core::softmax(x, T).sum() - 1) <= kUlps);
  }
  // Dyadic x and c: the shift keeps every digit, so the answers are equal to the last bit.
  for (const double c : {-64.0, 1024.0}) {
    CHECK(core::softmax<double>((x.array() + c).matrix()) == core::softmax(x));
  }
  check_close(core::log_softmax(x), core::softmax(x).array().log(), 1e-14);
}

TEST_CASE("softmax at the ends of the numbers") {
  check_close(core::softmax(vector({1e308, -1e308, 1e308})), vector({0.5, 0, 0.5}));
  CHECK(core::softmax(vector({-kInf, -kInf})) == vector({0, 0}));
  CHECK(core::logsumexp(vector({-kInf, -kInf})) == -kInf);
  CHECK(core::logsumexp(VectorD()) == -kInf);
  CHECK(core::log_softmax(vector({-kInf, -kInf})) == vector({-kInf, -kInf}));
  CHECK(core::logsumexp(vector({kInf, 0})) == kInf);
  for (const double poison : {kNaN, kInf}) {
    CHECK(core::softmax(vector({1, poison, -kInf})).array().isNaN().all());
    CHECK(core::log_softmax(vector({1, poison})).array().isNaN().all());
  }
  CHECK(core::softmax(vector({-kInf, kNaN})).array().isNaN().all());
  CHECK(std::isnan(core::logsumexp(vector({kNaN, kInf}))));
  CHECK(std::isnan(core::entropy(vector({kNaN, 1}))));
  CHECK(core::naive_softmax(vector({1000, 1000})).array().isNaN().all());
}

TEST_CASE("a temperature that is not one is refused with a sentence") {
  for (const double T : {0.0, -1.0, kNaN, kInf}) {
    CAPTURE(T);
    CHECK_THROWS_AS(core::softmax(vector({1, 2}), T), core::InputError);
    CHECK_THROWS_AS(core::softmax_rows(MatrixD(0, 3), T), core::InputError);
    CHECK_THROWS_AS(core::softmax_jacobian(vector({1}), T), core::InputError);
  }
  CHECK_THROWS_WITH(core::softmax(vector({1}), -2.0),
                    "softmax: expected a finite temperature > 0, got -2.000000");
}

TEST_CASE("the Jacobian equals finite differences, and its rows sum to zero") {
  const VectorD x = vector({0.4, -1.0, 2.0, 0.1});
  constexpr double kStep = 1e-6, T = 0.7;
  const MatrixD jacobian = core::softmax_jacobian(core::softmax(x, T), T);
  for (Index j = 0; j < x.size(); ++j) {
    VectorD up = x, down = x;
    up(j) += kStep;
    down(j) -= kStep;
    // Central differences: error about step^2 plus rounding / step.
    const VectorD slope = (core::softmax(up, T) - core::softmax(down, T)) / (2 * kStep);
    check_close(jacobian.col(j), slope, 1e-9);
    CHECK(std::fabs(jacobian.row(j).sum()) <= kUlps);
  }
}

TEST_CASE("hardmax is one-hot, or shares, and is the limit of a cold softmax") {
  const VectorD x = vector({1, 3, 2, 3});
  CHECK(core::hardmax(x) == vector({0, 1, 0, 0}));
  CHECK(core::hardmax_ties_shared(x) == vector({0, 0.5, 0, 0.5}));
  CHECK(core::softmax(x, 1e-300) == core::hardmax_ties_shared(x));
  CHECK(core::hardmax(vector({-kInf, -kInf})) == vector({0, 0}));
  CHECK(core::hardmax(vector({1, kInf})) == vector({0, 1}));
  CHECK(core::hardmax(vector({1, kNaN})).array().isNaN().all());
  CHECK(core::hardmax(VectorD()).size() == 0);
}

TEST_CASE("float answers to double") {
  const VectorD x = vector({0.5, -3.25, 8.0, 7.5});
  const core::Vector p = core::softmax<float>(x.cast<float>());
  // exp and one division: a few float ulps.
  check_close(p.cast<double>(), core::softmax(x), 3e-7);
}

TEST_CASE("the gradient of rows is each row's Jacobian times what comes from above") {
  const MatrixD p = core::softmax_rows<double>(MatrixD::Random(4, 5)), dp = MatrixD::Random(4, 5);
  const MatrixD dx = core::softmax_rows_gradient(p, dp);
  for (Index i = 0; i < p.rows(); ++i) {
    const VectorD row = core::softmax_jacobian<double>(p.row(i)) * dp.row(i).transpose();
    CHECK((dx.row(i).transpose() - row).cwiseAbs().maxCoeff() < 1e-15);
  }
  CHECK_THROWS_AS(core::softmax_rows_gradient<double>(p, MatrixD(4, 4)), core::InputError);
  CHECK_THROWS_AS(core::softmax_rows_gradient<double>(p, MatrixD(3, 5)), core::InputError);
}

}  // namespace softmax_test
