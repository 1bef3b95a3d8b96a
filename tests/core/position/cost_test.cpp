#include "core/position/cost.h"

#include <doctest/doctest.h>

namespace cost_test {

TEST_CASE("Costs: by hand, n 10, width 4, 2 heads, 3 layers") {
  const core::PositionCost cost = core::position_cost({10, 4, 2, 3});
  CHECK(cost.additive_flops == 40);
  CHECK(cost.rotary_flops == 3 * 2 * 3 * 40);
  CHECK(cost.rotary_matrix_flops == 3 * 2 * 10 * 2 * (2 * (2 + 1)));  // 2 rows of 2 * and 1 +
  CHECK(cost.projection_flops == 3 * 4 * 10 * 2 * 16);
  CHECK(cost.sinusoidal_table_size == 40);
  CHECK(cost.rotary_table_size == 20);
  CHECK(cost.learned_parameters == 40);
}

TEST_CASE("Rotating costs 6 times adding for each layer, and little beside the projections") {
  const core::PositionCost cost = core::position_cost({2048, 768, 12, 12});
  CHECK(cost.rotary_flops == 6 * 12 * cost.additive_flops);
  CHECK(cost.rotary_flops * 1000 < cost.projection_flops);
}

TEST_CASE("Costs refuse nonsense in a sentence") {
  CHECK_THROWS_WITH_AS(core::position_cost({10, 4, 0, 3}),
                       "position_cost: expected sizes of at least 1, got 0", core::InputError);
  CHECK_THROWS_AS(core::position_cost({10, 4, 3, 3}), core::InputError);
  CHECK_THROWS_AS(core::position_cost({0, 4, 2, 3}), core::InputError);
}

}  // namespace cost_test
