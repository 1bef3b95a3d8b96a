#include "core/mask/patterns/patterns.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "mask/random_mask.h"

namespace patterns_test {

using core::Causal;
using core::Index;
using core::SparseMask;
namespace pattern = core::pattern;

namespace {

using Rule = std::function<bool(Index, Index)>;

// The mask keeps exactly the pairs that the definition, written as a predicate, keeps.
void holds(const SparseMask& mask, Index n, Index m, const Rule& rule) {
  REQUIRE(mask.rows() == n);
  REQUIRE(mask.cols() == m);
  CHECK(mask.is_sound());
  const core::BoolMatrix bits = mask.dense();
  Index wrong = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) wrong += bits(i, j) != rule(i, j);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("patterns of distance, by their definitions") {
  for (const Index n : {0, 1, 2, 7, 24, 41}) {
    holds(pattern::full(n, 5), n, 5, [](Index, Index) { return true; });
    for (const Index m : {n, n + 3, std::max<Index>(0, n - 4)}) {
      holds(pattern::causal(n, m), n, m, [&](Index i, Index j) { return j <= i + m - n; });
      for (Index valid = 0; valid <= m; valid += 3) {
        holds(pattern::key_padding(n, m, valid), n, m, [&](Index, Index j) { return j < valid; });
      }
    }
    holds(pattern::query_padding(n, 6, n / 2), n, 6, [&](Index i, Index) { return i < n / 2; });
    for (const Index k : {1, 2, 3, 5, 8, 40, 60, 1 << 30}) {
      for (const Causal causal : {Causal::no, Causal::yes}) {
        const auto past = [&](Index i, Index j) { return causal == Causal::no || j <= i; };
        const auto near = [&](Index i, Index j) { return std::abs(i - j) <= k && past(i, j); };
        const auto step = [&](Index i, Index j) { return (i - j) % k == 0 && past(i, j); };
        holds(pattern::local(n, k, causal), n, n, near);
        holds(pattern::atrous(n, k, causal), n, n, step);
        holds(pattern::local_and_atrous(n, k, causal), n, n,
              [&](Index i, Index j) { return near(i, j) || step(i, j); });
        for (const Index d : {1, 2, 3, 7}) {
          holds(pattern::dilated(n, k, d, causal), n, n, [&](Index i, Index j) {
            return std::abs(i - j) % d == 0 && std::abs(i - j) / d <= k && past(i, j);
          });
        }
      }
    }
    holds(pattern::local(n, 0), n, n, [](Index i, Index j) { return i == j; });
  }
}

TEST_CASE("the Sparse Transformer's patterns, by their definitions") {
  for (const Index n : {0, 1, 9, 16, 37}) {
    for (const Index l : {1, 2, 4, 7, 50}) {
      const auto a1 = [&](Index i, Index j) { return j <= i && j >= std::max<Index>(0, i - l); };
      const auto a2 = [&](Index i, Index j) { return j <= i && (i - j) % l == 0; };
      holds(pattern::strided_a1(n, l), n, n, a1);
      holds(pattern::strided_a2(n, l), n, n, a2);
      holds(pattern::strided_merged(n, l), n, n,
            [&](Index i, Index j) { return a1(i, j) || a2(i, j); });
      const auto own = [&](Index i, Index j) { return j <= i && j / l == i / l; };
      holds(pattern::fixed_a1(n, l), n, n, own);
      for (Index c = 1; c <= l; c += 2) {
        const auto summary = [&](Index i, Index j) { return j <= i && j % l >= l - c; };
        holds(pattern::fixed_a2(n, l, c), n, n, summary);
        holds(pattern::fixed_merged(n, l, c), n, n,
              [&](Index i, Index j) { return own(i, j) || summary(i, j); });
      }
    }
  }
}

TEST_CASE("windows with keys that all see, by their definitions") {
  for (const Index n : {0, 1, 12, 33}) {
    for (const Index reach : {0, 2, 5}) {
      for (const Index d : {1, 2, 3}) {
        const std::vector<Index> global =
            n > 10 ? std::vector<Index>{7, 0, 7} : std::vector<Index>{};
        holds(pattern::longformer(n, {reach, d, global}), n, n, [&](Index i, Index j) {
          const auto is_global = [&](Index k) {
            return std::find(global.begin(), global.end(), k) != global.end();
          };
          return is_global(i) || is_global(j) ||
                 (std::abs(i - j) % d == 0 && std::abs(i - j) <= reach * d);
        });
      }
      for (const Index sinks : {0, 1, 4, 40}) {
        holds(pattern::streaming(n, sinks, reach + 1), n, n,
              [&](Index i, Index j) { return j <= i && (j < sinks || i - j < reach + 1); });
      }
    }
    for (Index prefix = 0; prefix <= n; prefix += 4) {
      holds(pattern::prefix_lm(n, prefix), n, n,
            [&](Index i, Index j) { return j <= i || j < prefix; });
    }
  }
}

TEST_CASE("BigBird draws as many new keys as it says, from the seed alone") {
  const pattern::BigBirdShape shape = {2, {0, 30}};
  const SparseMask base = pattern::longformer(50, {2, 1, {0, 30}});
  const SparseMask drawn = pattern::bigbird(50, shape, 3, 11);
  CHECK(drawn.is_sound());
  for (Index i = 0; i < 50; ++i) {
    CHECK(drawn.kept(i) == std::min<Index>(50, base.kept(i) + 3));
    for (Index j = 0; j < 50; ++j) CHECK((!base.allowed(i, j) || drawn.allowed(i, j)));
  }
  CHECK(drawn.same_pairs(pattern::bigbird(50, shape, 3, 11)));
  CHECK_FALSE(drawn.same_pairs(pattern::bigbird(50, shape, 3, 12)));
  // More than there are: full.
  CHECK(pattern::bigbird(50, shape, 1000, 1).kept() == 2500);
  CHECK(pattern::bigbird(50, shape, 0, 1).same_pairs(base));
}

TEST_CASE("BigBird's draws are even: every free key as often, within five standard deviations" *
          doctest::test_suite("long")) {
  // Row 10 of 21 sees itself only, so each of the 20 others is drawn with probability 4 / 20.
  const int draws = 4000;
  std::vector<int> seen(21, 0);
  for (int seed = 0; seed < draws; ++seed) {
    const SparseMask mask = pattern::bigbird(21, {0, {}}, 4, static_cast<std::uint64_t>(seed));
    for (Index j = 0; j < 21; ++j) seen[static_cast<std::size_t>(j)] += mask.allowed(10, j);
  }
  for (Index j = 0; j < 21; ++j) {
    const int count = seen[static_cast<std::size_t>(j)];
    if (j == 10) {
      CHECK(count == draws);
    } else {
      CHECK(std::abs(count - draws / 5) < 5 * std::sqrt(draws * 0.2 * 0.8));
    }
  }
}

TEST_CASE("given random keys are united with the window") {
  const std::vector<std::vector<Index>> keys = {{3, 1}, {}, {0, 0}, {2}};
  const SparseMask mask = pattern::bigbird(4, {0, {}}, keys);
  core::BoolMatrix want(4, 4);
  want << 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1;
  CHECK(mask.dense() == want);
}

TEST_CASE("rectangles, by their definitions") {
  const std::vector<Index> ids = {5, 5, -1, 5, 2, 2, -1, 9};
  for (const Causal causal : {Causal::no, Causal::yes}) {
    holds(pattern::documents(ids, causal), 8, 8, [&](Index i, Index j) {
      return ids[static_cast<std::size_t>(i)] == ids[static_cast<std::size_t>(j)] &&
             (causal == Causal::no || j <= i);
    });
  }
  const std::vector<Index> lengths = {3, 0, 1, 4}, same = {0, 0, 0, 2, 3, 3, 3, 3};
  CHECK(pattern::documents_of(lengths).same_pairs(pattern::documents(same)));

  std::mt19937 engine(9);
  const SparseMask layout = SparseMask::from(core::Mask::dense(random_mask::bits(5, 7, engine)));
  for (const Index block : {1, 2, 3}) {
    const auto rule = [&](Index i, Index j) { return layout.allowed(i / block, j / block); };
    holds(pattern::block_sparse(layout, block), 5 * block, 7 * block, rule);
    holds(pattern::block_sparse(layout, block, 4 * block + 1, 6 * block + 1), 4 * block + 1,
          6 * block + 1, rule);
  }
  // A stride of blocks: runs that are not solid become one run a block.
  const SparseMask strided = pattern::atrous(6, 3);
  holds(pattern::block_sparse(strided, 4), 24, 24,
        [&](Index i, Index j) { return strided.allowed(i / 4, j / 4); });

  for (const auto& [height, width] : {std::pair<Index, Index>{3, 4}, {1, 9}, {6, 2}, {0, 3}}) {
    for (const Index y : {0, 1, 5}) {
      for (const Index x : {0, 1, 2, 20}) {
        const Index w = width;
        holds(pattern::local_2d({height, width}, y, x), height * w, height * w,
              [&, w = w](Index i, Index j) {
                return std::abs(i / w - j / w) <= y && std::abs(i % w - j % w) <= x;
              });
      }
    }
  }
}

TEST_CASE("patterns cost their runs, not n x n" * doctest::test_suite("long")) {
  const Index n = 131072;
  const SparseMask window = pattern::local(n, 256);
  CHECK(random_mask::runs(window) == n);
  CHECK(window.memory_bytes() < 4e6);
  CHECK(random_mask::runs(pattern::local_and_atrous(n, 362)) <= 3 * n);
  CHECK(random_mask::runs(pattern::longformer(n, {256, 1, {0, 5000}})) <= 3 * n);
  CHECK(random_mask::runs(pattern::fixed_merged(n, 128, 8)) <= 9 * n);
}

TEST_CASE("what no pattern can be is refused in a sentence") {
  CHECK_THROWS_WITH(pattern::atrous(5, 0), "mask pattern: expected a stride of at least 1, got 0");
  CHECK_THROWS_WITH(pattern::fixed_a2(9, 3, 4), "mask pattern: expected c from 1 to l, got 4");
  CHECK_THROWS_WITH(pattern::longformer(5, {1, 1, {5}}),
                    "mask pattern: expected a global token below n, got 5");
  CHECK_THROWS_AS(pattern::local(5, -1), core::InputError);
  CHECK_THROWS_AS(pattern::full(-1, 2), core::InputError);
  CHECK_THROWS_AS(pattern::full((Index{1} << 30) + 1, 0), core::InputError);
  CHECK_THROWS_AS(pattern::key_padding(2, 3, 4), core::InputError);
  CHECK_THROWS_AS(pattern::streaming(5, -1, 2), core::InputError);
  CHECK_THROWS_AS(pattern::streaming(5, 1, 0), core::InputError);
  CHECK_THROWS_AS(pattern::prefix_lm(5, 6), core::InputError);
  CHECK_THROWS_AS(pattern::bigbird(3, {0, {}}, {}), core::InputError);
  CHECK_THROWS_AS(pattern::bigbird(3, {0, {}}, -1, 0), core::InputError);
  CHECK_THROWS_AS(pattern::local_2d({1 << 20, 1 << 20}, 1, 1), core::InputError);
  CHECK_THROWS_AS(pattern::documents_of(std::vector<Index>{3, -1}), core::InputError);
  CHECK_THROWS_AS(pattern::documents_of(std::vector<Index>{Index{1} << 40}), core::InputError);
  CHECK_THROWS_AS(pattern::block_sparse(pattern::full(2, 2), 3, 7, 6), core::InputError);
  CHECK_THROWS_AS(pattern::block_sparse(pattern::full(2, 2), 0), core::InputError);
}

}  // namespace patterns_test
