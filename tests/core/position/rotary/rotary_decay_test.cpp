#include "core/position/rotary/rotary_decay.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/position/curve.h"
#include "position/draw.h"

namespace rotary_decay_test {

using core::Index;
using core::MatrixD;
using core::RotaryPairing;
using core::VectorD;

TEST_CASE("Score curves are scores of rotated queries and keys, whatever the position") {
  const VectorD theta = core::frequencies(8, 1000);
  const VectorD q = draw::vector(8, 1), k = draw::vector(8, 2);
  for (const auto pairing : {RotaryPairing::neighbors, RotaryPairing::halves}) {
    const VectorD curve = core::rotary_score_curve(q, k, theta, 30, pairing);
    for (const Index n : {0, 17}) {
      for (Index t = 0; t <= 30; ++t) {
        const VectorD rotated_q =
            core::rotary_matrix(static_cast<double>(n + t), theta, pairing) * q;
        const VectorD rotated_k = core::rotary_matrix(static_cast<double>(n), theta, pairing) * k;
        CHECK(std::abs(rotated_q.dot(rotated_k) - curve(t)) < 1e-13);
      }
    }
  }
}

TEST_CASE("The bound holds for random queries and keys at every distance") {
  const VectorD theta = core::frequencies(64);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const VectorD q = draw::vector(64, seed), k = draw::vector(64, 100 + seed);
    const VectorD score = core::rotary_score_curve(q, k, theta, 300);
    const VectorD bound = core::rotary_bound_curve(q, k, theta, 300);
    CHECK((score.cwiseAbs().array() <= bound.array()).all());
  }
}

TEST_CASE("The paper's curve: (d/2 + 1) / 2 at distance 0, a falling bound that still rises") {
  const VectorD curve = core::mean_partial_sum_curve(core::frequencies(128), 256);
  CHECK(curve(0) == 32.5);
  CHECK(curve(256) < curve(0) / 2);
  CHECK(core::curve_facts(curve).first_rise == 19);
}

TEST_CASE("Decay curves refuse nonsense in a sentence") {
  const VectorD theta = core::frequencies(4), q = VectorD::Ones(4);
  CHECK_THROWS_AS(core::rotary_score_curve(VectorD::Ones(3), q, theta, 3), core::InputError);
  CHECK_THROWS_AS(core::rotary_score_curve(q, q, theta, -1), core::InputError);
  CHECK_THROWS_AS(core::rotary_bound_curve(q, VectorD::Ones(5), theta, 3), core::InputError);
  CHECK_THROWS_AS(core::mean_partial_sum_curve(VectorD(), 3), core::InputError);
}

}  // namespace rotary_decay_test
