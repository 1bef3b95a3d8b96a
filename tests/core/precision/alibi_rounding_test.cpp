#include "core/precision/alibi_rounding.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "core/position/relative/alibi.h"
#include "core/precision/position_ids.h"
#include "core/types.h"

namespace alibi_rounding_test {

using core::AlibiRounder;
using core::AlibiRounding;
using core::AlibiRoundingFacts;
using core::Index;
using core::VectorD;

TEST_CASE("ALiBi under rounding by hand") {
  const AlibiRounder half(0.5, {});
  CHECK(half.bias(257) == -128);  // 128.5 lies between 128 and 129
  CHECK(half.exact(257) == -128.5);
  CHECK(half.error(257) == 0.5);
  const AlibiRounder slope(std::sqrt(0.5), {.slope = true, .bias = false});
  CHECK(slope.slope() == 0.70703125);
  CHECK(slope.bias(10) == -7.0703125);
  const AlibiRounder distance(std::sqrt(0.5), {.distance = true, .bias = false});
  CHECK(distance.bias(257) == distance.bias(256));
  CHECK_THROWS_AS(AlibiRounder(INFINITY, {}), core::InputError);
}

TEST_CASE("a slope that is a power of two collides where the ids do") {
  for (const Index n : {300, 8192}) {
    const core::IdFacts ids = core::id_facts(n, core::kBFloat16);
    const VectorD slopes = core::alibi_slopes(8);
    for (const AlibiRoundingFacts& facts : core::alibi_rounding_facts(n, slopes, AlibiRounding{})) {
      CHECK(facts.distinct == ids.distinct);
      CHECK(facts.alone == ids.alone);
      CHECK(facts.largest_group == ids.largest_group);
      CHECK(facts.first_collision == ids.first_collision);
      CHECK(facts.max_error == facts.slope * ids.max_error);
    }
  }
}

TEST_CASE("the facts are those of a table of biases, for every slope and rounding") {
  const Index n = 3000;
  for (const core::Format& low : {core::kBFloat16, core::kFloat16, core::kFp8E4m3}) {
    for (const double slope : {std::sqrt(0.5), 0.1, 3.0, 0.0, -0.3}) {
      for (const int steps : {0, 1, 2, 4, 7}) {
        const AlibiRounding rounding{.low = low,
                                     .slope = (steps & 1) != 0,
                                     .distance = (steps & 2) != 0,
                                     .bias = (steps & 4) != 0};
        const AlibiRounder rounder(slope, rounding);
        std::map<double, Index> groups;
        Index not_finite = 0;
        double largest = 0;
        for (Index d = 0; d < n; ++d) {
          const double bias = rounder.bias(d);
          // A number that stands for NaN, which a map cannot hold.
          ++groups[std::isnan(bias) ? 1e300 : bias];
          not_finite += !std::isfinite(bias);
          if (std::isfinite(bias)) {
            largest = std::max(largest, std::fabs(bias + slope * static_cast<double>(d)));
          }
        }
        Index alone = 0, widest = 0;
        for (const auto& [bias, count] : groups) {
          alone += count == 1;
          widest = std::max(widest, count);
        }
        const AlibiRoundingFacts facts = core::alibi_rounding_facts(n, slope, rounding);
        CAPTURE(slope);
        CAPTURE(steps);
        CHECK(facts.distinct == static_cast<Index>(groups.size()));
        CHECK(facts.alone == alone);
        CHECK(facts.largest_group == widest);
        CHECK(facts.not_finite == not_finite);
        CHECK(facts.max_error == largest);
      }
    }
  }
}

TEST_CASE("a large bias swallows the score's last digits") {
  VectorD scores(2), biases(2);
  scores << 0.5, 1.25;
  biases << 0, -512;
  const core::MatrixD sum = core::biased_scores(scores, biases, core::kBFloat16);
  CHECK(sum(0, 0) == 0.5);
  CHECK(sum(0, 1) == -512);
  CHECK(sum(1, 1) == -510);  // -510.75 lies between -512 and -510
}

TEST_CASE("Facts of several lengths by jumping from group to group are those by listing") {
  const std::vector<core::Index> lengths{0, 1, 16, 17, 700, 3001};
  for (const core::Format& low :
       {core::kFloat32, core::kBFloat16, core::kFloat16, core::kFp8E4m3}) {
    for (const double slope : {0.5, 0.00390625, 0.7071067811865476, 0.0}) {
      for (const bool distance : {false, true}) {
        core::AlibiRounding rounding;
        rounding.low = low;
        rounding.slope = rounding.distance = distance;
        const auto all = core::alibi_rounding_facts(lengths, slope, rounding);
        REQUIRE(all.size() == lengths.size());
        for (std::size_t k = 0; k < lengths.size(); ++k) {
          const auto slow = core::alibi_rounding_facts(lengths[k], slope, rounding);
          CAPTURE(lengths[k]);
          CAPTURE(slope);
          CHECK(all[k].n == slow.n);
          CHECK(all[k].distinct == slow.distinct);
          CHECK(all[k].alone == slow.alone);
          CHECK(all[k].largest_group == slow.largest_group);
          CHECK(all[k].max_error == slow.max_error);
          CHECK(all[k].not_finite == slow.not_finite);
          CHECK(all[k].first_collision == slow.first_collision);
        }
      }
    }
  }
  CHECK_THROWS_AS(core::alibi_rounding_facts(std::vector<core::Index>{5, 4}, 0.5, {}),
                  core::InputError);
}

}  // namespace alibi_rounding_test
