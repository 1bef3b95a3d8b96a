#include "core/precision/rounded_ids.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace rounded_ids_test {

using core::Format;
using core::IdFacts;
using core::Index;
using core::Overflow;
using core::RoundedIds;
using core::Rounding;
using core::RoundingRule;
using core::Specials;

namespace {

constexpr RoundingRule kStochastic{Rounding::stochastic};

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      core::kFloat32,
      core::kBFloat16,
      core::kFloat16,
      core::kFp8E5m2,
      core::kFp8E4m3,
      core::kFp6E2m3,
      core::kFp4E2m1,
      Format{4, 3, 7, Specials::ieee, true},
      Format{4, 3, 7, Specials::nan_only, false},
      Format{5, 2, -3, Specials::ieee, true},   // smallest steps larger than 1
      Format{5, 4, -3, Specials::ieee, false},  // the same, flushed to zero
      Format{5, 1, -4, Specials::none, false},  // nothing between 0 and 32
      Format{3, 3, 12, Specials::ieee, true}};  // nothing as large as 1
  return kFormats;
}

// Counts of a list of values, by the definitions.
IdFacts by_definition(const RoundedIds& ids, Index n) {
  std::map<double, Index> sizes;
  IdFacts facts;
  facts.n = n;
  Index not_finite = 0;
  for (Index id = 0; id < n; ++id) {
    const double value = ids(id);
    if (std::isfinite(value)) {
      ++sizes[value];
      facts.max_error = std::max(facts.max_error, std::fabs(value - static_cast<double>(id)));
    } else {
      ++not_finite;
    }
    facts.exact += value == static_cast<double>(id);
  }
  facts.not_finite = not_finite;
  for (const auto& [value, size] : sizes) {
    ++facts.distinct;
    facts.alone += size == 1;
    facts.largest_group = std::max(facts.largest_group, size);
  }
  facts.distinct += not_finite > 0;
  facts.alone += not_finite == 1;
  facts.largest_group = std::max(facts.largest_group, not_finite);
  return facts;
}

}  // namespace

TEST_CASE("Under nearest rounding values, facts and sharers are those of position_ids") {
  for (const Format& format : formats()) {
    const RoundedIds ids(format);
    const std::vector<IdFacts> facts = ids.facts({16, 700});
    CHECK(facts[1].distinct == core::id_facts(700, format).distinct);
    for (const Index id : {Index{0}, Index{17}, Index{257}, Index{699}}) {
      CHECK(ids.sharers(id, 700).count == core::id_group(id, 700, format).size());
    }
    CHECK(ids.distances(700).exact == core::distance_facts(700, format).exact);
  }
}

TEST_CASE("Ranks rise by one from each value to the next") {
  for (const Format& format : formats()) {
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero}) {
      for (const Overflow overflow : {Overflow::ieee, Overflow::saturate}) {
        const RoundedIds ids(format, {rounding, overflow});
        double before = ids(0);
        Index rank = ids.rank(before);
        for (Index id = 1; id < 3000; ++id) {
          const double value = ids(id);
          const bool same = value == before || (std::isnan(value) && std::isnan(before));
          CAPTURE(id);
          CAPTURE(format.exponent_bits);
          CAPTURE(format.bias);
          const Index next = ids.rank(value);
          if (same) {
            CHECK(next == rank);
          } else {
            // Only the step to infinity may pass numbers that no id becomes.
            CHECK((next == rank + 1 || (next > rank && !std::isfinite(value))));
          }
          before = value;
          rank = next;
        }
      }
    }
  }
}

TEST_CASE("Stochastic counts are those of the listed values") {
  for (const Format& format : formats()) {
    CAPTURE(format.exponent_bits);
    CAPTURE(format.bias);
    const RoundedIds ids(format, kStochastic, 3);
    const std::vector<IdFacts> all = ids.facts({0, 16, 777, 3000});
    CHECK(all[0].n == 0);
    for (const IdFacts& facts : all) {
      const IdFacts slow = by_definition(ids, facts.n);
      CHECK(facts.exact == slow.exact);
      CHECK(facts.distinct == slow.distinct);
      CHECK(facts.alone == slow.alone);
      CHECK(facts.largest_group == slow.largest_group);
      CHECK(facts.not_finite == slow.not_finite);
      CHECK(facts.max_error == slow.max_error);
    }
  }
}

TEST_CASE("Stochastic: exact ids stay, others go to a neighbour, the mean error is 0") {
  const RoundedIds ids(core::kBFloat16, kStochastic, 1);
  double sum = 0;
  for (Index id = 4096; id < 8192; ++id) {
    const double value = ids(id), x = static_cast<double>(id);
    if (ids.exact(id)) CHECK(value == x);
    CHECK(std::fabs(value - x) < 32);
    CHECK(std::fmod(value, 32) == 0);
    sum += value - x;
  }
  // Each error has a standard deviation below 16; of the mean of 4096 it is 0.25.
  CHECK(std::fabs(sum / 4096) < 1);
  CHECK(RoundedIds(core::kBFloat16, kStochastic, 2)(4111) ==
        RoundedIds(core::kBFloat16, kStochastic, 2)(4111));
}

TEST_CASE("Stochastic sharers and distances by listing") {
  for (const Format& format : formats()) {
    const RoundedIds ids(format, kStochastic, 5);
    constexpr Index kIds = 600;
    for (const Index id : {Index{0}, Index{3}, Index{300}, Index{599}}) {
      Index count = 0;
      for (Index other = 0; other < kIds; ++other) {
        const double a = ids(id), b = ids(other);
        count += a == b || (!std::isfinite(a) && !std::isfinite(b));
      }
      CAPTURE(format.bias);
      CHECK(ids.sharers(id, kIds).count == count);
    }
    core::DistanceFacts slow;
    for (Index i = 0; i < kIds; ++i) {
      for (Index j = 0; j <= i; ++j) {
        const double seen = ids(i) - ids(j), wrong = std::fabs(seen - static_cast<double>(i - j));
        if (!std::isfinite(ids(i)) || !std::isfinite(ids(j))) {
          ++slow.undefined;
          continue;
        }
        slow.exact += wrong == 0;
        slow.wrong_by_more += wrong > 1;
        slow.seem_equal += i != j && seen == 0;
        slow.max_error = std::max(slow.max_error, wrong);
      }
    }
    const core::DistanceFacts fast = ids.distances(kIds);
    CHECK(fast.pairs == kIds * (kIds + 1) / 2);
    CHECK(fast.undefined == slow.undefined);
    CHECK(fast.exact == slow.exact);
    CHECK(fast.wrong_by_more == slow.wrong_by_more);
    CHECK(fast.seem_equal == slow.seem_equal);
    CHECK(fast.max_error == slow.max_error);
  }
}

TEST_CASE("Bad input is refused") {
  const RoundedIds ids(core::kBFloat16);
  CHECK_THROWS_AS(ids.facts({5, 4}), core::InputError);
  CHECK_THROWS_AS(ids.facts(-1), core::InputError);
  CHECK_THROWS_AS(ids.sharers(5, 5), core::InputError);
  CHECK_THROWS_AS(ids.distances(-1), core::InputError);
  CHECK_THROWS_AS(RoundedIds(Format{}), core::InputError);
}

}  // namespace rounded_ids_test
