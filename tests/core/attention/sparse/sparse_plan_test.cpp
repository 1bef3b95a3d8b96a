#include "core/attention/sparse/sparse_plan.h"

#include <doctest/doctest.h>

#include <set>

#include "attention/sparse_masks.h"

namespace sparse_plan_test {

using core::Index;
using core::KeyRun;
using core::SparseMask;
using core::detail::Lattice;
using core::detail::SparseBlock;
using core::detail::SparsePlan;

namespace {

std::vector<SparseBlock> planned(const SparsePlan& plan) {
  std::vector<SparseBlock> blocks;
  const Index n = plan.mask().rows();
  for (Index i = 0; i < n; i = blocks.back().end) {
    plan.plan(i, plan.block_end(i, n), blocks.emplace_back());
  }
  return blocks;
}

Index scattered(const SparsePlan& plan) {
  Index count = 0;
  for (const SparseBlock& block : planned(plan)) {
    count += static_cast<Index>(block.keys.size());
  }
  return count;
}

}  // namespace

TEST_CASE("a lattice by hand: 7 keys, every third") {
  const Lattice lattice{7, 3};
  const Index order[] = {0, 3, 6, 1, 4, 2, 5};
  for (Index p = 0; p < 7; ++p) {
    CHECK(lattice.key(p) == order[p]);
    CHECK(lattice.position(order[p]) == p);
  }
}

TEST_CASE("a lattice is a permutation in which steps are neighbours") {
  for (const Index m : {1, 2, 5, 16, 100, 257}) {
    for (const Index step : {1, 2, 3, 16, 100, 300}) {
      const Lattice lattice{m, step};
      std::set<Index> seen;
      for (Index key = 0; key < m; ++key) {
        const Index p = lattice.position(key);
        REQUIRE((p >= 0 && p < m));
        REQUIRE(lattice.key(p) == key);
        seen.insert(p);
        if (key + step < m) REQUIRE(lattice.position(key + step) == p + 1);
      }
      CHECK(static_cast<Index>(seen.size()) == m);
    }
  }
}

TEST_CASE("every kept pair has a place of its own, within its row's segments") {
  for (const Index lanes : {4, 8, 16}) {
    for (const SparseMask& mask : patterns::masks(200, 190)) {
      const SparsePlan plan(mask, lanes);
      Index rows = 0, pairs = 0;
      for (const SparseBlock& block : planned(plan)) {
        REQUIRE(block.first == rows);
        rows = block.end;
        std::set<Index> taken;
        for (Index row = 0; row < block.rows(); ++row) {
          const core::detail::RunLayout* layout = block.row_layouts(row).data();
          for (const KeyRun& run : mask.row(block.first + row)) {
            for (Index t = 0; t < run.count; ++t) {
              const Index at = layout->offset + t * layout->stride;
              REQUIRE((at >= 0 && at < block.room));
              REQUIRE(taken.insert(at).second);
              bool inside = layout->scattered;
              for (const auto& segment : block.row_segments(row)) {
                REQUIRE(segment.offset % lanes == 0);
                REQUIRE(segment.count % lanes == 0);
                inside |= at >= segment.offset && at < segment.offset + segment.count;
              }
              REQUIRE(inside);
              ++pairs;
            }
            ++layout;
          }
        }
      }
      CHECK(rows == mask.rows());
      CHECK(pairs == mask.kept());
    }
  }
}

// What is fast stays fast: these patterns leave no key to be visited by itself.
TEST_CASE("windows, progressions, blocks and global keys are all done in groups") {
  const Index n = 600;
  CHECK(scattered(SparsePlan(patterns::window(n, n, 32), 16)) == 0);
  CHECK(scattered(SparsePlan(patterns::blocks(n, n, 32), 16)) == 0);
  CHECK(scattered(SparsePlan(patterns::atrous(n, n, 8), 16)) == 0);
  const SparseMask strided = patterns::strided(n, n, 24);
  Index far = 0;  // too few for a lattice of their own
  for (Index i = 0; i < n; ++i) far += strided.kept(i) - std::min<Index>(i + 1, 24);
  CHECK(scattered(SparsePlan(strided, 16)) <= far);
  const SparseMask causal = SparseMask::from(core::Mask::causal(n, n));
  CHECK(scattered(SparsePlan(causal, 16)) < n / 10);
  const SparseMask random = SparseMask::from(core::Mask::dense(naive::random_bits(n, n, 4)));
  CHECK(scattered(SparsePlan(random, 16)) < random.kept() / 20);
}

}  // namespace sparse_plan_test
