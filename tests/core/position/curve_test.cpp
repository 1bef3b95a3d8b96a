#include "core/position/curve.h"

#include <doctest/doctest.h>

#include <limits>

namespace curve_test {

using core::VectorD;

TEST_CASE("Curve facts: by hand") {
  VectorD y(7);
  y << 5, 3, 4, 1, 2, 1, 3.5;
  const core::CurveFacts facts = core::curve_facts(y);
  CHECK(facts.first_rise == 2);
  CHECK(facts.rises == 3);
  CHECK(facts.minimum == 1);
  CHECK(facts.argmin == 3);
  CHECK(facts.largest_rebound == 2.5);
}

TEST_CASE("Curve facts: a falling curve never rises, a constant neither") {
  VectorD falling(3);
  falling << 3, 2, 2;
  CHECK_FALSE(core::curve_facts(falling).first_rise.has_value());
  CHECK(core::curve_facts(falling).argmin == 1);
  CHECK(core::curve_facts(falling).largest_rebound == 0);
  CHECK_THROWS_AS(core::curve_facts(VectorD()), core::InputError);
  CHECK_THROWS_AS(core::curve_facts(VectorD::Constant(2, std::numeric_limits<double>::infinity())),
                  core::InputError);
}

}  // namespace curve_test
