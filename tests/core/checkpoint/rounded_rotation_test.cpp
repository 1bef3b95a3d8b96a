#include "core/checkpoint/inside/rounded_rotation.h"

#include <cmath>
#include <limits>

#include "checkpoint/variant.h"

namespace rounded_rotation_test {

namespace {

using namespace core::checkpoint;
using checkpoint_test::opened;
using core::Matrix, core::VectorD;

const Input kInput{.tokens = {5, 34, 15, 38, 3, 16}};

}  // namespace

TEST_CASE("what is rounded is one step, or all of them, of the low format alone") {
  using core::RotaryStep;
  const auto ids = rotary_rounding_of(RoundedRotation::ids, core::kBFloat16);
  CHECK(ids.low == core::kBFloat16);
  CHECK(ids.carrier == core::kFloat64);
  CHECK(ids.rounds(RotaryStep::id));
  CHECK_FALSE(ids.rounds(RotaryStep::table));
  const auto all = rotary_rounding_of(RoundedRotation::everything, core::kBFloat16);
  for (const auto step :
       {RotaryStep::id, RotaryStep::frequency, RotaryStep::angle, RotaryStep::table}) {
    CHECK(all.rounds(step));
  }
  CHECK_FALSE(all.rounds(RotaryStep::vector));
}

TEST_CASE("a finished table is rounded with its multiplier in it") {
  const VectorD theta{{1, 0.1}}, positions{{3, 4}};
  const auto rounding = rotary_rounding_of(RoundedRotation::tables, core::kBFloat16);
  const core::Rounder low(core::kBFloat16);
  const auto plain = rounded_rotary_table(theta, positions, 1, rounding);
  const auto scaled = rounded_rotary_table(theta, positions, 1.1, rounding);
  CHECK(plain.cos(0, 0) == low(std::cos(3.0)));
  CHECK(scaled.cos(0, 0) == low(1.1 * std::cos(3.0)));
  CHECK(scaled.sin(1, 1) == low(1.1 * std::sin(0.4)));
  CHECK(scaled.cos(0, 0) != 1.1 * plain.cos(0, 0));
}

TEST_CASE("exactly rotated, logits hang on distances; rounded ids share positions far out") {
  const auto model = opened("llama");
  const core::RotaryRounding exact{.carrier = core::kFloat64};
  const Matrix near = rotated_logits(*model, kInput, 0, exact);
  const Matrix far = rotated_logits(*model, kInput, 10000, exact);
  CHECK(logit_change(near, far).largest < 1e-4);
  const auto ids = rotary_rounding_of(RoundedRotation::ids, core::kBFloat16);
  CHECK(logit_change(near, rotated_logits(*model, kInput, 0, ids)).largest == 0);
  CHECK(logit_change(far, rotated_logits(*model, kInput, 10000, ids)).largest > 1e-2);
}

TEST_CASE("changes of logits by hand") {
  Matrix exact(3, 2), other(3, 2);
  exact << 1, 2, 3, 1, 0, 1;
  other << 2.5F, 2, 3, 1.25F, std::numeric_limits<float>::quiet_NaN(), 1;
  const LogitChange change = logit_change(exact, other);
  CHECK(change.largest == 1.5);
  CHECK(change.tokens_changed == 2);  // the first says another, the last nothing
  CHECK_FALSE(change.finite);
  REQUIRE(change.of_token.size() == 3);
  CHECK(change.of_token[1] == 0.25);
  CHECK(std::isnan(change.of_token[2]));
  CHECK(logit_change(exact, exact).tokens_changed == 0);
}

}  // namespace rounded_rotation_test
