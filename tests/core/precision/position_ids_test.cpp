#include "core/precision/position_ids.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "core/types.h"

namespace position_ids_test {

using core::Format;
using core::GroupSize;
using core::IdFacts;
using core::Index;
using core::Overflow;
using core::Rounding;
using core::RoundingRule;
using core::Specials;

namespace {

bool same_binades(const IdFacts& a, const IdFacts& b) {
  if (a.binades.size() != b.binades.size()) return false;
  for (size_t i = 0; i < a.binades.size(); ++i) {
    const core::IdBinade &x = a.binades[i], &y = b.binades[i];
    if (x.low != y.low || x.high != y.high || x.spacing != y.spacing || x.distinct != y.distinct ||
        x.sizes != y.sizes) {
      return false;
    }
  }
  return true;
}

bool same(const IdFacts& a, const IdFacts& b) {
  return a.n == b.n && a.exact == b.exact && a.distinct == b.distinct && a.alone == b.alone &&
         a.alone_and_exact == b.alone_and_exact && a.largest_group == b.largest_group &&
         a.not_finite == b.not_finite && a.max_error == b.max_error &&
         a.first_inexact == b.first_inexact && a.first_collision == b.first_collision &&
         same_binades(a, b);
}

}  // namespace

TEST_CASE("bfloat16 ids by hand") {
  const IdFacts facts = core::id_facts(8192, core::kBFloat16);
  CHECK(facts.exact == 896);
  CHECK(facts.distinct == 897);
  CHECK(facts.alone == 320);
  CHECK(facts.colliding() == 7872);
  CHECK(facts.largest_group == 33);
  CHECK(facts.first_collision == 257);
  CHECK(facts.share(facts.exact) == 0.109375);
  CHECK(facts.binades.at(1).sizes == std::vector<GroupSize>{{1, 64}, {2, 1}, {3, 63}});
  const core::IdGroup group = core::id_group(4100, 8192, core::kBFloat16);
  CHECK(group.first == 4088);
  CHECK(group.last == 4112);
  CHECK(group.value == 4096);
  CHECK(core::exact_ids_per_binade(8192, core::kBFloat16) ==
        std::vector<Index>{256, 128, 128, 128, 128, 128});
  CHECK(core::id_facts(70000, core::kFloat16).not_finite == 70000 - 65520);
  // Truncation: groups of exactly the spacing.
  const IdFacts cut = core::id_facts(8192, core::kBFloat16, {Rounding::toward_zero});
  CHECK(cut.binades.back().sizes == std::vector<GroupSize>{{32, 128}});
  CHECK(core::id_facts(0, core::kBFloat16).distinct == 0);
  CHECK(core::id_facts(Index{1} << 52, core::kFloat64).alone == Index{1} << 52);
}

TEST_CASE("the facts are those of listing every id" * doctest::test_suite("long")) {
  const std::vector<Format> formats = {core::kBFloat16,
                                       core::kFloat16,
                                       core::kTf32,
                                       core::kFp8E4m3,
                                       core::kFp8E5m2,
                                       core::kFp6E3m2,
                                       core::kFp6E2m3,
                                       core::kFp4E2m1,
                                       core::kFloat32,
                                       {4, 3, -2},                         // least step 1
                                       {4, 3, -5},                         // least step 8
                                       {5, 2, -6, Specials::none, false},  // least number 128
                                       {4, 3, 12},                         // ends below 8
                                       {5, 0, 15, Specials::none},
                                       {6, 4, 31, Specials::nan_only},
                                       {1, 9, -9},
                                       {2, 3, 5}};
  std::mt19937_64 random(6);
  for (const Format& format : formats) {
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::nearest_away,
                                    Rounding::toward_zero, Rounding::upward, Rounding::downward}) {
      for (const Overflow overflow : {Overflow::ieee, Overflow::saturate}) {
        const RoundingRule rule{rounding, overflow};
        for (const Index size : {0, 1, 2, 9, 255, 512, 4096, 70000}) {
          const Index n = size < 9 ? size : size + static_cast<Index>(random() % 9) - 4;
          CAPTURE(format.exponent_bits);
          CAPTURE(format.mantissa_bits);
          CAPTURE(format.bias);
          CAPTURE(static_cast<int>(rounding));
          CAPTURE(n);
          CHECK(same(core::id_facts(n, format, rule), core::id_facts_by_listing(n, format, rule)));
        }
      }
    }
    for (const Index n : {1, 3, 300, 5000}) {
      const std::vector<Index> exact = core::exact_ids_per_binade(n, format);
      CHECK(std::accumulate(exact.begin(), exact.end(), Index{0}) ==
            core::id_facts(n, format).exact);
    }
  }
}

TEST_CASE("counts add up for a million ids and far beyond") {
  for (const Index n : {Index{1} << 20, Index{1} << 40, (Index{1} << 52) - 12345}) {
    for (const Format& format : {core::kBFloat16, core::kFloat16, core::kFp8E4m3, core::kFloat32}) {
      const IdFacts facts = core::id_facts(n, format);
      Index ids = facts.not_finite, distinct = facts.not_finite > 0;
      for (const core::IdBinade& binade : facts.binades) {
        for (const GroupSize& size : binade.sizes) ids += size.size * size.count;
        distinct += binade.distinct;
      }
      CHECK(ids == n);
      CHECK(distinct == facts.distinct);
    }
  }
}

TEST_CASE("distances between rounded ids are those of all pairs") {
  for (const Format& format : {core::kBFloat16, core::kFp8E4m3, core::kFp4E2m1, core::kFp8E5m2}) {
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero}) {
      const Index n = 600;
      core::DistanceFacts want;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j <= i; ++j) {
          const double a = core::round_to(format, static_cast<double>(i), rounding);
          const double b = core::round_to(format, static_cast<double>(j), rounding);
          ++want.pairs;
          if (!std::isfinite(a) || !std::isfinite(b)) {
            ++want.undefined;
            continue;
          }
          const double error = std::fabs(a - b - static_cast<double>(i - j));
          want.exact += error == 0;
          want.wrong_by_more += error > 1;
          want.seem_equal += i != j && a == b;
          want.max_error = std::max(want.max_error, error);
        }
      }
      const core::DistanceFacts got = core::distance_facts(n, format, {rounding});
      CHECK(got.pairs == want.pairs);
      CHECK(got.undefined == want.undefined);
      CHECK(got.exact == want.exact);
      CHECK(got.wrong_by_more == want.wrong_by_more);
      CHECK(got.seem_equal == want.seem_equal);
      CHECK(got.max_error == want.max_error);
    }
  }
}

TEST_CASE("ids that are refused") {
  CHECK_THROWS_AS(core::id_facts(-1, core::kBFloat16), core::InputError);
  CHECK_THROWS_AS(core::id_facts(5, core::kBFloat16, {Rounding::stochastic}), core::InputError);
  CHECK_THROWS_AS(core::id_facts(5, {0, 7, 0}), core::InputError);
  CHECK_THROWS_AS(core::id_group(5, 5, core::kBFloat16), core::InputError);
  CHECK_THROWS_AS(core::distance_facts(-1, core::kBFloat16), core::InputError);
}

}  // namespace position_ids_test
