#include "core/mask/transpose.h"

#include <doctest/doctest.h>

#include "mask/random_mask.h"

namespace transpose_test {

using core::BoolMatrix;
using core::Index;
using core::SparseMask;

TEST_CASE("the transpose, its counts and its columns agree with the bits") {
  std::mt19937 engine(8);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + engine() % 50;
    const SparseMask mask = random_mask::any(n, engine);
    const SparseMask columns = core::transpose(mask);
    const BoolMatrix bits = mask.dense();
    CHECK(columns.dense() == BoolMatrix(bits.transpose()));
    CHECK(columns.is_sound());
    CHECK(core::transpose(columns).same_pairs(mask));
    const std::vector<Index> counts = core::column_counts(mask);
    for (Index j = 0; j < n; ++j) {
      CHECK(counts[static_cast<std::size_t>(j)] == bits.col(j).count());
      const std::vector<Index> queries = core::queries_of_key(mask, j);
      CHECK(static_cast<Index>(queries.size()) == bits.col(j).count());
      for (const Index i : queries) CHECK(bits(i, j));
    }
  }
}

TEST_CASE("a rectangle has as many rows as it had keys") {
  const SparseMask mask = core::pattern::key_padding(4, 7, 3);
  const SparseMask columns = core::transpose(mask);
  CHECK(columns.rows() == 7);
  CHECK(columns.cols() == 4);
  CHECK(columns.same_pairs(core::pattern::query_padding(7, 4, 3)));
  CHECK(core::column_counts(mask) == std::vector<Index>{4, 4, 4, 0, 0, 0, 0});
  CHECK_THROWS_WITH(core::queries_of_key(mask, 7),
                    "queries of a key: expected a key from 0 to 6, got 7");
}

TEST_CASE("windows, strides and blocks stay few runs when transposed") {
  const Index n = 20000;
  CHECK(random_mask::runs(core::transpose(core::pattern::causal(n, n))) == n);
  CHECK(random_mask::runs(core::transpose(core::pattern::local(n, 300))) == n);
  CHECK(random_mask::runs(core::transpose(core::pattern::atrous(n, 100))) == n);
  const SparseMask symmetric = core::pattern::local_and_atrous(n, 100);
  CHECK(core::transpose(symmetric).same_pairs(symmetric));
}

TEST_CASE("counts of many steps") {
  // Row i holds the keys 0, s, 2 s with a step of its own: more steps than are summed by step.
  const Index n = 60, m = 200;
  core::SparseMaskBuilder builder(n, m);
  for (Index i = 0; i < n; ++i) {
    const core::KeyRun run = {0, 3, static_cast<std::int32_t>(i + 1)};
    builder.add_row({&run, 1});
  }
  const SparseMask mask = builder.finish();
  const BoolMatrix bits = mask.dense();
  const std::vector<Index> counts = core::column_counts(mask);
  for (Index j = 0; j < m; ++j) CHECK(counts[static_cast<std::size_t>(j)] == bits.col(j).count());
}

}  // namespace transpose_test
