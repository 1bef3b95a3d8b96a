#include "core/attention/masked_softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/attention/softmax.h"

namespace masked_softmax_test {

namespace {

using core::EmptyRow;
using core::Mask;
using core::MatrixD;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("masked softmax by hand") {
  MatrixD scores(2, 3);
  scores << 0, std::log(3), 50, 0, 0, 50;
  const MatrixD p = core::masked_softmax(scores, Mask::key_padding(2, 3, 2));
  CHECK(p(0, 0) == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(p(0, 1) == doctest::Approx(0.75).epsilon(1e-15));
  CHECK(p(1, 0) == 0.5);
  CHECK(p(0, 2) == 0.0);
  CHECK(p(1, 2) == 0.0);
}

TEST_CASE("a masked key has weight exactly zero whatever its score is") {
  for (const double score : {0.0, 1e308, kInf, -kInf, kNaN}) {
    CAPTURE(score);
    MatrixD scores = MatrixD::Zero(4, 4);
    scores.triangularView<Eigen::StrictlyUpper>().setConstant(score);
    const MatrixD p = core::masked_softmax(scores, Mask::causal(4, 4));
    for (int i = 0; i < 4; ++i) {
      CHECK(p.row(i).sum() == doctest::Approx(1).epsilon(1e-15));
      for (int j = i + 1; j < 4; ++j) CHECK(p(i, j) == 0.0);
    }
  }
}

TEST_CASE("an empty row has the answer that was asked for") {
  const MatrixD scores = MatrixD::Random(2, 4);
  const Mask mask = Mask::query_padding(2, 4, 1);
  CHECK((core::masked_softmax(scores, mask).row(1).array() == 0).all());
  CHECK(core::masked_softmax(scores, mask, EmptyRow::nan).row(1).array().isNaN().all());
  CHECK((core::masked_softmax(scores, mask, EmptyRow::uniform).row(1).array() == 0.25).all());
  CHECK((core::filled_softmax(scores, mask).row(1).array() == 0.25).all());
  CHECK((core::filled_softmax(scores, mask, -kInf).row(1).array() == 0).all());
  const MatrixD nothing = MatrixD::Constant(1, 3, -kInf);
  CHECK(core::masked_softmax(nothing, Mask::none(1, 3), EmptyRow::nan).array().isNaN().all());
}

TEST_CASE("no mask is softmax, and a fill far below the scores is a mask") {
  const MatrixD scores = MatrixD::Random(5, 7);
  CHECK(core::masked_softmax(scores, Mask::none(5, 7)) == core::softmax_rows(scores));
  const Mask band = Mask::local(5, 7, 1);
  CHECK(
      core::filled_softmax(scores, band, -1e9).isApprox(core::masked_softmax(scores, band), 1e-15));
  // A finite fill takes part: scores below it lose to the masked key.
  MatrixD low(1, 2);
  low << -2e6, 0;
  CHECK(core::filled_softmax(low, Mask::key_padding(1, 2, 1))(0, 1) == 1.0);
}

TEST_CASE("a mask that multiplies, before softmax or after it, by hand") {
  // exp: 1, 2, 1, 4 of 8; the last two are masked.
  MatrixD scores(1, 4);
  scores << 0, std::log(2), 0, std::log(4);
  const Mask mask = Mask::key_padding(1, 4, 2);
  const auto close = [](const MatrixD& got, const MatrixD& want) {
    return (got - want).cwiseAbs().maxCoeff() < 1e-15;
  };
  CHECK(close(core::softmax_then_mask(scores, mask), MatrixD{{0.125, 0.25, 0, 0}}));
  // Renormalised it is the mask itself: the masked exponentials cancel.
  const MatrixD left_out = core::masked_softmax(scores, mask);
  CHECK(close(core::softmax_then_mask(scores, mask, core::Renormalize::yes), left_out));
  // A score of 0 stays in the row with exp(0) = 1.
  CHECK(close(core::softmax_of_masked_product(scores, mask),
              MatrixD{{1. / 5, 2. / 5, 1. / 5, 1. / 5}}));
}

TEST_CASE("a mask that multiplies where every key is masked, or nothing is left") {
  const MatrixD scores = MatrixD::Random(1, 4);
  const Mask none = Mask::key_padding(1, 4, 0);
  CHECK((core::softmax_of_masked_product(scores, none).array() == 0.25).all());
  CHECK((core::softmax_then_mask(scores, none).array() == 0).all());
  CHECK(core::softmax_then_mask(scores, none, core::Renormalize::yes).array().isNaN().all());
  // exp(-800) is 0 in double: what is left of the allowed key is nothing.
  const MatrixD far{{0, 800}};
  const Mask first = Mask::key_padding(1, 2, 1);
  CHECK(core::softmax_then_mask(far, first)(0, 0) == 0.0);
  CHECK(std::isnan(core::softmax_then_mask(far, first, core::Renormalize::yes)(0, 0)));
  CHECK(core::masked_softmax(far, first)(0, 0) == 1.0);
  const MatrixD infinite{{0, -kInf}};
  CHECK(core::softmax_of_masked_product(infinite, first).array().isNaN().all());
  CHECK_THROWS_AS(core::softmax_then_mask(scores, Mask::none(2, 4)), core::InputError);
  CHECK_THROWS_AS(core::softmax_of_masked_product(scores, Mask::none(2, 4)), core::InputError);
}

TEST_CASE("valid lengths") {
  const Mask mask = core::valid_lengths_mask(3, 4, {0, 2, 9});
  CHECK(mask.kept() == 6);
  CHECK_FALSE(mask.allowed(0, 0));
  CHECK(mask.allowed(1, 1));
  CHECK_FALSE(mask.allowed(1, 2));
  CHECK(mask.allowed(2, 3));
  CHECK(core::valid_length_mask(2, 3, 7).kept() == 6);
  CHECK_THROWS_AS(core::valid_lengths_mask(1, 4, {-1}), core::InputError);
  CHECK_THROWS_AS(core::valid_length_mask(2, 4, -1), core::InputError);
  CHECK_THROWS_WITH(core::valid_lengths_mask(2, 4, {1}),
                    "valid_lengths_mask: expected 2 lengths, one per row, got 1");
}

TEST_CASE("masked softmax of nothing, and of shapes that do not fit") {
  CHECK(core::masked_softmax(MatrixD(0, 3), Mask::none(0, 3)).rows() == 0);
  CHECK(core::masked_softmax(MatrixD(2, 0), Mask::none(2, 0), EmptyRow::uniform).cols() == 0);
  CHECK_THROWS_WITH(core::masked_softmax(MatrixD(2, 3), Mask::none(3, 2)),
                    "masked_softmax: expected a mask of the scores' shape, 2 by 3, got 3 by 2");
  CHECK_THROWS_AS(core::filled_softmax(MatrixD(2, 3), Mask::none(2, 2)), core::InputError);
  CHECK_THROWS_AS(core::masked_softmax(MatrixD(1, 1), Mask::none(1, 1), EmptyRow::zeros, 0.0),
                  core::InputError);
}

}  // namespace masked_softmax_test
