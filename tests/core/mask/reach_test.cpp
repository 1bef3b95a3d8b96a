#include "core/mask/reach.h"

#include <doctest/doctest.h>

#include "core/mask/compose.h"
#include "mask/random_mask.h"

namespace reach_test {

using core::BoolMatrix;
using core::Index;
using core::Reach;
using core::ReachOptions;
using core::SparseMask;

namespace {

// R_L = (M_L or 1) R_{L-1}, bit by bit.
std::vector<BoolMatrix> naive(const std::vector<const SparseMask*>& masks, Index layers,
                              bool residual) {
  const Index n = masks.front()->rows();
  BoolMatrix reach = BoolMatrix::Identity(n, n);
  std::vector<BoolMatrix> after;
  for (Index l = 0; l < layers; ++l) {
    const SparseMask& mask = *masks[static_cast<std::size_t>(l) % masks.size()];
    BoolMatrix next = residual ? reach : BoolMatrix(BoolMatrix::Constant(n, n, false));
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n; ++k) {
        if (!mask.allowed(i, k)) continue;
        for (Index j = 0; j < n; ++j) next(i, j) = next(i, j) || reach(k, j);
      }
    }
    after.push_back(reach = next);
  }
  return after;
}

}  // namespace

TEST_CASE("reach agrees with the product of boolean matrices") {
  std::mt19937 engine(21);
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 1 + engine() % 90;
    const SparseMask a = random_mask::any(n, engine), b = random_mask::any(n, engine),
                     target = random_mask::any(n, engine);
    std::vector<const SparseMask*> masks = {&a};
    if (engine() % 2 == 0) masks.push_back(&b);
    ReachOptions options;
    options.layers = 5;
    options.residual = engine() % 2 == 0;
    options.keep = true;
    options.target = engine() % 2 == 0 ? &target : nullptr;
    options.threads = 1 + static_cast<int>(engine() % 3);
    const Reach reach = core::reach_of(masks, options);
    const std::vector<BoolMatrix> want = naive(masks, options.layers, options.residual);
    const BoolMatrix wanted =
        options.target ? target.dense() : BoolMatrix(BoolMatrix::Constant(n, n, true));
    std::optional<Index> cover;
    for (std::size_t l = 0; l < want.size(); ++l) {
      CHECK(reach.after[l].dense() == want[l]);
      CHECK(reach.after[l].count() == want[l].count());
      CHECK(reach.pairs[l] == want[l].count());
      CHECK(reach.covered[l] == (want[l] && wanted).count());
      if (!cover && (want[l] && wanted).count() == wanted.count()) {
        cover = wanted.count() == 0 ? 0 : static_cast<Index>(l) + 1;
      }
      for (Index i = 0; i < n; ++i) {
        CHECK(reach.sizes(static_cast<Index>(l), i) == want[l].row(i).count());
      }
    }
    CHECK(reach.layers_to_cover() == cover);
    const auto size = static_cast<std::uint64_t>(n);
    const auto i = static_cast<Index>(engine() % size), j = static_cast<Index>(engine() % size);
    std::optional<Index> first = i == j ? std::optional<Index>(0) : std::nullopt;
    for (std::size_t l = 0; !first && l < want.size(); ++l) {
      if (want[l](i, j)) first = static_cast<Index>(l) + 1;
    }
    CHECK(reach.first_layer(i, j) == first);
  }
}

TEST_CASE("strips and tables of doubling: sizes beyond a strip of 512 keys" *
          doctest::test_suite("long")) {
  std::mt19937 engine(22);
  for (const Index n : {511, 512, 513, 1100}) {
    const SparseMask a = core::unite(core::pattern::atrous(n, 37), core::pattern::local(n, 9)),
                     b = core::pattern::fixed_merged(n, 21, 4);
    ReachOptions options;
    options.layers = 3;
    options.keep = true;
    const Reach reach = core::reach_of({&a, &b}, options);
    const std::vector<BoolMatrix> want = naive({&a, &b}, 3, true);
    for (std::size_t l = 0; l < want.size(); ++l) CHECK(reach.after[l].dense() == want[l]);
  }
}

TEST_CASE("what reaches what, by laws of the patterns") {
  const Index n = 4096, layers = 8;
  ReachOptions options;
  options.layers = layers;
  // A window of k reaches L k positions after L layers.
  const Reach window = core::reach_of(core::pattern::local(n, 5), options);
  for (Index l = 1; l <= layers; ++l) {
    const auto at = static_cast<std::size_t>(l - 1);
    CHECK(window.pairs[at] == core::pattern::local(n, 5 * l).kept());
    CHECK(window.sizes(l - 1, n / 2) == 2 * 5 * l + 1);
  }
  CHECK_FALSE(window.layers_to_cover());
  // Strides of one residue never mix; with a window of k - 1 two layers do (local then atrous).
  const SparseMask stride = core::pattern::atrous(n, 64), near = core::pattern::local(n, 63);
  CHECK(core::reach_of(stride, options).pairs.back() == stride.kept());
  CHECK(core::reach_of({&near, &stride}, options).layers_to_cover() == 2);
  // Factorised attention reaches every causal pair in two layers.
  const SparseMask causal = core::pattern::causal(n, n);
  options.target = &causal;
  CHECK(core::reach_of(core::pattern::strided_merged(n, 64), options).layers_to_cover() == 2);
  CHECK(core::is_causal(causal));
  CHECK_FALSE(core::is_causal(core::pattern::prefix_lm(8, 3)));
  CHECK(core::reach_of(causal, options).layers_to_cover() == 1);
}

TEST_CASE("reach without layers, without tokens, of what does not fit, and cancelled") {
  ReachOptions options;
  options.layers = 0;
  CHECK_FALSE(core::reach_of(core::pattern::full(3, 3), options).layers_to_cover());
  options.layers = 2;
  CHECK(core::reach_of(SparseMask(0, 0), options).layers_to_cover() == 0);
  const std::vector<const SparseMask*> none;
  CHECK_THROWS_WITH(core::reach_of(none, options), "reach: expected at least one mask, got none");
  CHECK_THROWS_WITH(core::reach_of(core::pattern::full(3, 4), options),
                    "reach: expected masks of 3 by 3, got 3 by 4");
  options.layers = -1;
  CHECK_THROWS_AS(core::reach_of(core::pattern::full(3, 3), options), core::InputError);
  options.layers = 2;
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(
      core::reach_of(core::pattern::full(3, 3), options, core::Cancel(source.get_token())),
      core::Cancelled);
}

}  // namespace reach_test
