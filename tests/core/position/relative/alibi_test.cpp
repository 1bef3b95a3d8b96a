#include "core/position/relative/alibi.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/attention/masked_softmax.h"
#include "position/draw.h"

namespace alibi_test {

using core::AlibiForm;
using core::AlibiSlopeRule;
using core::Index;
using core::Mask;
using core::MatrixD;
using core::VectorD;

TEST_CASE("ALiBi slopes: geometric for powers of two, the released rule for the others") {
  const VectorD eight = core::alibi_slopes(8);
  for (Index k = 0; k < 8; ++k) CHECK(eight(k) == std::ldexp(1.0, -static_cast<int>(k + 1)));
  for (const Index h : {1, 2, 4, 16, 64}) {
    const VectorD slopes = core::alibi_slopes(h);
    CHECK(slopes == core::alibi_slopes(h, AlibiSlopeRule::geometric));
    CHECK(slopes(h - 1) == std::ldexp(1.0, -8));
    for (Index k = 1; k < h; ++k) {
      CHECK(slopes(k) / slopes(k - 1) == doctest::Approx(slopes(0)).epsilon(1e-14));
    }
  }
  const VectorD twelve = core::alibi_slopes(12), sixteen = core::alibi_slopes(16);
  CHECK(twelve.head(8) == eight);
  for (Index k = 0; k < 4; ++k) CHECK(twelve(8 + k) == sixteen(2 * k));
  CHECK(core::alibi_slopes(3, AlibiSlopeRule::geometric)(0) == std::exp2(-8.0 / 3));
}

TEST_CASE("ALiBi biases: by hand, and all three forms have one causal softmax") {
  const MatrixD causal = core::alibi_bias(0.5, 3, 3);
  CHECK(causal(2, 0) == -1);
  CHECK(causal(2, 2) == 0);
  CHECK(causal(0, 1) == -std::numeric_limits<double>::infinity());
  CHECK(core::alibi_bias(0.5, 3, 3, AlibiForm::symmetric)(0, 2) == -1);
  CHECK(core::alibi_bias(0.5, 1, 4)(0, 1) == -1);  // a cache: the query stands at key 3
  const MatrixD scores = draw::matrix(6, 6, 1);
  const auto weights = [&](AlibiForm form) {
    return core::masked_softmax<double>(scores + core::alibi_bias(0.25, 6, 6, form),
                                        Mask::causal(6, 6));
  };
  const MatrixD expected = weights(AlibiForm::causal);
  CHECK((weights(AlibiForm::key_only) - expected).cwiseAbs().maxCoeff() < 1e-15);
  CHECK((weights(AlibiForm::symmetric) - expected).cwiseAbs().maxCoeff() < 1e-15);
}

TEST_CASE("ALiBi's reach is where the weight of equal contents is used up") {
  for (const double slope : {0.5, 0.1, 1.0 / 256}) {
    const Index reach = core::alibi_reach(slope, 0.9);
    const auto within = [&](Index r) { return 1 - std::exp(-slope * static_cast<double>(r + 1)); };
    CHECK(within(reach) >= 0.9 - 1e-12);
    CHECK(within(reach - 1) < 0.9);
  }
  CHECK(core::alibi_reach(1.0 / 256) > core::alibi_reach(0.5));
}

TEST_CASE("ALiBi refuses nonsense in a sentence") {
  CHECK_THROWS_WITH_AS(core::alibi_slopes(0),
                       "alibi_slopes: expected a number of heads of at least 1, got 0",
                       core::InputError);
  CHECK_THROWS_AS(core::alibi_slopes(-3), core::InputError);
  CHECK_THROWS_AS(core::alibi_bias(std::nan(""), 2, 2), core::InputError);
  CHECK_THROWS_AS(core::alibi_bias(1, -2, 2), core::InputError);
  CHECK_THROWS_AS(core::alibi_reach(0), core::InputError);
  CHECK_THROWS_AS(core::alibi_reach(1, 0), core::InputError);
  CHECK_THROWS_AS(core::alibi_reach(1, 1), core::InputError);
}

TEST_CASE("Where the slopes of twelve heads stand in their sequences, by hand") {
  CHECK(core::alibi_exponent(8, 12).k == 8);
  CHECK(core::alibi_exponent(8, 12).of == 8);
  CHECK(core::alibi_exponent(9, 12).k == 1);
  CHECK(core::alibi_exponent(12, 12).k == 7);
  CHECK(core::alibi_exponent(12, 12).of == 16);
  CHECK(core::alibi_exponent(12, 12).value() == -3.5);
  CHECK(core::alibi_exponent(12, 12, AlibiSlopeRule::geometric).value() == -8);
  CHECK_THROWS_AS(core::alibi_exponent(0, 12), core::InputError);
  CHECK_THROWS_AS(core::alibi_exponent(13, 12), core::InputError);
}

}  // namespace alibi_test
