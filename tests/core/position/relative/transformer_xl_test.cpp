#include "core/position/relative/transformer_xl.h"

#include <doctest/doctest.h>

#include "position/draw.h"

namespace transformer_xl_test {

using core::Index;
using core::MatrixD;
using core::RelativeTerms;
using core::VectorD;

TEST_CASE("Transformer-XL: the four terms by plain loops, (c) and (d) as they should be") {
  const Index n = 5, d = 3;
  const MatrixD Q = draw::matrix(n, d, 1), K = draw::matrix(n, d, 2), W = draw::matrix(6, d, 3);
  const VectorD u = draw::vector(d, 4), v = draw::vector(d, 5);
  const MatrixD R = core::relative_sinusoids(n, 1 - n, 6);
  const RelativeTerms terms = core::relative_terms(Q, K, R * W, u, v);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const MatrixD r = core::sinusoidal_rows(VectorD::Constant(1, static_cast<double>(i - j)), 6,
                                              {.layout = core::SinusoidalLayout::concatenated});
      const VectorD projected = (r * W).row(0);
      CHECK(terms.content(i, j) == doctest::Approx(Q.row(i).dot(K.row(j))));
      CHECK(terms.content_position(i, j) ==
            doctest::Approx(Q.row(i).dot(projected)).epsilon(1e-12));
      CHECK(terms.content_bias(i, j) == doctest::Approx(u.dot(K.row(j))).epsilon(1e-12));
      CHECK(terms.position_bias(i, j) == doctest::Approx(v.dot(projected)).epsilon(1e-12));
    }
  }
  CHECK(terms.content_bias.row(0) == terms.content_bias.row(4));
  CHECK(terms.position_bias.topLeftCorner(4, 4) == terms.position_bias.bottomRightCorner(4, 4));
}

TEST_CASE("The shift of appendix B puts q_i . R_(i-j) at (i, j) on and below the diagonal") {
  const Index n = 6;
  const MatrixD Q = draw::matrix(n, 4, 1), positions = draw::matrix(n, 4, 2);
  const MatrixD shifted = core::relative_shift(Q * positions.transpose());
  const RelativeTerms terms =
      core::relative_terms(Q, Q, positions, VectorD::Zero(4), VectorD::Zero(4));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      CHECK(shifted(i, j) == doctest::Approx(terms.content_position(i, j)).epsilon(1e-13));
    }
  }
}

TEST_CASE("Transformer-XL refuses shapes that do not fit") {
  const MatrixD Q = draw::matrix(3, 4, 1);
  const VectorD u = VectorD::Zero(4);
  CHECK_THROWS_AS(core::relative_terms(Q, Q, draw::matrix(4, 4, 2), u, u), core::InputError);
  CHECK_THROWS_AS(core::relative_terms(Q, Q, draw::matrix(5, 3, 2), u, u), core::InputError);
  CHECK_THROWS_AS(core::relative_terms(Q, draw::matrix(3, 2, 1), draw::matrix(5, 4, 2), u, u),
                  core::InputError);
  CHECK_THROWS_AS(core::relative_terms(Q, Q, draw::matrix(5, 4, 2), VectorD::Zero(3), u),
                  core::InputError);
  CHECK_THROWS_AS(core::relative_sinusoids(0, 0, 4), core::InputError);
  CHECK_THROWS_AS(core::relative_sinusoids(3, 3, 4), core::InputError);
  CHECK_THROWS_AS(core::relative_sinusoids(3, 0, 5), core::InputError);
  CHECK_THROWS_AS(core::relative_shift(draw::matrix(3, 4, 1)), core::InputError);
}

}  // namespace transformer_xl_test
