#include "core/mask/sparse_mask.h"

#include <doctest/doctest.h>

#include <random>

namespace sparse_mask_test {

using core::Index;
using core::KeyRun;
using core::SparseMask;
using core::SparseMaskBuilder;

TEST_CASE("runs by hand: a window with every third key between") {
  SparseMaskBuilder builder(2, 10);
  builder.add_row(std::vector<KeyRun>{{4, 2, 1}, {0, 4, 3}});  // 0 3 6 9 and 4 5
  const SparseMask mask = builder.finish();
  CHECK(mask.kept() == 6);
  CHECK(mask.kept(0) == 6);
  CHECK(mask.kept(1) == 0);
  CHECK(mask.row(0).front() == KeyRun{0, 4, 3});
  std::vector<std::int32_t> keys;
  mask.keys_into(0, keys);
  CHECK(keys == std::vector<std::int32_t>{0, 3, 4, 5, 6, 9});
  CHECK(mask.allowed(0, 9));
  CHECK_FALSE(mask.allowed(0, 7));
  CHECK_FALSE(mask.allowed(1, 0));
  CHECK(mask.is_sound());
}

TEST_CASE("keys become as few runs as they allow") {
  const auto runs_of = [](std::vector<std::int32_t> keys) {
    std::vector<KeyRun> runs;
    core::append_runs(keys, runs);
    return runs;
  };
  CHECK(runs_of({}).empty());
  CHECK(runs_of({7}) == std::vector<KeyRun>{{7, 1, 1}});
  CHECK(runs_of({2, 3, 4, 8, 11, 14}) == std::vector<KeyRun>{{2, 3, 1}, {8, 3, 3}});
  CHECK(runs_of({0, 5, 6, 7}) == std::vector<KeyRun>{{0, 1, 1}, {5, 3, 1}});
}

TEST_CASE("the index form holds the same pairs as the dense one") {
  std::mt19937 engine(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 1 + engine() % 20, m = 1 + engine() % 40;
    core::BoolMatrix bits(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) bits(i, j) = engine() % 3 != 0;
    }
    const SparseMask mask = SparseMask::from(core::Mask::dense(bits));
    CHECK(mask.dense() == bits);
    CHECK(mask.kept() == bits.count());
    CHECK(mask.is_sound());
    CHECK(mask.same_pairs(SparseMask::from(core::Mask::dense(bits))));
    bits(n - 1, m - 1) = !bits(n - 1, m - 1);
    CHECK_FALSE(mask.same_pairs(SparseMask::from(core::Mask::dense(bits))));
  }
  const SparseMask causal = SparseMask::from(core::Mask::causal(1000, 1000));
  CHECK(causal.kept() == 500500);
  CHECK(causal.memory_bytes() < 50e3);
}

TEST_CASE("a mask that cannot be is refused") {
  CHECK_THROWS_AS(SparseMask(-1, 3), core::InputError);
  SparseMaskBuilder builder(1, 4);
  CHECK_THROWS_AS(builder.add_row(std::vector<KeyRun>{{2, 3, 1}}), core::InputError);
  CHECK_THROWS_AS(builder.add_row(std::vector<KeyRun>{{0, 2, 0}}), core::InputError);
  builder.add_row({});
  CHECK_THROWS_AS(builder.add_row({}), core::InputError);
  CHECK(builder.finish().kept() == 0);
  SparseMaskBuilder twice(1, 4);
  twice.add_row(std::vector<KeyRun>{{0, 2, 1}, {1, 2, 1}});
  CHECK_FALSE(twice.finish().is_sound());
}

}  // namespace sparse_mask_test
