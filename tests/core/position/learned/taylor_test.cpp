#include "core/position/learned/taylor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "position/draw.h"

namespace taylor_test {

using core::MatrixD;
using core::VectorD;

TEST_CASE("A quadratic function is its second-order expansion, and without halves it is not") {
  const MatrixD B = draw::matrix(6, 6, 1);
  const MatrixD H = B + B.transpose();
  const VectorD g = draw::vector(6, 2), p = draw::vector(6, 3);
  const core::PairExpansion terms = core::expand_pair(1.5, g, H, p.head(3), p.tail(3));
  const double exact = 1.5 + g.dot(p) + p.dot(H * p) / 2;
  CHECK(terms.second_order() == doctest::Approx(exact).epsilon(1e-14));
  CHECK(std::abs(terms.without_halves() - exact) > 0.1);
  CHECK(terms.first_order() == doctest::Approx(1.5 + g.dot(p)).epsilon(1e-14));
  CHECK(terms.mixed ==
        doctest::Approx(p.head(3).dot(H.topRightCorner(3, 3) * p.tail(3))).epsilon(1e-14));
}

TEST_CASE("An expansion refuses shapes that do not fit") {
  const VectorD p = VectorD::Ones(2);
  CHECK_THROWS_AS(core::expand_pair(0, VectorD::Ones(3), MatrixD::Zero(4, 4), p, p),
                  core::InputError);
  CHECK_THROWS_AS(core::expand_pair(0, VectorD::Ones(4), MatrixD::Zero(4, 3), p, p),
                  core::InputError);
  CHECK_THROWS_AS(core::expand_pair(0, VectorD::Ones(4), MatrixD::Zero(4, 4), p, VectorD::Ones(1)),
                  core::InputError);
}

TEST_CASE("e^s of a bilinear score: the error falls by a thousand with a tenth of the part") {
  const double px = 0.7, xp = -0.4, pp = 1.3;
  const auto error = [&](double part) {
    const core::PairExpansion e = core::expand_exponential(px, xp, pp, part);
    return std::abs(e.second_order() - core::exact_exponential(px, xp, pp, part));
  };
  CHECK(error(0.001) < 1.2e-3 * error(0.01));
  CHECK(error(0.01) > 1e-9);
  // Without the halves a second-order error is left.
  const double exact = core::exact_exponential(px, xp, pp, 0.01);
  const double wrong = core::expand_exponential(px, xp, pp, 0.01).without_halves() - exact;
  CHECK(wrong == doctest::Approx((px * px + xp * xp) / 2 * 1e-4).epsilon(0.02));
  CHECK(core::exact_exponential(px, xp, pp, 1) == doctest::Approx(std::exp(px + xp + pp)));
}

}  // namespace taylor_test
