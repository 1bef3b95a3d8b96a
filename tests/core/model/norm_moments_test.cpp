// What norms measure, held against norms and differences.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/model/layer/norm_moments.h"
#include "refusal.h"

namespace norm_moments_test {

using namespace core::model;
using core::Index;
using core::MatrixD;
using core::VectorD;

TEST_CASE("moments of four numbers by hand") {
  const VectorD x = (VectorD(4) << 1, 2, 3, 6).finished();
  const NormMoments of = norm_moments(x, true, 0.5);
  CHECK(of.mean == 3);
  CHECK(of.variance == 3.5);  // (4 + 1 + 0 + 9) / 4
  CHECK(of.scale == 2);
  const NormMoments square = norm_moments(x, false, 0);
  CHECK(square.mean == 0);
  CHECK(square.variance == 12.5);  // (1 + 4 + 9 + 36) / 4
  CHECK(square.scale == doctest::Approx(std::sqrt(12.5)).epsilon(1e-15));
  CHECK(refusals::sentence([] { norm_moments(VectorD()); }).find("at least one") !=
        std::string::npos);
}

TEST_CASE("each norm is its moments, subtracted and divided by") {
  const MatrixD x = MatrixD::Random(5, 8);
  const MatrixD layer = normed(NormKind::layer, x), rms = normed(NormKind::rms, x),
                batch = normed(NormKind::batch, x), rows = row_moments(x);
  REQUIRE(rows.cols() == 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const NormMoments row = norm_moments(x.row(i)), square = norm_moments(x.row(i), false);
    CHECK(rows(i, 0) == doctest::Approx(row.mean).epsilon(1e-13));
    CHECK(rows(i, 1) == doctest::Approx(row.scale).epsilon(1e-13));
    for (Index j = 0; j < x.cols(); ++j) {
      const NormMoments column = norm_moments(x.col(j));
      CHECK(layer(i, j) == doctest::Approx((x(i, j) - row.mean) / row.scale).epsilon(1e-12));
      CHECK(rms(i, j) == doctest::Approx(x(i, j) / square.scale).epsilon(1e-12));
      CHECK(batch(i, j) == doctest::Approx((x(i, j) - column.mean) / column.scale).epsilon(1e-12));
    }
  }
}

TEST_CASE("only batch norm makes a token depend on the others") {
  MatrixD x = MatrixD::Random(5, 8);
  const auto first = [&](NormKind kind) { return MatrixD(normed(kind, x).row(0)); };
  const MatrixD layer = first(NormKind::layer), rms = first(NormKind::rms),
                batch = first(NormKind::batch);
  x.row(4) *= 3;
  CHECK(first(NormKind::layer) == layer);
  CHECK(first(NormKind::rms) == rms);
  CHECK((first(NormKind::batch) - batch).cwiseAbs().maxCoeff() > 0.01);
}

TEST_CASE("gradients by mean and scale are those of differences, x held") {
  const MatrixD x = MatrixD::Random(3, 6), dy = MatrixD::Random(3, 6);
  const VectorD gain = VectorD::Random(6);
  const MatrixD moments = row_moments(x), by = gradient_by_row_moments(x, gain, dy);
  // The loss is sum(dy y).
  const auto loss = [&](Index i, double mean, double scale) {
    return dy.row(i)
        .cwiseProduct(gain.transpose())
        .dot(MatrixD((x.row(i).array() - mean) / scale).row(0));
  };
  constexpr double kStep = 1e-6;
  for (Index i = 0; i < x.rows(); ++i) {
    const double mean = moments(i, 0), scale = moments(i, 1);
    CHECK(
        by(i, 0) ==
        doctest::Approx((loss(i, mean + kStep, scale) - loss(i, mean - kStep, scale)) / (2 * kStep))
            .epsilon(1e-7));
    CHECK(
        by(i, 1) ==
        doctest::Approx((loss(i, mean, scale + kStep) - loss(i, mean, scale - kStep)) / (2 * kStep))
            .epsilon(1e-7));
  }
  CHECK(refusals::sentence([&] {
          gradient_by_row_moments(x, gain, MatrixD(3, 5));
        }).find("3 by 5") != std::string::npos);
  CHECK(refusals::sentence([&] { gradient_by_row_moments(x, VectorD(5), dy); }).find("gain") !=
        std::string::npos);
}

}  // namespace norm_moments_test
