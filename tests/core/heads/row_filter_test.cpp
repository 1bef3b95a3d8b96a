#include "core/heads/row_filter.h"

#include <doctest/doctest.h>

#include <numeric>

#include "core/random.h"
#include "heads/given_rows.h"

namespace row_filter_test {

namespace {

using namespace core::heads;
using given::check_row, given::kMasked, given::kNaN, given::rows;

const std::vector<bool> kSecondHidden{true, false, true, true};

}  // namespace

TEST_CASE("hidden keys are masked, and what is left is divided by its sum") {
  const HeadPointer head = rows({{0.1F, 0.5F, 0.1F, 0.3F}});
  check_row(filtered_rows(head, {.keys = kSecondHidden}), 0, {0.1F, kMasked, 0.1F, 0.3F});
  check_row(filtered_rows(head, {.keys = kSecondHidden, .renormalize = true}), 0,
            {0.2F, kMasked, 0.2F, 0.6F});
}

TEST_CASE("a row of which nothing is left is masked") {
  const HeadPointer head = rows({{0, 1, 0, 0}, {0.25F, 0.25F, 0.25F, 0.25F}, {kNaN, 0, 0, 1}});
  const HeadPointer kept = filtered_rows(head, {.keys = kSecondHidden, .renormalize = true});
  check_row(kept, 0, {kMasked, kMasked, kMasked, kMasked});
  check_row(kept, 1, {1.0F / 3, kMasked, 1.0F / 3, 1.0F / 3});
  check_row(kept, 2, {kMasked, kMasked, kMasked, kMasked});  // a NaN divides nothing
  const HeadPointer some = filtered_rows(head, {.queries = {false, true, true}});
  check_row(some, 0, {kMasked, kMasked, kMasked, kMasked});
  check_row(some, 1, {0.25F, 0.25F, 0.25F, 0.25F});
}

TEST_CASE("the top share is the fewest weights that reach it") {
  CHECK(top_share({0.125F, 0.5F, 0.125F, 0.25F}, 0.5) ==
        std::vector<bool>{false, true, false, false});
  CHECK(top_share({0.125F, 0.5F, 0.125F, 0.25F}, 0.6) ==
        std::vector<bool>{false, true, false, true});
  CHECK(top_share({0.25F, 0.25F, 0.25F, 0.25F}, 0.5) ==
        std::vector<bool>{true, true, false, false});
  CHECK(top_share({0.5F, kMasked, kNaN, -1}, 0.9) == std::vector<bool>{true, false, false, false});
  // Decimals that meet the share on paper, in float32.
  CHECK(top_share({0.7F, 0.1F, 0.1F, 0.1F}, 0.8) == std::vector<bool>{true, true, false, false});
  CHECK(top_share({0.4F, 0.3F, 0.2F, 0.1F}, 0.9) == std::vector<bool>{true, true, true, false});
  CHECK(top_share({0.5F, 0.5F}, 0) == std::vector<bool>{false, false});
  check_row(filtered_rows(rows({{0.1F, 0.5F, 0.1F, 0.3F}}), {.share = 0.6, .renormalize = true}), 0,
            {kMasked, 0.625F, kMasked, 0.375F});
}

TEST_CASE("keys go before the share is taken") {
  check_row(filtered_rows(rows({{0.1F, 0.5F, 0.1F, 0.3F}}), {.keys = kSecondHidden, .share = 0.6}),
            0, {kMasked, kMasked, kMasked, 0.3F});
}

TEST_CASE("rows that are renormalised add up to one") {
  core::Random random(7);
  for (int k = 0; k < 40; ++k) {
    std::vector<float> row(50);
    for (float& weight : row) weight = static_cast<float>(random.uniform());
    std::vector<bool> keys(50);
    for (std::size_t j = 0; j < keys.size(); ++j) keys[j] = random.below(3) > 0;
    keys[0] = true;
    filter_row({.keys = keys, .share = random.uniform(), .renormalize = true}, 0, row.data(), 50);
    double sum = 0;
    for (const float weight : row) sum += core::is_masked(weight) ? 0 : static_cast<double>(weight);
    CHECK(sum == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("what changes nothing changes nothing, and lists have the map's size") {
  CHECK(RowFilter{}.changes_nothing());
  CHECK_FALSE(RowFilter{.share = 0.5}.changes_nothing());
  const HeadPointer head = rows({{0.1F, kNaN, -2, kMasked}});
  check_row(filtered_rows(head, {}), 0, {0.1F, kNaN, -2, kMasked});
  CHECK_THROWS_AS(filtered_rows(head, {.keys = {true}}), core::InputError);
  CHECK_THROWS_AS(filtered_rows(head, {.share = -1}), core::InputError);
}

}  // namespace row_filter_test
