#include "core/cost/layer_cost.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/mask/compose.h"
#include "core/mask/reach.h"

namespace layer_cost_test {

using core::Dilation;
using core::Index;
using core::LayerKind;
using core::LayerSize;

TEST_CASE("Table 1 by hand") {
  const LayerSize size = {100, 10, 3, 7};
  CHECK(core::layer_operations(LayerKind::self_attention, size) == 100000);
  CHECK(core::layer_operations(LayerKind::recurrent, size) == 10000);
  CHECK(core::layer_operations(LayerKind::convolution, size) == 30000);
  CHECK(core::layer_operations(LayerKind::separable_convolution, size) == 3000 + 10000);
  CHECK(core::layer_operations(LayerKind::restricted, size) == 7000);
  CHECK(core::sequential_steps(LayerKind::recurrent, size) == 100);
  CHECK(core::sequential_steps(LayerKind::convolution, size) == 1);
  CHECK(core::path_order(LayerKind::self_attention, size) == 1);
  CHECK(core::path_order(LayerKind::restricted, size) == doctest::Approx(100.0 / 7));
  CHECK(core::path_order(LayerKind::convolution, {81, 1, 3, 1}) == doctest::Approx(4));
  CHECK(core::path_order(LayerKind::convolution, {81, 1, 3, 1}, Dilation::contiguous) == 27);
  CHECK(core::layer_memory(LayerKind::self_attention, size, 8) == 80000);
  CHECK(core::layer_memory(LayerKind::restricted, size, 8) == 5600);
}

TEST_CASE("restricted attention meets after as many layers as reach says") {
  for (Index n = 1; n <= 30; ++n) {
    for (Index r = 1; r <= 17; ++r) {
      // r positions, floor(r / 2) of them before the query's own.
      std::vector<std::vector<core::KeyRange>> rows;
      for (Index i = 0; i < n; ++i) {
        rows.push_back({{std::max<Index>(0, i - r / 2), std::min(n, i - r / 2 + r)}});
      }
      core::ReachOptions options;
      options.layers = 32;
      options.keep = true;
      const core::Reach reach = core::reach_of(core::from_ranges(n, rows), options);
      std::optional<Index> met, crossed;  // some position saw both ends; the first saw the last
      for (Index layer = 1; layer <= options.layers; ++layer) {
        const auto& after = reach.after[static_cast<std::size_t>(layer - 1)];
        for (Index i = 0; i < n && !met; ++i) {
          if (after(i, 0) && after(i, n - 1)) met = layer;
        }
        if (!crossed && after(0, n - 1)) crossed = layer;
      }
      CAPTURE(n);
      CAPTURE(r);
      CHECK(met == core::layers_to_meet(LayerKind::restricted, {n, 4, 3, r}));
      if (r % 2 == 0) continue;
      CHECK(crossed == core::layers_to_meet(LayerKind::restricted, {2 * n - 1, 4, 3, r}));
    }
  }
}

TEST_CASE("a neighbourhood is never larger than the sequence") {
  for (Index n = 1; n <= 20; ++n) {
    const LayerSize size = {n, 10, 3, 16};
    const double all = core::layer_operations(LayerKind::self_attention, size);
    const double kept = core::layer_operations(LayerKind::restricted, size);
    CHECK(kept <= all);
    CHECK((kept == all) == (n <= 16));
    CHECK(kept == 10 * core::layer_memory(LayerKind::restricted, size, 1));
  }
}

TEST_CASE("convolutions meet as soon as their field covers the sequence") {
  for (Index n = 1; n <= 200; ++n) {
    for (Index k = 2; k <= 7; ++k) {
      for (const Dilation dilation : {Dilation::contiguous, Dilation::dilated}) {
        const Index layers =
            core::layers_to_meet(LayerKind::convolution, {n, 1, k, 1}, dilation).value();
        CHECK(core::convolution_field(k, layers, dilation) >= n);
        CHECK((layers == 1 || core::convolution_field(k, layers - 1, dilation) < n));
      }
    }
  }
  CHECK_THROWS_AS(core::convolution_field(3, 60, Dilation::dilated), core::InputError);
  CHECK_THROWS_AS(core::convolution_field(3, -1, Dilation::dilated), core::InputError);
}

TEST_CASE("at a crossover both kinds cost the same, and before it the other is cheaper") {
  const LayerKind kinds[] = {LayerKind::self_attention, LayerKind::recurrent,
                             LayerKind::convolution, LayerKind::separable_convolution,
                             LayerKind::restricted};
  const LayerSize size = {768, 512, 3, 63};
  CHECK(core::crossover_length(LayerKind::self_attention, LayerKind::recurrent, size)->at == 512);
  CHECK(core::crossover_width(LayerKind::self_attention, LayerKind::recurrent, size)->at == 768);
  CHECK(core::crossover_length(LayerKind::self_attention, LayerKind::convolution, size)->at ==
        1536);
  CHECK(core::crossover_length(LayerKind::self_attention, LayerKind::restricted, size)->at == 63);
  CHECK_FALSE(core::crossover_length(LayerKind::recurrent, LayerKind::convolution, size));
  CHECK_FALSE(core::crossover_length(LayerKind::recurrent, LayerKind::restricted, size));
  // With a window wider than d, restricted attention overtakes recurrence before it is filled.
  CHECK(
      core::crossover_length(LayerKind::recurrent, LayerKind::restricted, {768, 512, 3, 600})->at ==
      512);
  CHECK(core::crossover_width(LayerKind::recurrent, LayerKind::restricted, {40, 512, 3, 63})->at ==
        40);
  for (const LayerKind a : kinds) {
    for (const LayerKind b : kinds) {
      for (const bool length : {true, false}) {
        const auto at =
            length ? core::crossover_length(a, b, size) : core::crossover_width(a, b, size);
        if (!at) continue;
        const auto cost = [&](LayerKind kind, Index x) {
          LayerSize here = size;
          (length ? here.n : here.d) = x;
          return core::layer_operations(kind, here);
        };
        const auto x = static_cast<Index>(at->at);
        const bool whole = static_cast<double>(x) == at->at;
        if (whole) CHECK(cost(a, x) == cost(b, x));
        if (whole) CHECK(cost(a, x) == at->operations);
        const Index before = whole ? x - 1 : x;
        const double earlier = cost(a, before) - cost(b, before);
        const double later = cost(a, x + 1) - cost(b, x + 1);
        // Restricted attention is full attention until its window fills the sequence.
        const bool parts = length && std::min(a, b) == LayerKind::self_attention &&
                           std::max(a, b) == LayerKind::restricted;
        CHECK((parts ? earlier == 0 && later != 0 : earlier * later < 0));
      }
    }
  }
}

TEST_CASE("sizes of nothing are refused") {
  CHECK_THROWS_WITH(core::layer_operations(LayerKind::recurrent, {0, 4}),
                    "layer cost: expected n of at least 1, got 0");
  CHECK_THROWS_AS(core::layers_to_meet(LayerKind::convolution, {4, 4, 1, 1}), core::InputError);
  CHECK_THROWS_AS(core::layer_memory(LayerKind::recurrent, {4, 4}, 0), core::InputError);
}

}  // namespace layer_cost_test
