#include "core/precision/rope_rounding.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/precision/position_ids.h"
#include "core/types.h"

namespace rope_rounding_test {

using core::Index;
using core::RotaryRounder;
using core::RotaryRounding;
using core::RotaryStep;
using core::RotaryTableD;
using core::VectorD;

namespace {

RotaryRounder rounder_of(Index d, const RotaryRounding& rounding) {
  return RotaryRounder(core::frequencies(d), rounding);
}

}  // namespace

TEST_CASE("RoPE under rounding by hand") {
  // 257 is 256 in bfloat16: the angle of the fastest frequency is one radian short.
  const RotaryRounder ids = rounder_of(4, {.steps = {RotaryStep::id}});
  CHECK(ids.id(257) == 256);
  CHECK(ids.angle(257, 0) == 256);
  CHECK(ids.hand_error(257, 0) == -1);
  CHECK(ids.cos(257, 0) == static_cast<double>(static_cast<float>(std::cos(256.0))));
  // The frequency 0.01 becomes 0.010009765625, and its angle at 100 becomes 1.
  const RotaryRounder frequencies = rounder_of(4, {.steps = {RotaryStep::frequency}});
  CHECK(frequencies.theta()(1) == 0.010009765625);
  CHECK(frequencies.angle(100, 1) == static_cast<double>(1.0009765625F));
  const RotaryRounder angles = rounder_of(4, {.steps = {RotaryStep::frequency, RotaryStep::angle}});
  CHECK(angles.angle(100, 1) == 1);
  const RotaryRounder table = rounder_of(4, {.steps = {RotaryStep::table}});
  CHECK(table.cos(1, 0) == 0.5390625);
  // The angle is exact; the hand of the rounded cosine and sine points elsewhere.
  CHECK(table.angle(1, 0) == 1);
  CHECK(table.sin(1, 0) == 0.83984375);
  CHECK(table.hand_error(1, 0) ==
        doctest::Approx(std::atan2(0.83984375, 0.5390625) - 1).epsilon(1e-12));
  // In double nothing is rounded at all.
  const RotaryRounder exact = rounder_of(4, {.carrier = core::kFloat64});
  CHECK(exact.sin(12345, 1) == std::sin(12345 * core::frequencies(4)(1)));
  const RotaryRounder over = rounder_of(4, {.low = core::kFloat16, .steps = {RotaryStep::id}});
  CHECK(std::isnan(over.cos(70000, 0)));
  // The C library gives it a sign or none.
  CHECK_FALSE(std::signbit(over.cos(70000, 0)));
  CHECK_FALSE(std::signbit(over.sin(70000, 0)));
}

TEST_CASE("a table is what single entries are, for any threads and any first row") {
  const RotaryRounder rounder = rounder_of(
      16, {.low = core::kFp8E5m2,
           .steps = {RotaryStep::id, RotaryStep::frequency, RotaryStep::angle, RotaryStep::table}});
  RotaryTableD one, three, part;
  rounder.fill(one, 0, 300, 1);
  rounder.fill(three, 0, 300, 3);
  rounder.fill(part, 200, 50);
  CHECK(one.cos == three.cos);
  CHECK(one.sin == three.sin);
  CHECK(part.cos == one.cos.middleRows(200, 50));
  for (const Index p : {0, 17, 299}) {
    for (Index i = 0; i < 8; ++i) {
      CHECK(one.cos(p, i) == rounder.cos(static_cast<double>(p), i));
      CHECK(one.sin(p, i) == rounder.sin(static_cast<double>(p), i));
    }
  }
  CHECK_THROWS_AS(rounder.fill(one, 0, -1), core::InputError);
  CHECK_THROWS_AS(rounder.fill(one, -1, 1), core::InputError);
}

TEST_CASE("rows and pairs are counted as sets of values") {
  for (const RotaryRounding& rounding :
       {RotaryRounding{.steps = {RotaryStep::id}},
        RotaryRounding{.steps = {RotaryStep::angle, RotaryStep::table}},
        RotaryRounding{.low = core::kFp8E4m3, .steps = {RotaryStep::id, RotaryStep::table}},
        RotaryRounding{.low = core::kFp4E2m1, .steps = {RotaryStep::table}}}) {
    const RotaryRounder rounder = rounder_of(8, rounding);
    const Index n = 700;
    const core::RotaryRoundingFacts facts = core::rotary_rounding_facts(rounder, n, 2);
    std::set<std::vector<double>> rows;
    std::vector<std::set<std::pair<double, double>>> pairs(4);
    double largest = 0, sum = 0;
    Index missing = 0;
    for (Index p = 0; p < n; ++p) {
      std::vector<double> row;
      const auto position = static_cast<double>(p);
      for (Index i = 0; i < 4; ++i) {
        // A number that stands for NaN, which a set cannot hold.
        const auto held = [](double x) { return std::isnan(x) ? 9.0 : x; };
        const double c = rounder.cos(position, i), s = rounder.sin(position, i);
        row.insert(row.end(), {held(c), held(s)});
        pairs[static_cast<size_t>(i)].insert({held(c), held(s)});
        const double angle = position * core::frequencies(8)(i);
        missing += 2 * std::isnan(c);
        if (std::isnan(c)) continue;
        for (const double error : {c - std::cos(angle), s - std::sin(angle)}) {
          largest = std::max(largest, std::fabs(error));
          sum += std::fabs(error);
        }
      }
      rows.insert(row);
    }
    CHECK(facts.distinct_rows == static_cast<Index>(rows.size()));
    for (size_t i = 0; i < 4; ++i) {
      CHECK(facts.distinct_pairs[i] == static_cast<Index>(pairs[i].size()));
    }
    CHECK(facts.max_error == largest);
    CHECK(facts.not_finite == missing);
    CHECK(facts.mean_error ==
          doctest::Approx(sum / static_cast<double>(8 * n - missing)).epsilon(1e-12));
  }
}

TEST_CASE("where the rounding happens decides, not how many rows are left" *
          doctest::test_suite("long")) {
  const Index n = 8192;
  const auto facts = [&](const RotaryRounding& rounding) {
    return core::rotary_rounding_facts(rounder_of(128, rounding), n);
  };
  const auto ids = facts({.steps = {RotaryStep::id, RotaryStep::table}});
  const auto angles = facts({.steps = {RotaryStep::angle, RotaryStep::table}});
  const auto table = facts({.steps = {RotaryStep::table}});
  CHECK(ids.distinct_rows == core::id_facts(n, core::kBFloat16).distinct);
  CHECK(angles.distinct_rows == 7561);
  CHECK(table.distinct_rows == n);
  CHECK(ids.max_angle_error == 16);
  CHECK(angles.max_angle_error == doctest::Approx(16).epsilon(1e-3));
  CHECK(table.max_angle_error < 1e-3);
  CHECK(table.max_error < 0.0023);  // half of bfloat16's last place below 1, and float's angle
}

TEST_CASE("scores: exact ones depend on the distance only, and the table's switches reach them") {
  VectorD q = VectorD::Random(16), k = VectorD::Random(16);
  const RotaryRounder exact = rounder_of(16, {.carrier = core::kFloat64});
  CHECK(exact.score(q, k, 1007, 1000) == doctest::Approx(exact.score(q, k, 7, 0)).epsilon(1e-10));
  CHECK(exact.score(q, k, 5, 5) == doctest::Approx(q.dot(k)).epsilon(1e-12));
  // Both ids become 512.
  const RotaryRounder ids =
      rounder_of(16, {.steps = {RotaryStep::id}, .unrounded_table = core::UnroundedTable::float64});
  CHECK(ids.score(q, k, 513, 511) == doctest::Approx(q.dot(k)).epsilon(1e-12));
  // The pairings are one permutation apart.
  const auto halves = [](const VectorD& x) {
    return VectorD(core::neighbors_to_halves(x.transpose()).transpose());
  };
  CHECK(ids.score(halves(q), halves(k), 700, 3, core::RotaryPairing::halves) ==
        doctest::Approx(ids.score(q, k, 700, 3)).epsilon(1e-12));
  const RotaryRounder vectors = rounder_of(16, {.steps = {RotaryStep::vector}});
  for (Index i = 0; i < 16; ++i) {
    CHECK(vectors.rotated(q, 0)(i) == core::round_to(core::kBFloat16, static_cast<float>(q(i))));
  }
  CHECK_THROWS_AS(ids.rotated(VectorD::Zero(15), 0), core::InputError);
}

TEST_CASE("stochastic rounding of every step repeats itself and is right on average") {
  const core::RoundingRule random{core::Rounding::stochastic};
  const auto with_seed = [&](std::uint64_t seed) {
    return rounder_of(4,
                      {.rule = random, .seed = seed, .steps = {RotaryStep::id, RotaryStep::angle}});
  };
  CHECK(with_seed(3).angle(8191, 1) == with_seed(3).angle(8191, 1));
  // 513 lies a quarter of the way from 512 to 516.
  int up = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const double id = with_seed(seed).id(513);
    CHECK((id == 512 || id == 516));
    up += id == 516;
  }
  CHECK(up == doctest::Approx(1000).epsilon(0.1));  // 3.6 standard deviations
  // Cosines and sines of neighbours have random bits of their own.
  const RotaryRounder table =
      rounder_of(4, {.rule = random, .seed = 1, .steps = {RotaryStep::table}});
  RotaryTableD all;
  table.fill(all, 0, 100, 2);
  for (Index p = 0; p < 100; ++p) CHECK(all.sin(p, 0) == table.sin(static_cast<double>(p), 0));
}

TEST_CASE("a run of angles is what single angles are, by vectors or not") {
  const core::RoundingRule rules[] = {{},
                                      {core::Rounding::toward_zero},
                                      {core::Rounding::stochastic},
                                      {core::Rounding::nearest_even, core::Overflow::saturate}};
  for (const core::Format& low : {core::kBFloat16, core::kFp8E4m3, core::kFloat16}) {
    for (const core::Format& carrier : {core::kFloat32, core::kFloat64}) {
      for (const core::RoundingRule& rule : rules) {
        const RotaryRounder rounder =
            rounder_of(8, {.low = low,
                           .rule = rule,
                           .carrier = carrier,
                           .steps = {RotaryStep::id, RotaryStep::frequency, RotaryStep::angle}});
        const Index first = 65000, n = 1100;
        std::vector<double> run(static_cast<size_t>(n));
        for (const Index i : {0, 3}) {
          rounder.angles(i, first, n, run.data());
          for (Index k = 0; k < n; ++k) {
            const double one = rounder.angle(static_cast<double>(first + k), i);
            const double got = run[static_cast<size_t>(k)];
            CHECK((got == one || (std::isnan(got) && std::isnan(one))));
          }
        }
      }
    }
  }
}

}  // namespace rope_rounding_test
