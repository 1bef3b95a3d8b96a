#include "core/cost/attention_cost.h"

#include <doctest/doctest.h>

#include "core/mask/patterns/patterns.h"

namespace attention_cost_test {

TEST_CASE("attention's cost by hand") {
  const core::AttentionCost cost = core::attention_cost({4, 6, 2, 3, 2});
  CHECK(cost.projection_macs == 4 * 4 * 36);
  CHECK(cost.score_macs == 16 * 6);
  CHECK(cost.weighted_sum_macs == 16 * 6);
  CHECK(cost.score_entries == 2 * 16);
  CHECK(cost.score_bytes == 64);
  CHECK(cost.kv_cache_bytes == 2 * 4 * 6 * 3 * 2);
  CHECK(cost.causal_pairs == 10);
}

TEST_CASE("more heads of less width cost no products but the memory of their scores") {
  const core::AttentionCost one = core::attention_cost({64, 96, 1, 1, 4});
  const core::AttentionCost many = core::attention_cost({64, 96, 12, 1, 4});
  CHECK(one.score_macs == many.score_macs);
  CHECK(one.projection_macs == many.projection_macs);
  CHECK(12 * one.score_bytes == many.score_bytes);
}

TEST_CASE("a mask costs what it keeps") {
  const core::SparseMask window = core::pattern::local(100, 2);
  const core::MaskedCost cost = core::masked_cost(window, {8, 16, 24});
  CHECK(cost.pairs == 494);  // 100 x 5 - 2 x 3
  CHECK(cost.macs == 494.0 * 8 * 40);
  CHECK(cost.dense_macs == 10000.0 * 8 * 40);
  CHECK(cost.weight_bytes == 494.0 * 8 * 4);
  CHECK(cost.index_bytes == window.memory_bytes());
  const core::SparseMask full = core::pattern::full(7, 9);
  CHECK(core::masked_cost(full, {1, 2, 3}).macs == core::masked_cost(full, {1, 2, 3}).dense_macs);
}

TEST_CASE("what cannot cost is refused") {
  CHECK_THROWS_WITH(core::attention_cost({4, 6, 4}),
                    "attention cost: expected heads that divide d = 6, got 4");
  CHECK_THROWS_AS(core::attention_cost({0, 6, 2}), core::InputError);
  CHECK_THROWS_AS(core::masked_cost(2, 2, 5, {1, 1, 1}), core::InputError);
}

}  // namespace attention_cost_test
