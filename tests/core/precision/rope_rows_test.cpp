#include "core/precision/rope_rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "core/precision/position_ids.h"

namespace rope_rows_test {

using core::Index;
using core::RotaryRounder;
using core::RotaryRounding;
using core::RotaryStep;

namespace {

RotaryRounder rounder_of(Index d, const RotaryRounding& rounding) {
  return RotaryRounder(core::frequencies(d), rounding);
}

Index distinct(const std::vector<std::int32_t>& first) {
  Index count = 0;
  for (size_t p = 0; p < first.size(); ++p) count += first[p] == static_cast<std::int32_t>(p);
  return count;
}

}  // namespace

TEST_CASE("the first equal row is the first of all rows that are equal") {
  const core::RoundingRule random{core::Rounding::stochastic};
  for (const RotaryRounding& rounding :
       {RotaryRounding{.steps = {RotaryStep::id}},
        RotaryRounding{.steps = {RotaryStep::angle, RotaryStep::table}},
        RotaryRounding{.low = core::kFp8E4m3, .steps = {RotaryStep::id, RotaryStep::table}},
        RotaryRounding{.low = core::kFp8E4m3, .steps = {RotaryStep::angle}},
        RotaryRounding{.low = core::kFp4E2m1, .steps = {RotaryStep::table}},
        RotaryRounding{.low = core::kFp8E5m2, .rule = random, .seed = 2, .steps = {RotaryStep::id}},
        RotaryRounding{
            .low = core::kFp4E2m1, .rule = random, .seed = 2, .steps = {RotaryStep::table}},
        RotaryRounding{.low = core::kFp8E5m2,
        .rule = random,
        .steps = {RotaryStep::angle, RotaryStep::table}}}) {
    const RotaryRounder rounder = rounder_of(8, rounding);
    const Index n = 9000;
    std::map<std::vector<double>, Index> rows;
    const std::vector<std::int32_t> first = core::first_equal_rows(rounder, n, 2);
    for (Index p = 0; p < n; ++p) {
      std::vector<double> row;
      for (Index i = 0; i < 4; ++i) {
        // A number that stands for NaN, which a map cannot hold.
        const auto held = [](double x) { return std::isnan(x) ? 9.0 : x + 0.0; };
        const auto position = static_cast<double>(p);
        row.insert(row.end(), {held(rounder.cos(position, i)), held(rounder.sin(position, i))});
      }
      CHECK(first[static_cast<size_t>(p)] == rows.try_emplace(row, p).first->second);
    }
  }
  CHECK(core::first_equal_rows(rounder_of(8, {}), 0).empty());
  CHECK_THROWS_AS(core::first_equal_rows(rounder_of(8, {}), -1), core::InputError);
}

TEST_CASE("the rows of 8192 positions in bfloat16, d = 128") {
  const auto rows = [](const RotaryRounding& rounding) {
    return distinct(core::first_equal_rows(rounder_of(128, rounding), 8192));
  };
  CHECK(rows({.steps = {RotaryStep::id}}) == core::id_facts(8192, core::kBFloat16).distinct);
  CHECK(rows({.steps = {RotaryStep::angle, RotaryStep::table}}) == 7561);
  CHECK(rows({.steps = {RotaryStep::table}}) == 8192);
}

}  // namespace rope_rows_test
