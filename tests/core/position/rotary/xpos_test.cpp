#include "core/position/rotary/xpos.h"

#include <doctest/doctest.h>

#include <cmath>

#include "position/draw.h"

namespace xpos_test {

using core::Index;
using core::MatrixD;
using core::VectorD;

TEST_CASE("xPos: the decay by hand") {
  const VectorD zeta = core::xpos_decay(2, 0.4);
  CHECK(zeta(0) == doctest::Approx(0.4 / 1.4).epsilon(1e-15));
  CHECK(zeta(1) == doctest::Approx(0.9 / 1.4).epsilon(1e-15));
}

TEST_CASE("xPos: scores depend on the distance only, and shrink beside RoPE's") {
  const VectorD theta = core::frequencies(2);
  const MatrixD q = draw::matrix(1, 2, 1), k = draw::matrix(1, 2, 2);
  const auto score = [&](double m, double n) {
    const auto query = core::xpos_tables(VectorD::Constant(1, m), theta).query;
    const auto key = core::xpos_tables(VectorD::Constant(1, n), theta).key;
    return core::rotated(q, query).row(0).dot(core::rotated(k, key).row(0));
  };
  const auto plain = [&](double t) {
    return core::rotated(q, core::rotary_angles(VectorD::Constant(1, t), theta))
        .row(0)
        .dot(k.row(0));
  };
  CHECK(score(12, 4) == doctest::Approx(score(1008, 1000)).epsilon(1e-11));
  for (const double t : {0.0, 3.0, 700.0}) {
    const double factor = std::pow(0.4 / 1.4, t / 512);
    CHECK(score(t + 5, 5) == doctest::Approx(factor * plain(t)).epsilon(1e-11));
  }
}

TEST_CASE("xPos refuses nonsense in a sentence") {
  CHECK_THROWS_AS(core::xpos_decay(0), core::InputError);
  CHECK_THROWS_AS(core::xpos_decay(4, 0), core::InputError);
  CHECK_THROWS_AS(core::xpos_tables(VectorD::Zero(1), core::frequencies(4), {.scale_base = 0}),
                  core::InputError);
}

}  // namespace xpos_test
