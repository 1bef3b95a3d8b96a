#include "core/mask/compose.h"

#include <doctest/doctest.h>

#include "mask/random_mask.h"

namespace compose_test {

using core::BoolMatrix;
using core::Index;
using core::intersect;
using core::SparseMask;
using core::subtract;
using core::unite;

TEST_CASE("and, or and minus of masks agree with those of their bits") {
  std::mt19937 engine(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + engine() % 60;
    const SparseMask a = random_mask::any(n, engine), b = random_mask::any(n, engine);
    const BoolMatrix x = a.dense(), y = b.dense();
    const SparseMask both = intersect(a, b), either = unite(a, b), rest = subtract(a, b);
    CHECK(both.dense() == BoolMatrix(x && y));
    CHECK(either.dense() == BoolMatrix(x || y));
    CHECK(rest.dense() == BoolMatrix(x.array() && !y.array()));
    for (const SparseMask* mask : {&both, &either, &rest}) {
      CHECK(mask->is_sound());
      CHECK(mask->kept() == mask->dense().count());
    }
  }
}

TEST_CASE("laws of composition") {
  std::mt19937 engine(4);
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 1 + engine() % 200;
    const SparseMask all = core::pattern::full(n, n), none(n, n);
    const SparseMask a = random_mask::any(n, engine), b = random_mask::any(n, engine),
                     c = random_mask::any(n, engine);
    const auto complement = [&](const SparseMask& mask) { return subtract(all, mask); };
    // De Morgan, distribution, identity, what a mask does to itself.
    CHECK(complement(unite(a, b)).same_pairs(intersect(complement(a), complement(b))));
    CHECK(complement(intersect(a, b)).same_pairs(unite(complement(a), complement(b))));
    CHECK(intersect(a, unite(b, c)).same_pairs(unite(intersect(a, b), intersect(a, c))));
    CHECK(unite(a, none).same_pairs(a));
    CHECK(intersect(a, all).same_pairs(a));
    CHECK(subtract(a, none).same_pairs(a));
    CHECK(subtract(a, a).kept() == 0);
    CHECK(unite(a, a).same_pairs(a));
    CHECK(unite(a, b).kept() + intersect(a, b).kept() == a.kept() + b.kept());
    CHECK(subtract(a, b).kept() == a.kept() - intersect(a, b).kept());
  }
}

TEST_CASE("structured masks stay few runs a row, at any size" * doctest::test_suite("long")) {
  const Index n = 100000;
  const SparseMask window = core::pattern::local(n, 256), stride = core::pattern::atrous(n, 100);
  CHECK(random_mask::runs(unite(window, stride)) <= 3 * n);
  CHECK(unite(window, stride).kept() ==
        window.kept() + stride.kept() - intersect(window, stride).kept());
  CHECK(random_mask::runs(intersect(window, stride)) <= n);
  CHECK(random_mask::runs(subtract(stride, window)) <= 2 * n);
  const SparseMask past = intersect(unite(window, stride), core::pattern::causal(n, n));
  CHECK(random_mask::runs(past) <= 2 * n);
  // Two strides share every 35th key: the least common multiple.
  const SparseMask shared = intersect(core::pattern::atrous(n, 5), core::pattern::atrous(n, 7));
  CHECK(random_mask::runs(shared) == n);
  CHECK(shared.same_pairs(core::pattern::atrous(n, 35)));
}

TEST_CASE("masks of two shapes are refused in a sentence") {
  CHECK_THROWS_WITH(intersect(core::pattern::full(2, 3), core::pattern::full(3, 2)),
                    "masks: expected two of one shape, got 2 by 3 and 3 by 2");
}

TEST_CASE("painting: the later stroke holds, what lies outside is left out") {
  std::mt19937 engine(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 1 + engine() % 30;
    const SparseMask base = random_mask::any(n, engine);
    BoolMatrix bits = base.dense();
    std::vector<core::PaintedBlock> blocks;
    for (int k = 0; k < 12; ++k) {
      const auto range = [&] {
        const Index begin = static_cast<Index>(engine() % 40) - 5;
        return core::KeyRange{begin, begin + static_cast<Index>(engine() % 12) - 1};
      };
      blocks.push_back({range(), range(), engine() % 2 == 0});
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          const core::PaintedBlock& block = blocks.back();
          if (i >= block.rows.begin && i < block.rows.end && j >= block.keys.begin &&
              j < block.keys.end) {
            bits(i, j) = block.allow;
          }
        }
      }
    }
    const SparseMask mask = core::painted(base, blocks);
    CHECK(mask.dense() == bits);
    CHECK(mask.is_sound());
  }
}

TEST_CASE("ranges of each row may touch and overlap") {
  const std::vector<std::vector<core::KeyRange>> rows = {
      {{2, 5}, {4, 7}, {7, 9}}, {}, {{3, 3}, {0, 1}}};
  const SparseMask mask = core::from_ranges(10, rows);
  CHECK(mask.rows() == 3);
  REQUIRE(mask.row(0).size() == 1);
  CHECK(mask.row(0).front() == core::KeyRun{2, 7, 1});
  CHECK(mask.kept(1) == 0);
  CHECK(mask.kept(2) == 1);
  const std::vector<std::vector<core::KeyRange>> outside = {{{2, 11}}};
  CHECK_THROWS_WITH(core::from_ranges(10, outside),
                    "ranges: expected keys from 0 to 10, got 2 to 11");
}

}  // namespace compose_test
