#include "core/position/cost.h"

#include <algorithm>

#include "core/position/checks.h"

namespace core {

PositionCost position_cost(const ModelSize& size) {
  const auto [n, d, heads, layers] = size;
  position::require_at_least("position_cost", "sizes", 1, std::min({n, d, heads, layers}));
  if (d % heads != 0) {
    refuse("position_cost", "a number of heads that divides d_model = " + std::to_string(d),
           std::to_string(heads));
  }
  const Index d_head = d / heads;
  const Index matrix_times_vector = d_head * (2 * d_head - 1);
  PositionCost cost{};
  cost.additive_flops = n * d;
  cost.rotary_flops = 2 * layers * 3 * n * d;
  cost.rotary_matrix_flops = 2 * layers * n * heads * matrix_times_vector;
  cost.projection_flops = layers * 4 * 2 * n * d * d;
  cost.sinusoidal_table_size = n * d;
  cost.rotary_table_size = n * d_head;
  cost.learned_parameters = n * d;
  return cost;
}

}  // namespace core
