#include "core/position/relative/shaw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "position/draw.h"

namespace shaw_test {

using core::Index;
using core::MatrixD;
using core::ShawTables;

TEST_CASE("Shaw: every score and output by plain loops") {
  const Index n = 6, d = 4, k = 2;
  const MatrixD Q = draw::matrix(n, d, 1), K = draw::matrix(n, d, 2), V = draw::matrix(n, 3, 3);
  const ShawTables tables{draw::matrix(5, d, 4), draw::matrix(5, 3, 5)};
  const auto shaw = core::shaw_attention(Q, K, V, tables);
  for (Index i = 0; i < n; ++i) {
    MatrixD output = MatrixD::Zero(1, 3);
    for (Index j = 0; j < n; ++j) {
      const Index row = std::clamp(j - i, -k, k) + k;
      CHECK(shaw.index(i, j) == row);
      CHECK(shaw.attention.scores(i, j) ==
            doctest::Approx(Q.row(i).dot(K.row(j) + tables.key.row(row)) / 2).epsilon(1e-12));
      output += shaw.attention.weights(i, j) * (V.row(j) + tables.value.row(row));
    }
    CHECK((shaw.attention.output.row(i) - output).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("Shaw: equal tokens far apart are told apart by clipped distance only") {
  const MatrixD x = draw::matrix(1, 4, 1).replicate(9, 1);
  const auto shaw = core::shaw_attention(x, x, x, {draw::matrix(5, 4, 2), MatrixD()});
  // Keys 5 to 8 are all at least two ahead of query 3, keys 0 and 1 two behind it.
  CHECK(shaw.attention.weights(3, 5) == shaw.attention.weights(3, 8));
  CHECK(shaw.attention.weights(3, 0) == shaw.attention.weights(3, 1));
  CHECK(shaw.attention.weights(3, 4) != shaw.attention.weights(3, 5));
}

TEST_CASE("Shaw refuses tables that do not fit") {
  const MatrixD x = draw::matrix(3, 4, 1);
  CHECK_THROWS_AS(core::shaw_attention(x, x, x, {draw::matrix(4, 4, 2), MatrixD()}),
                  core::InputError);
  CHECK_THROWS_AS(core::shaw_attention(x, x, x, {draw::matrix(5, 3, 2), MatrixD()}),
                  core::InputError);
  CHECK_THROWS_AS(core::shaw_attention(x, x, x, {draw::matrix(5, 4, 2), draw::matrix(3, 4, 2)}),
                  core::InputError);
}

}  // namespace shaw_test
