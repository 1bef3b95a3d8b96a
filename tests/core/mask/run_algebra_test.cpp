#include "core/mask/run_algebra.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace run_algebra_test {

using core::KeyRun;
using Keys = std::set<int>;

namespace {

Keys keys_of(std::span<const KeyRun> runs) {
  Keys keys;
  for (const KeyRun& run : runs) {
    for (int k = 0; k < run.count; ++k) {
      CHECK(keys.insert(run.begin + k * run.step).second);  // each key once
    }
  }
  return keys;
}

KeyRun random_run(std::mt19937& engine, int largest_step) {
  const int count = 1 + static_cast<int>(engine() % 40);
  const int step = 1 + static_cast<int>(engine() % static_cast<unsigned>(largest_step));
  return {static_cast<int>(engine() % 100), count, count > 1 ? step : 1};
}

}  // namespace

TEST_CASE("two runs by hand") {
  // 1 4 7 10 13 16 19 and 0 5 10 15 20: they meet at 10, and every 15 on.
  const KeyRun threes = {1, 7, 3}, fives = {0, 5, 5};
  CHECK(core::intersect_run(threes, fives) == KeyRun{10, 1, 1});
  CHECK(core::intersect_run({1, 20, 3}, {0, 20, 5}) == KeyRun{10, 4, 15});
  CHECK_FALSE(core::intersect_run({0, 9, 2}, {1, 9, 4}));  // even and odd
  CHECK_FALSE(core::intersect_run({0, 3, 2}, {6, 9, 2}));  // one after the other
  CHECK(core::intersect_run({4, 6, 1}, {0, 4, 3}) == KeyRun{6, 2, 3});
  std::vector<KeyRun> pieces;
  core::subtract_run({0, 10, 1}, {3, 3, 2}, pieces);  // 0..9 without 3 5 7
  CHECK(pieces == std::vector<KeyRun>{{0, 3, 1}, {4, 2, 2}, {8, 2, 1}});
  pieces.clear();
  core::subtract_run({0, 10, 1}, {1, 2, 6}, pieces);  // without 1 and 7
  CHECK(pieces == std::vector<KeyRun>{{0, 1, 1}, {2, 5, 1}, {8, 2, 1}});
}

TEST_CASE("two runs against sets, all steps") {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 5000; ++trial) {
    const KeyRun a = random_run(engine, 12), b = random_run(engine, 12);
    const Keys left = keys_of({&a, 1}), right = keys_of({&b, 1});
    Keys both, rest;
    for (const int key : left) (right.contains(key) ? both : rest).insert(key);
    const auto met = core::intersect_run(a, b);
    CHECK((met ? keys_of({&*met, 1}) : Keys{}) == both);
    std::vector<KeyRun> pieces;
    core::subtract_run(a, b, pieces);
    CHECK(keys_of(pieces) == rest);
  }
}

TEST_CASE("keys near 2^30 do not overflow") {
  const KeyRun a = {7, 1 << 20, 1021}, b = {5, 1 << 20, 1019};
  const auto both = core::intersect_run(a, b);
  REQUIRE(both);
  CHECK((both->begin - 7) % 1021 == 0);
  CHECK((both->begin - 5) % 1019 == 0);
  CHECK(both->step == 1021 * 1019);
  CHECK(both->last() <= std::min(a.last(), b.last()));
  CHECK(both->last() + std::int64_t{both->step} > std::min(a.last(), b.last()));
}

TEST_CASE("a window takes its keys out of a stride: three runs stay three") {
  core::RunAlgebra algebra;
  const std::vector<KeyRun> window = {{500, 101, 1}}, stride = {{2, 250, 4}};
  const auto together = algebra.unite(window, stride);
  CHECK(together.size() == 3);
  const auto inside = algebra.intersect(window, stride);
  CHECK(inside == std::vector<KeyRun>{{502, 25, 4}});
  const auto outside = algebra.subtract(stride, window);
  CHECK(outside == std::vector<KeyRun>{{2, 125, 4}, {602, 100, 4}});
}

}  // namespace run_algebra_test
