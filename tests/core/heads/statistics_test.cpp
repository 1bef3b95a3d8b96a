#include "core/heads/statistics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/task/inside/head_scores.h"
#include "heads/given_rows.h"

namespace statistics_test {

namespace {

using namespace core::heads;
using core::Index;
using given::kMasked, given::kNaN, given::rows;

}  // namespace

TEST_CASE("what a head does, by hand") {
  // Three tokens: the first looks at itself, the second half and half, the third at key 0.
  const HeadPointer head = rows({{1, kMasked, kMasked}, {0.5F, 0.5F, kMasked}, {1, 0, 0}});
  const HeadStatistics all = head_statistics(*head, {.separators = {false, true, false}});
  // The first had no choice: the means are over the two others.
  CHECK(all.counted == 2);
  CHECK(all.faults.rows == 3);
  CHECK(all.faults.sound());
  CHECK(all.faults.largest == 1);
  CHECK(all.entropy == doctest::Approx(std::log(2.0) / 2));
  CHECK(all.distance == doctest::Approx((0.5 + 2) / 2));
  CHECK(all.first == doctest::Approx(1.5 / 2));
  CHECK(all.diagonal == doctest::Approx((0.5 + 0) / 2));
  CHECK(all.separators == doctest::Approx(0.5 / 2));
  // Equal on the two keys that the second may see; the third looks at one of three.
  CHECK(all.entropy_share == doctest::Approx((1.0 + 0) / 2));
  CHECK(all.previous == doctest::Approx((0.5 + 0) / 2));
}

TEST_CASE("the key before is that of the rows that have one") {
  // Of an encoder the first row counts, but it has none.
  const HeadStatistics all = head_statistics(*rows({{0.25F, 0.75F}, {0.75F, 0.25F}}), {});
  CHECK(all.counted == 2);
  CHECK(all.previous == 0.75);
  // One query at the last of two keys.
  CHECK(head_statistics(*rows({{0.25F, 0.75F}}), {}).previous == 0.25);
}

TEST_CASE("a row that sees one key alone has no choice, wherever it lies") {
  // A window of one token: every row sees itself.
  const HeadStatistics none = head_statistics(*rows({{1, kMasked}, {kMasked, 1}}), {});
  CHECK(none.faults.rows == 2);
  CHECK(none.counted == 0);
  CHECK(std::isnan(none.diagonal));
  CHECK(std::isnan(none.previous));
}

TEST_CASE("of causal heads the statistics are those of the meter of sequences") {
  core::Matrix weights = core::Matrix::Constant(4, 4, 0);
  weights.row(0) << 1, 0, 0, 0;
  weights.row(1) << 0.25F, 0.75F, 0, 0;
  weights.row(2) << 0.5F, 0.125F, 0.375F, 0;
  weights.row(3) << 0, 0.5F, 0.25F, 0.25F;
  core::task::HeadMeter meter;
  meter.add({{0, 1, 2, 3}, {-1, -1, -1, -1}, {0, 0, 0, 0}, {-1, -1, -1, -1}}, weights);
  core::Matrix masked = weights;
  for (Index i = 0; i < 4; ++i) masked.row(i).tail(3 - i).setConstant(kMasked);
  const HeadStatistics all = head_statistics(*dense_rows(masked), {});
  const core::task::HeadScores scores = meter.scores();
  CHECK(all.previous == doctest::Approx(scores.previous_token.mean));
  CHECK(all.first == doctest::Approx(scores.first_token.mean));
  CHECK(all.entropy_share == doctest::Approx(scores.uniform.mean));
}

TEST_CASE("a first row counts where it could look elsewhere") {
  // An encoder's: the first token looks at both; and a lone key, which is nobody's choice.
  CHECK(head_statistics(*rows({{0.5F, 0.5F}, {0, 1}}), {}).counted == 2);
  CHECK(head_statistics(*rows({{0, 1}, {0, 1}}), {}).counted == 2);
  CHECK(head_statistics(*rows({{1, 0}, {0, 1}}), {}).counted == 1);
  CHECK(std::isnan(head_statistics(*rows({{1}}), {}).entropy));
  CHECK_FALSE(has_choice(1));
  CHECK(has_choice(2));
}

TEST_CASE("rows that are no probabilities are counted and left out of the means") {
  const HeadPointer head = rows({{kNaN, 1}, {-0.25F, 1.25F}, {0.5F, 0.25F}, {0, 0}, {0, 1}});
  const HeadStatistics all = head_statistics(*head, {});
  CHECK(all.faults.rows == 5);
  CHECK(all.faults.nan == 1);
  CHECK(all.faults.negative == 1);
  CHECK(all.faults.not_one == 1);  // a sum of 1 with a negative number in it is one all the same
  CHECK(all.faults.empty == 1);
  CHECK(all.faults.worst_sum == 0.75);
  CHECK(all.faults.worst_row == 2);
  CHECK_FALSE(all.faults.sound());
  // Left: (2/3, 1/3) after division, and (0, 1). Own keys: -1 and 1, for there are 2 keys.
  CHECK(all.counted == 2);
  CHECK(all.first == doctest::Approx(1.0 / 3));
  const HeadStatistics none = head_statistics(*rows({{kNaN, 1}}), {});
  CHECK(none.counted == 0);
  CHECK(std::isnan(none.entropy));
}

TEST_CASE("the tolerance is that of the type") {
  const HeadPointer head = rows({{0.5F, 0.501F}});
  CHECK(head_statistics(*head, {.tolerance = sum_tolerance(core::NumberType::float32)})
            .faults.not_one == 1);
  CHECK(head_statistics(*head, {.tolerance = sum_tolerance(core::NumberType::float16)})
            .faults.not_one == 0);
  CHECK(sum_tolerance(core::NumberType::bfloat16) > sum_tolerance(core::NumberType::float16));
  CHECK(sum_tolerance(core::NumberType::uint8) == 0);
}

TEST_CASE("rows are spread evenly and each at most once") {
  CHECK(spread_rows(5, 0) == std::vector<Index>{0, 1, 2, 3, 4});
  CHECK(spread_rows(5, 9) == std::vector<Index>{0, 1, 2, 3, 4});
  CHECK(spread_rows(8, 4) == std::vector<Index>{0, 2, 4, 6});
  CHECK(spread_rows(10, 4) == std::vector<Index>{0, 2, 5, 7});
  CHECK(spread_rows(0, 4).empty());
  const HeadPointer head = rows({{1, 0}, {0, 1}, {1, 0}, {0, 1}});
  CHECK(head_statistics(*head, {.most_rows = 2}).first == 1);
  // Row 0 sees key 0 alone and has no choice: of the other three one looks at key 0.
  CHECK(head_statistics(*head, {}).first == 1.0 / 3);
}

TEST_CASE("faults of several heads add up") {
  RowFaults all = head_statistics(*rows({{0.5F, 0.25F}}), {}).faults;
  all.add(head_statistics(*rows({{kNaN, 1}, {0.25F, 0.25F}}), {}).faults);
  CHECK(all.rows == 3);
  CHECK(all.nan == 1);
  CHECK(all.not_one == 2);
  CHECK(all.worst_sum == 0.5);
  CHECK(all.worst_row == 1);
}

}  // namespace statistics_test
