#include "core/mask/patterns/kept_in_closed_form.h"

#include <doctest/doctest.h>

#include <random>

#include "core/mask/patterns/patterns.h"

namespace kept_in_closed_form_test {

using core::Causal;
using core::Index;
namespace kept = core::kept;
namespace pattern = core::pattern;

TEST_CASE("closed forms count what the patterns keep" * doctest::test_suite("long")) {
  for (Index n = 0; n <= 40; ++n) {
    CHECK(kept::full(n, 7) == pattern::full(n, 7).kept());
    for (Index m = 0; m <= 40; m += 5) CHECK(kept::causal(n, m) == pattern::causal(n, m).kept());
    CHECK(kept::key_padding(n, 3) == pattern::key_padding(n, 5, 3).kept());
    CHECK(kept::query_padding(5, n / 2) == pattern::query_padding(n, 5, n / 2).kept());
    for (Index k = 1; k <= 45; ++k) {
      CAPTURE(n);
      CAPTURE(k);
      for (const Causal causal : {Causal::no, Causal::yes}) {
        CHECK(kept::local(n, k - 1, causal) == pattern::local(n, k - 1, causal).kept());
        CHECK(kept::atrous(n, k, causal) == pattern::atrous(n, k, causal).kept());
        CHECK(kept::local_and_atrous(n, k, causal) ==
              pattern::local_and_atrous(n, k, causal).kept());
        for (Index d = 1; d <= 4; ++d) {
          CHECK(kept::dilated(n, k, d, causal) == pattern::dilated(n, k, d, causal).kept());
        }
      }
      CHECK(kept::fixed_a1(n, k) == pattern::fixed_a1(n, k).kept());
      for (Index c = 1; c <= k; c += 3) {
        CHECK(kept::fixed_a2(n, k, c) == pattern::fixed_a2(n, k, c).kept());
        CHECK(kept::fixed_merged(n, k, c) == pattern::fixed_merged(n, k, c).kept());
      }
      for (Index sinks = 0; sinks < 6; ++sinks) {
        CHECK(kept::streaming(n, sinks, k) == pattern::streaming(n, sinks, k).kept());
      }
      if (k <= n) CHECK(kept::prefix_lm(n, k) == pattern::prefix_lm(n, k).kept());
      CHECK(kept::local_2d({n, k}, 1, 2) == pattern::local_2d({n, k}, 1, 2).kept());
    }
  }
}

TEST_CASE("Longformer's global tokens are not counted twice") {
  std::mt19937 engine(12);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + engine() % 50;
    pattern::LongformerShape shape = {
        static_cast<Index>(engine() % 8), 1 + static_cast<Index>(engine() % 4), {}};
    for (auto g = engine() % 5; g > 0; --g) {
      shape.global.push_back(static_cast<Index>(engine()) % n);
    }
    CHECK(kept::longformer(n, shape) == pattern::longformer(n, shape).kept());
  }
}

TEST_CASE("documents and blocks") {
  const std::vector<Index> lengths = {4, 0, 1, 7};
  for (const Causal causal : {Causal::no, Causal::yes}) {
    CHECK(kept::documents_of(lengths, causal) == pattern::documents_of(lengths, causal).kept());
  }
  const core::SparseMask layout = pattern::atrous(9, 4);
  CHECK(kept::block_sparse(layout, 3) == pattern::block_sparse(layout, 3).kept());
}

TEST_CASE("closed forms by hand, at sizes that no mask could be made of") {
  const Index n = Index{1} << 30;
  CHECK(kept::full(n, n) == Index{1} << 60);
  CHECK(kept::causal(n, n) == (Index{1} << 59) + (Index{1} << 29));
  CHECK(kept::local(n, 1) == 3 * n - 2);
  CHECK(kept::atrous(n, 2) == (Index{1} << 59));
  CHECK(kept::local(n, Index{1} << 60) == kept::full(n, n));
  CHECK_THROWS_AS(kept::full(n + 1, 1), core::InputError);
  CHECK_THROWS_WITH(kept::atrous(5, 0), "kept pairs: expected an argument of at least 1, got 0");
  CHECK_THROWS_AS(kept::fixed_a2(5, 2, 3), core::InputError);
  CHECK_THROWS_AS(kept::prefix_lm(5, 6), core::InputError);
}

}  // namespace kept_in_closed_form_test
