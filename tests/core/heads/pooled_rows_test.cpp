#include "core/heads/pooled_rows.h"

#include "core/heads/statistics.h"
#include "heads/given_rows.h"

namespace pooled_rows_test {

namespace {

using namespace core::heads;
using core::Pool;
using given::kInf, given::kMasked, given::kNaN, given::rows;

std::vector<float> pooled(const HeadPointer& head, int level, const core::Region& region,
                          Pool pool) {
  std::vector<float> cells(static_cast<std::size_t>(region.rows * region.cols), 9);
  pool_rows(*head, level, region, pool, cells.data());
  return cells;
}

}  // namespace

TEST_CASE("blocks keep the largest magnitude with its sign, or the mean of what is not masked") {
  const HeadPointer head = rows({{1, -3, 0.5F}, {2, kMasked, 0.25F}, {kMasked, kMasked, -1}});
  CHECK(pooled(head, 1, {0, 0, 2, 2}, Pool::max)[0] == -3);
  CHECK(pooled(head, 1, {0, 0, 2, 2}, Pool::max)[1] == 0.5F);
  CHECK(core::is_masked(pooled(head, 1, {0, 0, 2, 2}, Pool::max)[2]));
  CHECK(pooled(head, 1, {0, 0, 2, 2}, Pool::mean)[0] == 0);
  CHECK(pooled(head, 1, {0, 1, 1, 1}, Pool::mean)[0] == 0.375F);
  CHECK(pooled(head, 0, {1, 0, 1, 3}, Pool::max)[2] == 0.25F);
  CHECK(std::isnan(pooled(rows({{1, kNaN}}), 1, {0, 0, 1, 1}, Pool::max)[0]));
}

TEST_CASE("many rows are pooled as few are") {
  std::vector<std::vector<float>> all;
  for (int i = 0; i < 200; ++i) all.push_back({static_cast<float>(i), static_cast<float>(-i)});
  // Row r of level 3 has the rows 8 r to 8 r + 7.
  const auto cells = pooled(rows(all), 3, {0, 0, 25, 1}, Pool::max);
  for (std::size_t r = 0; r < 25; ++r) CHECK(cells[r] == static_cast<float>(8 * r + 7));
}

TEST_CASE("every other row, and the largest and the broken of some") {
  const HeadPointer head = rows({{1, 2, 3}, {kNaN, 5, 6}, {-7, 8, kMasked}});
  const HeadPointer some = every_row(head, 2);
  CHECK(some->queries() == 2);
  given::check_row(some, 0, {1, 3});
  given::check_row(some, 1, {-7, kMasked});
  CHECK(every_row(head, 1) == head);
  CHECK_THROWS_AS(every_row(head, 0), core::InputError);
  CHECK(largest_magnitude(*head, 0) == 8);
  CHECK(largest_magnitude(*head, 1) == 3);
  CHECK(not_finite_rows(*head, 0) == 1);
  CHECK(not_finite_rows(*rows({{kInf}, {kMasked}}), 0) == 1);
}

TEST_CASE("a causal row shows the keys up to its own, with a window the last of them") {
  const core::Matrix weights = core::Matrix::Constant(3, 3, 0.5F);
  const Eigen::Map<const core::Matrix> map(weights.data(), 3, 3);
  given::check_row(seen_rows(map, true, 0), 1, {0.5F, 0.5F, kMasked});
  given::check_row(seen_rows(map, true, 2), 2, {kMasked, 0.5F, 0.5F});
  given::check_row(seen_rows(map, false, 2), 0, {0.5F, 0.5F, 0.5F});
}

}  // namespace pooled_rows_test
