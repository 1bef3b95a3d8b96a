#include "core/position/relative/deberta.h"

#include <doctest/doctest.h>

#include <cmath>

#include "position/draw.h"

namespace deberta_test {

using core::Index;
using core::IndexMatrix;
using core::MatrixD;

TEST_CASE("DeBERTa: delta by hand") {
  const IndexMatrix delta = core::deberta_delta(8, 8, 3);
  CHECK(delta(4, 4) == 3);
  CHECK(delta(5, 4) == 4);
  CHECK(delta(4, 5) == 2);
  CHECK(delta(7, 4) == 5);  // i - j = 3 = k: 2k - 1
  CHECK(delta(7, 0) == 5);
  CHECK(delta(4, 7) == 0);  // i - j = -k
  CHECK(delta(0, 7) == 0);
}

TEST_CASE("DeBERTa: the three terms by plain loops, and the third takes delta(j, i)") {
  const Index n = 6, d = 4;
  const MatrixD Q = draw::matrix(n, d, 1), K = draw::matrix(n, d, 2);
  const MatrixD Kr = draw::matrix(6, d, 3), Qr = draw::matrix(6, d, 4);
  const auto terms = core::deberta_terms(Q, K, Kr, Qr);
  const MatrixD scores = terms.scores();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index there = terms.delta(i, j), back = terms.delta(j, i);
      const double sum =
          Q.row(i).dot(K.row(j)) + Q.row(i).dot(Kr.row(there)) + K.row(j).dot(Qr.row(back));
      CHECK(scores(i, j) == doctest::Approx(sum / std::sqrt(12.0)).epsilon(1e-12));
    }
  }
}

TEST_CASE("DeBERTa refuses nonsense in a sentence") {
  const MatrixD x = draw::matrix(3, 4, 1);
  CHECK_THROWS_AS(core::deberta_delta(2, 2, 0), core::InputError);
  CHECK_THROWS_AS(core::deberta_terms(x, x, draw::matrix(5, 4, 2), draw::matrix(5, 4, 2)),
                  core::InputError);
  CHECK_THROWS_AS(core::deberta_terms(x, x, draw::matrix(6, 4, 2), draw::matrix(4, 4, 2)),
                  core::InputError);
  CHECK_THROWS_AS(core::deberta_terms(x, x, draw::matrix(6, 3, 2), draw::matrix(6, 4, 2)),
                  core::InputError);
}

}  // namespace deberta_test
